/** `sqldyno report RUN|EXPERIMENT...`: what was kept, as a page or in another form, to a file or to a pipe. */
import { ExitCode, UserError } from '../../base/errors.ts';
import type { ExperimentRecord } from '../../model/experiment.ts';
import type { RunRecord } from '../../model/run.ts';
import { openExperiments } from '../../store/experiments.ts';
import { openStore } from '../../store/store.ts';
import { EXPERIMENT_FORMATS } from '../experiment-line.ts';
import { renderExperiment } from '../experiment-report.ts';
import { renderRuns } from '../run-formats.ts';
import { jsonText, type Terminal, writeReport } from '../terminal.ts';

export interface ReportOptions {
  readonly references: readonly string[];
  readonly format: string;
  /** `-`: stdout. Absent: a page is written beside where one is, all else to stdout. */
  readonly to?: string;
}

export interface ReportWorld {
  readonly terminal: Terminal;
  readonly storeDirectory: string | undefined;
}

const TO_STDOUT = '-';

export async function reportCommand(options: ReportOptions, world: ReportWorld): Promise<ExitCode> {
  const { terminal } = world;
  const { format } = options;
  const references = options.references.length === 0 ? ['latest'] : options.references;
  const found = await Promise.all(references.map((reference) => find(reference, world)));
  const [first] = found;
  const content = await render(found, format, world);
  const to = options.to ?? (format === 'html' ? `${first?.record.id ?? 'report'}.html` : TO_STDOUT);
  terminal.json(jsonText({ format, to: to === TO_STDOUT ? null : to, of: found.map(({ record }) => record.id) }));
  if (to === TO_STDOUT) {
    if (!terminal.wantsJson) terminal.report(content);
  } else {
    writeReport(to, content);
    terminal.say(`Written: ${to}`);
  }
  return ExitCode.done;
}

type Found =
  | { readonly is: 'run'; readonly record: RunRecord }
  | { readonly is: 'experiment'; readonly record: ExperimentRecord };

/** A run first, since there are more of them; a name that is neither is told of as a run. */
async function find(reference: string, { storeDirectory }: ReportWorld): Promise<Found> {
  try {
    return { is: 'run', record: await openStore(storeDirectory).load(reference) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    try {
      const { record } = await openExperiments(storeDirectory).load(reference);
      return { is: 'experiment', record };
    } catch (other) {
      throw other instanceof UserError ? error : other;
    }
  }
}

async function render(found: readonly Found[], format: string, world: ReportWorld): Promise<string | Uint8Array> {
  const runs = found.flatMap((each) => (each.is === 'run' ? [each.record] : []));
  const [experiment, another] = found.flatMap((each) => (each.is === 'experiment' ? [each.record] : []));
  if (experiment === undefined) return renderRuns(format, runs);
  if (another !== undefined || runs.length > 0) {
    throw new UserError('An experiment has a report of its own, and several things were named.', {
      hint: `Name it alone: sqldyno report ${experiment.id}`,
    });
  }
  const known = EXPERIMENT_FORMATS.find((each) => each === format);
  if (known === undefined) {
    throw new UserError(`There is no report on experiments in the form ${format}.`, {
      hint: `There are: ${EXPERIMENT_FORMATS.join(', ')}. As JSON: sqldyno experiment show ${experiment.id} --json`,
    });
  }
  return renderExperiment(experiment, known, world);
}
