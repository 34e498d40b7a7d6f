/** What is made of the results: findings of a run, commands by host, and what the user accepts. */
import { expect, test } from 'vitest';
import { type Change, caseOf } from '../../test/support/doctor.ts';
import { asFindings, fixesOf, preflightChecks } from './examine.ts';

async function examine(change: Change, accepted: readonly string[] = []) {
  const { collected, plan } = caseOf(change);
  return preflightChecks(collected, plan, accepted);
}

const SLOW = { facts: { 'cpu.governor': 'powersave' } };

test('when all is well a run gets no findings', async () => {
  expect(asFindings(await examine({}))).toEqual([]);
});

test('warnings and blocks become findings, each with a reason and the commands; the rest does not', async () => {
  const findings = asFindings(
    await examine({
      serverHost: { facts: { 'datadir.filesystem': 'tmpfs', 'cpu.turbo': true, 'cpu.governor': 'powersave' } },
    }),
  );
  expect(findings.map(({ id, severity }) => [id, severity])).toEqual([
    ['doctor-governor', 'warning'],
    ['doctor-filesystem', 'warning'],
  ]);
  expect(findings[0]?.remedy).toBe(
    'Until the next start: echo performance | sudo tee /sys/devices/system/cpu/cpufreq/policy*/scaling_governor',
  );
  for (const { is, because } of findings) expect(`${is} ${because}`).toMatch(/^[A-Z/].*\. [A-Z].*\.$/);
});

test('both hosts may have the same to say, and are told apart', async () => {
  const results = await examine({ serverHost: SLOW, clientHost: SLOW });
  expect(asFindings(results).map(({ id }) => id)).toEqual(['doctor-governor', 'doctor-governor-client']);
  expect(results.filter(({ check }) => check === 'governor').map(({ at }) => at)).toEqual([
    'ssh dba@db1',
    'this machine',
  ]);
});

test('one machine is examined once', async () => {
  const { collected } = caseOf({ serverHost: SLOW });
  const one = { ...collected, clientHost: collected.serverHost, isOneHost: true };
  const results = await preflightChecks(one, undefined);
  expect(results.filter(({ check }) => check === 'governor')).toHaveLength(1);
  expect(results.map(({ check }) => check)).toEqual([...new Set(results.map(({ check }) => check))]);
});

test('what the user accepts blocks no more, and is still told', async () => {
  const change = { serverHost: { facts: { 'datadir.filesystem': 'overlay' } } };
  const before = await examine(change);
  const after = await examine(change, ['filesystem']);
  const of = (results: typeof before) => results.find(({ check }) => check === 'filesystem');
  expect(of(before)?.level).toBe('block');
  expect(of(after)).toMatchObject({ level: 'info', is: expect.stringContaining('Accepted') });
});

test('commands are given by host, the most urgent first, and once where several checks want them', async () => {
  const results = await examine({
    serverHost: { facts: { 'memory.transparentHugepages': 'always', 'network.eth0.receivePacketSteering': false } },
    clientHost: SLOW,
    variables: { innodb_doublewrite: 'OFF', innodb_flush_log_at_trx_commit: '2' },
    collected: {
      problems: {
        is: 'seen',
        value: [
          {
            id: 'max-connections',
            severity: 'stop',
            is: 'Few.',
            remedy: 'SET GLOBAL max_connections = 88; or fewer --threads.',
          },
        ],
      },
    },
  });
  const fixes = fixesOf(results);
  expect(fixes.map(({ where, kind }) => [where, kind])).toEqual([
    ['the server', 'sql'],
    ['this machine', 'shell'],
    ['ssh dba@db1', 'shell'],
  ]);
  expect(fixes[0]?.commands).toEqual([
    { command: 'SET GLOBAL max_connections = 88;', for: ['limits and rights fit the load'] },
    { command: 'SET GLOBAL innodb_flush_log_at_trx_commit = 1;', for: ['what survives a crash'] },
  ]);
  expect(fixes[2]?.commands.map(({ command }) => command)).toEqual([
    'echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled',
    'for q in /sys/class/net/eth0/queues/rx-*; do echo ff | sudo tee $q/rps_cpus; echo 16384 | sudo tee $q/rps_flow_cnt; done',
    'sudo sysctl net.core.rps_sock_flow_entries=32768',
  ]);
});
