/** `sqldyno report`: what is named, in which form, and where it goes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reportCommand } from '../src/cli/commands/report.ts';
import type { Terminal } from '../src/cli/terminal.ts';
import { openExperiments } from '../src/store/experiments.ts';
import { openStore } from '../src/store/store.ts';
import { SAMPLE_EXPERIMENTS } from './fixtures/sample-experiments.ts';
import { closedRun } from './fixtures/sample-runs.ts';
import { sampleSweep } from './fixtures/sample-sweeps.ts';
import { scratchDirectories } from './support/scratch.ts';

const scratch = scratchDirectories();
const EXPERIMENT = SAMPLE_EXPERIMENTS['whole']!;
const RUN = { ...closedRun(), id: '20261130-101530-oltp_read_write-k3x9' };
const OTHER = { ...RUN, id: '20261130-111530-oltp_read_write-m4y8', startedAt: '2026-11-30T11:15:30.250Z' };

async function world() {
  const storeDirectory = scratch();
  for (const run of [RUN, OTHER]) await openStore(storeDirectory).save(run);
  await openExperiments(storeDirectory).create(EXPERIMENT);
  const said: string[] = [];
  const warned: string[] = [];
  const terminal = {
    wantsJson: false,
    say: (text: string) => said.push(text),
    warn: (text: string) => warned.push(text),
    report: (content: string | Uint8Array) => said.push(String(content)),
    json: () => {},
  } as unknown as Terminal;
  return { terminal, storeDirectory, said, warned };
}

describe('a report', () => {
  test('of a run is a page, in the file that is named', async () => {
    const { said, ...given } = await world();
    const to = join(given.storeDirectory, 'page.html');
    expect(await reportCommand({ references: ['k3x9'], format: 'html', to }, given)).toBe(0);
    expect(said).toEqual([`Written: ${to}`]);
    expect(readFileSync(to, 'utf8')).toMatch(/^<!doctype html>[\s\S]*oltp_read_write on MariaDB/);
  });

  test('of several runs has them side by side', async () => {
    const { said, ...given } = await world();
    await reportCommand({ references: ['k3x9', 'm4y8'], format: 'html', to: '-' }, given);
    expect(said[0]).toContain('<h1>2 runs</h1>');
  });

  test('of an experiment by its name', async () => {
    const { said, ...given } = await world();
    await reportCommand({ references: [EXPERIMENT.plan.name], format: 'html', to: '-' }, given);
    expect(said[0]).toContain(EXPERIMENT.plan.question);
  });

  test('in another form goes to stdout', async () => {
    const { said, ...given } = await world();
    await reportCommand({ references: [], format: 'text' }, given);
    expect(said[0]).toContain(OTHER.id);
  });

  test('of a sweep has its curve, and says where a run is gone', async () => {
    const { said, warned, ...given } = await world();
    const { record, runs } = sampleSweep({ ratesPerS: [500, 900, 1_500, 2_300, 2_900, 2_700], scatter: 0.01 });
    const experiments = openExperiments(given.storeDirectory);
    await experiments.create(record);
    const at = record.startedAt;
    const entered = {
      adjusted: [],
      drift: [],
      data: { how: 'copy', elapsedS: 0, fingerprint: '' },
      drainedS: 0,
      notes: [],
    } as const;
    for (const [index, { record: run }] of runs.entries()) {
      await openStore(given.storeDirectory).save(run);
      await experiments.append(record.id, { at, is: 'done', number: index + 1, run: run.id, entered });
    }
    await reportCommand({ references: [record.id], format: 'html', to: '-' }, given);
    expect(said[0]).toContain('Universal Scalability Law');
    await openStore(given.storeDirectory).remove(runs[0]!.record.id);
    await reportCommand({ references: [record.id], format: 'html', to: '-' }, given);
    expect(said[1]).not.toContain('Universal Scalability Law');
    expect(warned.join()).toMatch(/its curve is left out, since a run of it cannot be had/);
  });
});

test.each([
  { references: ['nope'], format: 'html', says: /There is no run 'nope'/ },
  { references: [EXPERIMENT.plan.name], format: 'csv', says: /no report on experiments in the form csv/ },
  { references: [EXPERIMENT.plan.name, 'k3x9'], format: 'html', says: /has a report of its own/ },
])('$references as $format is refused', async ({ references, format, says }) => {
  await expect(reportCommand({ references, format }, await world())).rejects.toThrow(says);
});
