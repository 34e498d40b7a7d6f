/** The forms in which a run or an experiment can be taken away; of runs those of report/catalog/, by their folder. */
import { entryNames, loadEntry } from '../base/catalog.ts';
import type { ExperimentRecord } from '../model/experiment.ts';
import type { RunRecord } from '../model/run.ts';
import { experimentMarkdown } from '../report/experiment-markdown.ts';
import { experimentText } from '../report/experiment-text.ts';
import { experimentHtml } from '../report/html/experiment-page.ts';
import type { BinaryReport, Report } from '../report/report.ts';
import type { ReportForm } from './api.ts';
import { BadRequest } from './failure.ts';

const CATALOG = new URL('../report/catalog/', import.meta.url);

export async function reportForms(): Promise<readonly ReportForm[]> {
  const names = entryNames(CATALOG);
  return Promise.all(
    names.map(async (name) => {
      const { summary, extension } = await load(name);
      return { name, summary, extension };
    }),
  );
}

export async function renderedRun(run: RunRecord, form: string): Promise<string | Uint8Array> {
  if (!entryNames(CATALOG).includes(form)) throw new BadRequest(`There is no report in the form '${form}'.`);
  const report = await load(form);
  return 'render' in report ? report.render({ runs: [run] }) : report.renderBytes({ runs: [run] });
}

async function load(name: string): Promise<Report | BinaryReport> {
  return (await loadEntry(CATALOG, name)) as Report | BinaryReport;
}

interface ExperimentReport extends ReportForm {
  render(record: ExperimentRecord): string;
}

const OF_EXPERIMENTS: readonly ExperimentReport[] = [
  {
    name: 'html',
    summary: 'One file that opens anywhere, with charts.',
    extension: 'html',
    render: (record) => experimentHtml({ record }),
  },
  { name: 'markdown', summary: 'To paste into an issue.', extension: 'md', render: experimentMarkdown },
  { name: 'text', summary: 'As the terminal shows it.', extension: 'txt', render: experimentText },
];

export function experimentForms(): readonly ReportForm[] {
  return OF_EXPERIMENTS.map(({ name, summary, extension }) => ({ name, summary, extension }));
}

export function renderedExperiment(record: ExperimentRecord, form: string): string {
  const found = OF_EXPERIMENTS.find(({ name }) => name === form);
  if (found === undefined) throw new BadRequest(`There is no report in the form '${form}'.`);
  return found.render(record);
}
