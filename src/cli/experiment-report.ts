/** The forms of a report on an experiment. The page shows its sweep too, which is reckoned from the stored runs. */
import { UserError } from '../base/errors.ts';
import { runsOf } from '../lab/experiment/runs-of.ts';
import { analyseSweep } from '../lab/experiment/sweep.ts';
import type { ExperimentRecord } from '../model/experiment.ts';
import type { SweepResult } from '../model/sweep.ts';
import { experimentMarkdown } from '../report/experiment-markdown.ts';
import { experimentText } from '../report/experiment-text.ts';
import { openExperiments } from '../store/experiments.ts';
import { openStore } from '../store/store.ts';
import type { ExperimentFormat } from './experiment-line.ts';
import { storeOption } from './self-command.ts';
import type { Terminal } from './terminal.ts';

interface ReportWorld {
  readonly terminal: Terminal;
  readonly storeDirectory: string | undefined;
}

export async function renderExperiment(
  record: ExperimentRecord,
  format: ExperimentFormat,
  world: ReportWorld,
): Promise<string> {
  if (format === 'text') return experimentText(record, storeOption(world.storeDirectory));
  if (format === 'markdown') return experimentMarkdown(record);
  const { experimentHtml } = await import('../report/html/experiment-page.ts');
  const sweep = await sweepOf(record, world);
  return experimentHtml({ record, ...(sweep === undefined ? {} : { sweep }) });
}

/** Any experiment that turns one number is a sweep by its plan; with fewer values than this it was not meant as one. */
const VALUES_MIN = 4;
const NAMED_AS_SWEEP = /^sweep-/;

async function sweepOf(
  { id, plan }: ExperimentRecord,
  { terminal, storeDirectory }: ReportWorld,
): Promise<SweepResult | undefined> {
  if (plan.variants.length < VALUES_MIN && !NAMED_AS_SWEEP.test(plan.name)) return undefined;
  try {
    const { record, journal } = await openExperiments(storeDirectory).load(id);
    const sweep = analyseSweep(record, await runsOf(record, journal, openStore(storeDirectory)));
    const isMeant = NAMED_AS_SWEEP.test(plan.name) || sweep?.curve !== undefined || sweep?.knee !== undefined;
    return isMeant ? sweep : undefined;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    terminal.warn(`Note: its curve is left out, since a run of it cannot be had. ${error.message}`);
    return undefined;
  }
}
