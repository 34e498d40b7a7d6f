/** A replica and a Galera node on loopback: what a watched run, its environment and the doctor say of them. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collect } from '../../src/doctor/collect.ts';
import { seen, unseenBecause } from '../../src/doctor/collected.ts';
import { preflightChecks } from '../../src/doctor/examine.ts';
import { runOnce } from '../../src/lab/run.ts';
import type { CheckResult } from '../../src/model/checkup.ts';
import type { RunRecord } from '../../src/model/run.ts';
import { connect } from '../../src/wire/connection.ts';
import { prepare, requestFor, startTestBench, type TestBench } from '../support/lab.ts';
import { execute, query } from '../support/maintenance.ts';
import { freePort } from '../support/ssh-server.ts';

const never = new AbortController().signal;
const OPTIONS = { table_size: 500, tables: 1 };
const PREPARED = { workload: 'oltp_read_write', options: OPTIONS };

async function watchedRun(bench: TestBench, workload: string): Promise<RunRecord> {
  const request = await requestFor(bench, { workload, options: OPTIONS, plan: { events: 0, timeS: 2, threads: 2 } });
  return runOnce({ ...request, observe: { intervalS: 0.5, host: {} } }, {}, never);
}

async function doctorOn({ target }: TestBench): Promise<CheckResult> {
  const host = unseenBecause('It is not looked at here.');
  const looked = { server: seen(target), serverHost: host, clientHost: host, isHere: true, idleS: 0.1, limitS: 30 };
  const results = await preflightChecks(await collect(looked), undefined);
  return results.find(({ check }) => check === 'replication')!;
}

describe('a replica', () => {
  let source: TestBench;
  let replica: TestBench;

  beforeAll(async () => {
    source = await startTestBench(['--log-bin', '--binlog-format=ROW', '--server-id=1'], true);
    replica = await startTestBench(['--server-id=2']);
    const [position] = await query(source.target, 'SHOW MASTER STATUS');
    const { port, user, password } = source.server.tcp!;
    await execute(
      replica.target,
      `CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=${port}, MASTER_USER='${user}',
        MASTER_PASSWORD='${password}', MASTER_LOG_FILE='${position![0]}', MASTER_LOG_POS=${position![1]}`,
      'START SLAVE',
    );
    await prepare(source, PREPARED);
    await caughtUp();
  });

  afterAll(async () => {
    await replica?.[Symbol.asyncDispose]();
    await source?.[Symbol.asyncDispose]();
  });

  /** Until it has what the source has: waits for what must come, however long that takes. */
  async function caughtUp(): Promise<void> {
    const [position] = await query(source.target, 'SHOW MASTER STATUS');
    const sql = `SELECT MASTER_POS_WAIT('${position![0]}', ${position![1]}, 60)`;
    const [[waited] = []] = await query(replica.target, sql);
    expect(Number(waited)).toBeGreaterThanOrEqual(0);
  }

  test('is known as one, with its delay, and the cross-check stays exact', async () => {
    const record = await watchedRun(replica, 'oltp_read_only');
    expect(record.crossCheck).toMatchObject({ is: 'done', ok: true });
    const facts = { 'replica.sources': 1, 'replica.isReceiving': true, 'replica.isApplying': true };
    expect(record.environment!.server).toMatchObject(facts);
    const { measured } = record.series!['replication']!;
    expect(measured).toMatchObject({ is_receiving: 1, is_applying: 1, seconds_behind: expect.any(Number) });
    expect(measured).not.toHaveProperty('cluster_size');
    expect(await doctorOn(replica)).toMatchObject({ level: 'info', is: expect.stringMatching(/a replica itself/) });
  });

  test('that no longer applies is told from one that does', async () => {
    await execute(replica.target, 'STOP SLAVE SQL_THREAD');
    const record = await watchedRun(replica, 'oltp_read_only');
    await expect(doctorOn(replica)).resolves.toMatchObject({
      level: 'warning',
      is: expect.stringMatching(/receives and does not apply/),
    });
    await execute(replica.target, 'START SLAVE SQL_THREAD');
    expect(record.series!['replication']!.measured).toMatchObject({ is_receiving: 1, is_applying: 0 });
    expect(record.environment!.server).toMatchObject({ 'replica.isApplying': false });
  });

  test('is no business of its source, which says who reads from it', async () => {
    const record = await watchedRun(source, 'oltp_read_write');
    expect(record.series).not.toHaveProperty('replication');
    expect(record.observation!.unseen).toContainEqual({
      what: 'replication',
      because: 'The server is no replica and in no Galera cluster.',
    });
    await expect(doctorOn(source)).resolves.toMatchObject({
      level: 'info',
      is: expect.stringMatching(/1 replica reads/),
    });
    await caughtUp();
  });
});

const GALERA = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'].find((path) =>
  existsSync(path),
);

describe.skipIf(GALERA === undefined)('a Galera cluster of one (skipped without the library galera-4)', () => {
  let node: TestBench;

  beforeAll(async () => {
    const [group, increments] = [await freePort(), await freePort()];
    node = await startTestBench([
      '--wsrep-on=ON',
      `--wsrep-provider=${GALERA}`,
      '--wsrep-cluster-address=gcomm://',
      '--wsrep-new-cluster',
      '--wsrep-node-address=127.0.0.1',
      `--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:${group};ist.recv_addr=127.0.0.1:${increments}`,
      '--binlog-format=ROW',
      '--innodb-autoinc-lock-mode=2',
    ]);
    await isReady(node);
    await prepare(node, PREPARED);
  });

  afterAll(() => node?.[Symbol.asyncDispose]());

  async function isReady({ target }: TestBench): Promise<void> {
    for (;;) {
      await using connection = await connect(target);
      const { rows } = await connection.read("SHOW GLOBAL STATUS LIKE 'wsrep_ready'");
      if (rows[0]?.[1] === 'ON') return;
      await sleep(100);
    }
  }

  test('is watched: its state, its queues and what it replicates, and the cross-check stays exact', async () => {
    const record = await watchedRun(node, 'oltp_read_write');
    expect(record.crossCheck).toMatchObject({ is: 'done', ok: true });
    expect(record.environment!.server).toMatchObject({
      'galera.clusterSize': '1',
      'galera.clusterStatus': 'Primary',
      'galera.state': 'Synced',
    });
    const { measured } = record.series!['replication']!;
    expect(measured).toMatchObject({
      cluster_size: 1,
      cluster_is_synced: 1,
      flow_control_paused: 0,
      certification_failures_per_s: 0,
      receive_queue: expect.any(Number),
      send_queue: expect.any(Number),
    });
    expect(measured['replicated_bytes_per_s']).toBeGreaterThan(0);
    expect(measured).not.toHaveProperty('is_applying');
  });

  test('is known to the doctor, who warns of a member that is not in step', async () => {
    expect(await doctorOn(node)).toMatchObject({ level: 'info', is: expect.stringMatching(/cluster of 1 \(Synced\)/) });
    await execute(node.target, 'SET GLOBAL wsrep_desync = ON');
    await expect(doctorOn(node)).resolves.toMatchObject({
      level: 'warning',
      is: expect.stringMatching(/not in step/),
    });
    await execute(node.target, 'SET GLOBAL wsrep_desync = OFF');
  });
});
