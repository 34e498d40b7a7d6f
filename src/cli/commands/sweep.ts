/** `sqldyno sweep`: one thing over several values, in blocks, and the curve or the knee that comes of it. */
import { randomInt } from 'node:crypto';
import { ExitCode, UserError } from '../../base/errors.ts';
import { formatDuration } from '../../base/units.ts';
import { runsOf } from '../../lab/experiment/runs-of.ts';
import { analyseSweep } from '../../lab/experiment/sweep.ts';
import { planOfSweep, sweptBy } from '../../lab/experiment/sweep-plan.ts';
import type { ExperimentPlan, ExperimentRecord } from '../../model/experiment.ts';
import type { SweepResult } from '../../model/sweep.ts';
import { sweepLines } from '../../report/sweep-text.ts';
import { openExperiments } from '../../store/experiments.ts';
import { openStore } from '../../store/store.ts';
import { planOf } from '../plan-of.ts';
import { ProblemsError } from '../problems.ts';
import { readSweepLine, type SweepLine, type SweepPlace, sweepHelp } from '../sweep-line.ts';
import { jsonText } from '../terminal.ts';
import { conductPlan, type ExperimentWorld, exitCodeOf, targetNamed } from './experiment.ts';

export async function sweepCommand(args: readonly string[], world: ExperimentWorld): Promise<ExitCode> {
  const { terminal } = world.session;
  const line = await readSweepLine(args, world.line);
  if (line.is === 'help') {
    terminal.say(sweepHelp(terminal.columns));
    return ExitCode.done;
  }
  for (const note of line.place.notes) terminal.warn(`Note: ${note}`);
  const record = line.is === 'new' ? await begin(line, world) : await goOn(line.id, line.place, world);
  const result = await resultOf(record, world);
  for (const text of ['', ...sweepLines(result)]) terminal.say(text);
  terminal.json(jsonText(result));
  for (const text of lastWords(record)) terminal.warn(text);
  return exitCodeOf(record);
}

type NewSweep = Extract<SweepLine, { is: 'new' }>;

/** Short enough to be read out and typed again. */
const DRAWN_SEED_MAX = 1_000_000_000;

function begin(line: NewSweep, world: ExperimentWorld): Promise<ExperimentRecord> {
  const { rand_seed: given, ...loadOptions } = line.loadOptions;
  const { plan, problems } = planOfSweep({
    ...line,
    loadOptions,
    target: line.place.namesServer ? targetNamed(line.place) : 'private',
    // Of the data, of the order of runs, and of their loads.
    seed: Number(given ?? 0) || randomInt(1, DRAWN_SEED_MAX),
  });
  if (problems.length > 0) throw new ProblemsError(problems);
  for (const text of announcement(line, plan)) world.session.terminal.say(text);
  return conductPlan(plan, {}, line.place, world);
}

function announcement({ load, over, values, repeats }: NewSweep, { target, seed }: ExperimentPlan): string[] {
  const { timeS, warmupS } = planOf(load);
  const runs = values.length * repeats;
  const each =
    timeS === 0 ? '' : ` of ${formatDuration(timeS + warmupS)}, ${formatDuration(runs * (timeS + warmupS))} of load`;
  return [
    `${load.found.name} over ${over} = ${values.join(', ')}: ${runs} runs${each}; target ${target}, seed ${seed}.`,
    'Ctrl-C keeps what was measured, and reports on it.',
  ];
}

async function goOn(reference: string, place: SweepPlace, world: ExperimentWorld): Promise<ExperimentRecord> {
  const { record } = await openExperiments(world.storeDirectory).load(reference);
  if (sweptBy(record.plan) === undefined) {
    throw new UserError(`The experiment ${record.id} is no sweep: its variants are not values of one thing.`, {
      hint: `See: sqldyno experiment show ${record.id}`,
    });
  }
  const kind = record.ending?.kind;
  if (kind === 'done' || kind === 'early') return record;
  return conductPlan(record.plan, { resume: record.id }, place, world);
}

async function resultOf({ id }: ExperimentRecord, { storeDirectory }: ExperimentWorld): Promise<SweepResult> {
  const { record, journal } = await openExperiments(storeDirectory).load(id);
  const result = analyseSweep(record, await runsOf(record, journal, openStore(storeDirectory)));
  if (result === undefined) throw new Error(`the experiment ${id} was planned as a sweep`);
  return result;
}

/** What must be seen also where stdout went to a file. */
function lastWords({ id, ending }: ExperimentRecord): string[] {
  if (ending === undefined || !('cause' in ending)) return [];
  return [
    `sqldyno: The sweep is not done: ${ending.cause}`,
    `  What was measured is kept. Go on with: sqldyno sweep --continue=${id}`,
  ];
}
