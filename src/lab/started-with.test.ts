/** With what a server was started, by the first of its runs since then that tells. */
import { expect, test } from 'vitest';
import { closedRun } from '../../test/fixtures/sample-runs.ts';
import { caseOf } from '../../test/support/doctor.ts';
import { seen } from '../doctor/collected.ts';
import type { RunRecord } from '../model/run.ts';
import type { RunSummary } from '../store/run-summary.ts';
import { valuesOfStart, withStart } from './started-with.ts';

const NOW_MS = Date.parse('2026-11-30T12:00:00Z');
const FLUSH = 'innodb_flush_log_at_trx_commit';

function runOf(startedAt: string, address: string, server: Record<string, string>): RunRecord {
  const run = closedRun();
  const target = { ...run.target, address, variables: { [FLUSH]: '2', sync_binlog: '0' } };
  return { ...run, id: startedAt, startedAt, target, environment: { server, host: {}, client: {} } };
}

async function startOf(runs: readonly RunRecord[], isSet = true) {
  const { collected } = caseOf({
    server: { setAtRuntime: seen(new Map(isSet ? [[FLUSH, '2']] : [])) },
    status: { uptime: '3600' },
  });
  const store = {
    list: async () => ({
      runs: runs.map(({ id, startedAt, target }) => ({ id, startedAt, address: target.address }) as RunSummary),
      skipped: [],
    }),
    load: async (id: string) => runs.find((run) => run.id === id)!,
  };
  const { server } = await withStart(collected, store, { address: 'db1:3306', nowMs: NOW_MS });
  return server.is === 'seen' ? server.value.startedWith : undefined;
}

const SET = { [`set.${FLUSH}`]: '2' };

test('the first run since the start tells', async () => {
  const [first, later] = ['2026-11-30T11:10:00Z', '2026-11-30T11:20:00Z'];
  const start = await startOf([runOf(first, 'db1:3306', SET), runOf(later, 'db1:3306', { 'set.sync_binlog': '1' })]);
  expect(start).toEqual(
    new Map([
      [FLUSH, '2'],
      ['sync_binlog', '0'],
    ]),
  );
});

test.each([
  { why: 'it was before the start', run: runOf('2026-11-30T10:59:00Z', 'db1:3306', SET) },
  { why: 'it was on another server', run: runOf('2026-11-30T11:10:00Z', 'db2:3306', SET) },
  { why: 'it was not told what is set', run: runOf('2026-11-30T11:10:00Z', 'db1:3306', { flavor: 'mariadb' }) },
])('a run tells nothing where $why', async ({ run }) => {
  expect(await startOf([run])).toBeUndefined();
});

test('where nothing was set while the server ran, no run is read', async () => {
  expect(await startOf([runOf('2026-11-30T11:10:00Z', 'db1:3306', SET)], false)).toBeUndefined();
});

test('what had been set already by then is not what the server was started with', () => {
  const run = runOf('2026-11-30T11:10:00Z', 'db1:3306', { [`set-at-runtime.${FLUSH}`]: '2', 'set.port': '3306' });
  expect(valuesOfStart(run)).toEqual(
    new Map([
      ['sync_binlog', '0'],
      ['port', '3306'],
    ]),
  );
});
