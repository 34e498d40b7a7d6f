import { expect, test } from 'vitest';
import { SAMPLE_EXPERIMENTS } from '../../../test/fixtures/sample-experiments.ts';
import { scratchDirectories } from '../../../test/support/scratch.ts';
import { openExperiments } from '../../store/experiments.ts';
import { loadWorkload, workloadNames } from '../../workload/find.ts';
import { ProblemsError } from '../problems.ts';
import type { Session } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import { type ExperimentWorld, experimentCommand } from './experiment.ts';

const scratch = scratchDirectories();

function worldWith(text: string, storeDirectory?: string): ExperimentWorld & { readonly said: string[] } {
  const said: string[] = [];
  const terminal: Pick<Terminal, 'say' | 'warn' | 'json' | 'columns' | 'stream'> = {
    say: (line) => said.push(line),
    warn: (line) => said.push(line),
    json: () => {},
    columns: 80,
    stream: { isTTY: true } as Terminal['stream'],
  };
  const session: Pick<Session, 'terminal' | 'command'> = { terminal: terminal as Terminal, command: ['sqldyno'] };
  const line = { workloadNames: workloadNames(), loadWorkload, readText: () => text };
  return { session: session as Session, line, storeDirectory, said };
}

async function problemsOf(command: 'plan' | 'run', text: string): Promise<string[]> {
  const failed = await experimentCommand(['experiment', command, './x.yaml'], worldWith(text)).catch((error) => error);
  expect(failed).toBeInstanceOf(ProblemsError);
  return (failed as ProblemsError).problems.map(({ is }) => is);
}

test.each(['plan', 'run'] as const)('%s: what the workload says is wrong is told beside all else', async (command) => {
  const text = `paris: 6
workload: oltp_read_only --tabels=1
baseline: nope
variants: {a: , b: {load: {tiem: 3}}}
---
name: another
workload: no_such_workload
factors: {a: x}
`;
  const problems = await problemsOf(command, text);
  expect(problems.map((is) => /^\.\/x\.yaml:(\d+:\d+):/.exec(is)?.[1])).toEqual([
    '1:1',
    '3:1',
    '4:28',
    '8:11',
    '2:26',
    '7:1',
  ]);
  expect(problems.join('\n')).toMatch(/--tabels[\s\S]*'no_such_workload'/);
});

test('a list fits the terminal, and what is told to be done next names the store', async () => {
  const [whole] = Object.values(SAMPLE_EXPERIMENTS);
  const store = scratch();
  const experiments = openExperiments(store);
  const interrupted = { kind: 'interrupted', cause: 'Interrupted by SIGINT.' } as const;
  const { id } = whole!;
  await experiments.create({ ...whole!, ending: interrupted });
  const list = worldWith('', store);
  await experimentCommand(['experiment', 'list'], list);
  expect(list.said.length).toBeGreaterThan(2);
  for (const line of list.said) expect(line.length).toBeLessThanOrEqual(80);
  const shown = worldWith('', store);
  await experimentCommand(['experiment', 'show', id], shown);
  const text = shown.said.join('\n').replaceAll(/\s+/g, ' ');
  expect(text).toContain(`sqldyno experiment show ${id} --store=${store}`);
  expect(text).toContain(`sqldyno experiment resume ${id} --store=${store}`);
});
