/** Two ways to one host are refused by every command that takes them. */
import { expect, test } from 'vitest';
import { loadWorkload, workloadNames } from '../workload/find.ts';
import { readDiagnoseLine } from './diagnose-line.ts';
import { readDoctorLine } from './doctor-line.ts';
import { readExperimentLine } from './experiment-line.ts';
import type { ProblemsError } from './problems.ts';
import { readSweepLine } from './sweep-line.ts';
import { readWorkloadLine } from './workload-line.ts';

const WORLD = { workloadNames: workloadNames(), loadWorkload, readText: () => '' };
const BOTH = ['--host-ssh=dba@db1', '--host-metrics=http://db1:9100'];

test.each<{ command: string; read: (args: string[]) => unknown; words: string[] }>([
  { command: 'run', read: (args) => readWorkloadLine(args, WORLD), words: ['oltp_read_only', 'run'] },
  { command: 'doctor', read: (args) => readDoctorLine(args, WORLD), words: ['doctor'] },
  { command: 'diagnose', read: readDiagnoseLine, words: ['diagnose', '--probe'] },
  { command: 'experiment', read: readExperimentLine, words: ['experiment', 'plan', 'x.yaml'] },
  { command: 'sweep', read: (args) => readSweepLine(args, WORLD), words: ['sweep', '--continue=latest'] },
])('$command', async ({ read, words }) => {
  const outcome = (args: string[]) =>
    Promise.resolve()
      .then(() => read(args))
      .then(() => [])
      .catch((error: ProblemsError) => error.problems.map(({ is }) => is));
  expect(await outcome([...words, ...BOTH])).toEqual(['--host-ssh and --host-metrics are two ways to one host.']);
  for (const one of BOTH) expect(await outcome([...words, one])).toEqual([]);
});
