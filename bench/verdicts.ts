/**
 * `npm run bench:verdicts`: experiments of which the answer is known. The same configuration under two names must not
 * come out FASTER or SLOWER in more than one of twenty; a load made longer by a tenth must come out SLOWER.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Comparison, ExperimentRecord } from '../src/model/experiment.ts';
import { openStore } from '../src/store/store.ts';
import { machineLine } from './process-cost.ts';

const { values } = parseArgs({
  options: {
    experiments: { type: 'string', default: '10' },
    pairs: { type: 'string', default: '8' },
    time: { type: 'string', default: '2' },
    /** `same`, or `longer`: the second variant reads a tenth more rows in each transaction. */
    kind: { type: 'string', default: 'same' },
    /** Where the rates of all runs go, in the order in which they ran: for the simulation in src/stats. */
    record: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const MAIN = fileURLToPath(new URL('../src/cli/main.js', import.meta.url));
/** Ten point selects a transaction, and a tenth more: the client and the server do a tenth more for each. */
const SECOND = values.kind === 'longer' ? '{workload: {point_selects: 11}}' : '{}';

function fileText(experiment: number): string {
  return [
    `name: ${values.kind}`,
    'workload: oltp_read_only --tables=2 --table-size=20000 --range-selects=off --point-selects=10',
    `load: --threads=4 --time=${values.time} --warmup-time=0.5`,
    `pairs: ${values.pairs}`,
    `seed: ${experiment + 1}`,
    'variants:',
    '  one: {}',
    `  other: ${SECOND}`,
    '',
  ].join('\n');
}

async function run(directory: string, experiment: number): Promise<ExperimentRecord> {
  const file = join(directory, `${experiment}.yaml`);
  const result = join(directory, `${experiment}.json`);
  writeFileSync(file, fileText(experiment));
  const child = spawn(process.execPath, [MAIN, 'experiment', 'run', file, `--store=${directory}`, `--json=${result}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`experiment ${experiment} ended with ${code}`);
  const { experiments } = JSON.parse(readFileSync(result, 'utf8')) as { experiments: ExperimentRecord[] };
  return experiments[0]!;
}

function line(experiment: number, { effect, interval, verdict, pT, pSignFlip }: Comparison): string {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const cells = [experiment + 1, percent(effect), `${percent(interval.low)} to ${percent(interval.high)}`];
  return `| ${[...cells, pT.toFixed(3), pSignFlip.toFixed(3), verdict].join(' | ')} |`;
}

async function main(): Promise<void> {
  if (values.help) {
    console.log('--experiments=10 --pairs=8 --time=2 --kind=same|longer --record=FILE');
    return;
  }
  const directory = mkdtempSync(join(tmpdir(), 'sqldyno-verdicts-'));
  const rates: number[] = [];
  const verdicts = new Map<string, number>();
  try {
    console.log(`${machineLine()}\n\n| experiment | effect | 95 % interval | p (t) | p (sign flip) | verdict |`);
    console.log('| --- | --- | --- | --- | --- | --- |');
    for (let experiment = 0; experiment < Number(values.experiments); experiment++) {
      const record = await run(directory, experiment);
      const comparison = record.result?.comparisons[0];
      if (comparison === undefined) throw new Error(`experiment ${experiment} has no result`);
      console.log(line(experiment, comparison));
      verdicts.set(comparison.verdict, (verdicts.get(comparison.verdict) ?? 0) + 1);
      const { runs } = await openStore(directory).list({ experiment: record.id });
      rates.push(...runs.map(({ transactionsPerS = 0 }) => Math.round(transactionsPerS * 10) / 10));
    }
    console.log(`\n${[...verdicts].map(([verdict, count]) => `${verdict} ${count}`).join(', ')}`);
    if (values.record !== undefined) {
      writeFileSync(
        values.record,
        `${JSON.stringify({ machine: machineLine(), timeS: Number(values.time), rates })}\n`,
      );
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

await main();
