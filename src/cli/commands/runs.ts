/** `sqldyno runs list|show|rm`: what was measured and kept. */
import { ExitCode } from '../../base/errors.ts';
import { formatRate } from '../../base/units.ts';
import csvReport from '../../report/catalog/csv.ts';
import jsonReport from '../../report/catalog/json.ts';
import textReport from '../../report/catalog/text.ts';
import { type Column, tableLines } from '../../report/layout.ts';
import { openStore, type RunSummary, type Store } from '../../store/store.ts';
import { jsonText, type Terminal } from '../terminal.ts';

export const RUN_FORMATS = ['text', 'csv', 'json'] as const;
export type RunFormat = (typeof RUN_FORMATS)[number];

const REPORTS = { text: textReport, csv: csvReport, json: jsonReport } as const;

const COLUMNS: readonly Column[] = [
  { heading: 'run', align: 'left' },
  { heading: 'threads', align: 'right' },
  { heading: 'transactions', align: 'point' },
  { heading: 'ending', align: 'left' },
  { heading: 'target', align: 'left' },
  { heading: 'tags', align: 'left' },
];

export async function listRuns(terminal: Terminal, storeDirectory: string | undefined): Promise<ExitCode> {
  const store = openStore(storeDirectory);
  const { runs, skipped } = await store.list();
  terminal.json(jsonText(runs));
  for (const { path, because } of skipped) terminal.warn(`Note: ${path} is passed over: ${because}`);
  if (terminal.wantsJson) return ExitCode.done;
  if (runs.length === 0) {
    terminal.say(`No runs in ${store.directory} yet. The first one: sqldyno quickstart`);
    return ExitCode.done;
  }
  for (const line of tableLines(COLUMNS, runs.map(rowOf))) terminal.say(line.trimStart());
  terminal.say('\nOne of them: sqldyno runs show RUN, where RUN may be its last four letters, or latest');
  return ExitCode.done;
}

function rowOf(run: RunSummary): string[] {
  return [
    run.id,
    String(run.threads),
    formatRate(run.transactionsPerS),
    run.isValid ? run.ending : `${run.ending}, not valid`,
    run.target,
    run.tags.join(', '),
  ];
}

export async function showRuns(
  references: readonly string[],
  { terminal, storeDirectory, format }: { terminal: Terminal; storeDirectory: string | undefined; format: RunFormat },
): Promise<ExitCode> {
  const store = openStore(storeDirectory);
  const runs = await Promise.all((references.length === 0 ? ['latest'] : references).map((each) => store.load(each)));
  terminal.json(jsonReport.render({ runs }));
  if (!terminal.wantsJson) terminal.say(REPORTS[format].render({ runs }).trimEnd());
  return ExitCode.done;
}

export async function removeRuns(
  references: readonly string[],
  { terminal, storeDirectory }: { terminal: Terminal; storeDirectory: string | undefined },
): Promise<ExitCode> {
  const store: Store = openStore(storeDirectory);
  const removed: string[] = [];
  for (const reference of references) {
    const id = await store.remove(reference);
    removed.push(id);
    terminal.say(`Removed ${id}`);
  }
  terminal.json(jsonText({ removed }));
  return ExitCode.done;
}
