/** `sqldyno runs list|show|rm|tag`: what was measured and kept. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { ExitCode, UserError } from '../../base/errors.ts';
import { formatCount, formatSignificant } from '../../base/units.ts';
import jsonReport from '../../report/catalog/json.ts';
import { type Column, tableLines } from '../../report/layout.ts';
import { UNKNOWN } from '../../report/told.ts';
import { openExperiments } from '../../store/experiments.ts';
import type { RunSummary } from '../../store/run-summary.ts';
import { openStore, type Store } from '../../store/store.ts';
import { asksForSome, chosenRuns, type RunChoice } from '../run-choice.ts';
import { renderRuns } from '../run-formats.ts';
import { jsonText, type Terminal, writeReport } from '../terminal.ts';

export interface RunsWorld {
  readonly terminal: Terminal;
  readonly storeDirectory: string | undefined;
}

/** What a terminal shows where nothing is asked for: the newest stand just above the prompt. */
const SHOWN_MAX = 50;
/** Narrower terminals are not told the servers. */
const COLUMNS_FOR_TARGET = 110;

const COLUMNS: readonly Column[] = [
  { heading: 'run', align: 'left' },
  { heading: 'threads', align: 'right' },
  { heading: 'tps', align: 'point' },
  { heading: 'p95 ms', align: 'point' },
];
const TARGET: Column = { heading: 'target', align: 'left' };
const NOTE: Column = { heading: 'note', align: 'left' };

export async function listRuns(choice: RunChoice, { terminal, storeDirectory }: RunsWorld): Promise<ExitCode> {
  const store = openStore(storeDirectory);
  const { runs, skipped } = await store.list({}, tellUnread(terminal));
  const chosen = chosenRuns(runs, choice);
  terminal.json(jsonText(chosen));
  for (const { path, because } of skipped) terminal.warn(`Note: ${path} is passed over: ${because}`);
  if (terminal.wantsJson) return ExitCode.done;
  if (chosen.length === 0) {
    terminal.say(nothingFound(runs, choice, store));
    return ExitCode.done;
  }
  sayRuns(chosen, choice, terminal);
  terminal.say('\nOne of them: sqldyno runs show RUN; its last four letters will do, or latest');
  return ExitCode.done;
}

/** Fewer are read before anybody wonders. */
const UNREAD_TOLD_MIN = 1_000;

/** For commands that list all runs. */
export function tellUnread(terminal: Terminal): (count: number) => void {
  return (count) => {
    if (count < UNREAD_TOLD_MIN) return;
    terminal.warn(`Making the index of ${formatCount(count)} runs, which is done once.`);
  };
}

function nothingFound(runs: readonly RunSummary[], choice: RunChoice, store: Store): string {
  if (runs.length > 0 && asksForSome(choice)) {
    return `None of the ${formatCount(runs.length)} runs in ${store.directory} is so. See them all: sqldyno runs list`;
  }
  return `No runs in ${store.directory} yet. The first one: sqldyno quickstart`;
}

/** A pipe gets all, whole; a terminal gets what it can show. */
function sayRuns(runs: readonly RunSummary[], choice: RunChoice, terminal: Terminal): void {
  const isTerminal = terminal.stream.isTTY === true;
  const shown = isTerminal && choice.last === undefined ? runs.slice(-SHOWN_MAX) : runs;
  const hasTarget = !isTerminal || terminal.columns >= COLUMNS_FOR_TARGET;
  const left = runs.length - shown.length;
  if (left > 0) {
    terminal.say(`${formatCount(left)} older runs are not shown: --last=${runs.length} shows them all. Or choose:`);
    terminal.say('--tag, --workload, --experiment, --since, --valid.\n');
  }
  const columns = [...COLUMNS, ...(hasTarget ? [TARGET] : []), NOTE];
  const lines = tableLines(
    columns,
    shown.map((run) => rowOf(run, hasTarget)),
  );
  for (const line of lines) terminal.say(isTerminal ? cut(line.trimStart(), terminal.columns) : line.trimStart());
}

function rowOf(run: RunSummary, hasTarget: boolean): string[] {
  return [
    run.id,
    figureText(run, run.threads, formatCount),
    figureText(run, run.transactionsPerS, formatSignificant),
    figureText(run, run.latencyUs?.p95, (us) => formatSignificant(us / 1_000)),
    ...(hasTarget ? [run.target === '' ? UNKNOWN : run.target] : []),
    noteOf(run),
  ];
}

/** What our own runs do not tell was not there; what others do not tell nobody knows. */
function figureText({ imported }: RunSummary, value: number | undefined, format: (value: number) => string): string {
  if (value !== undefined) return format(value);
  return imported === undefined ? '-' : UNKNOWN;
}

/** What is unusual first: the rest may be cut off. */
function noteOf({ isValid, ending, experiment, tags, imported }: RunSummary): string {
  const isWhole = ending === 'time' || ending === 'events';
  const place = experiment === undefined ? [] : [`${experiment.name}/${experiment.variant} ${experiment.block}`];
  const known: readonly string[] = experiment === undefined ? [] : [experiment.name, experiment.variant];
  const others = tags.filter((tag) => !known.includes(tag));
  const from = imported === undefined ? [] : [`imported: ${imported.tool}`];
  return [...(isValid ? [] : ['not valid']), ...(isWhole ? [] : [ending]), ...from, ...place, ...others].join(', ');
}

function cut(line: string, columns: number): string {
  return line.length <= columns ? line : `${line.slice(0, columns - 1)}…`;
}

export async function showRuns(
  references: readonly string[],
  { terminal, storeDirectory, format, to = '' }: RunsWorld & { readonly format: string; readonly to?: string },
): Promise<ExitCode> {
  const store = openStore(storeDirectory);
  const runs = await Promise.all((references.length === 0 ? ['latest'] : references).map((each) => store.load(each)));
  terminal.json(jsonReport.render({ runs }));
  if (to !== '') writeReport(to, await renderRuns(format, runs));
  else if (!terminal.wantsJson) terminal.report(await renderRuns(format, runs));
  return ExitCode.done;
}

/** `anyway`: also those that an experiment's result rests on. */
export async function removeRuns(
  references: readonly string[],
  { terminal, storeDirectory, anyway }: RunsWorld & { readonly anyway: boolean },
): Promise<ExitCode> {
  const store: Store = openStore(storeDirectory);
  if (!anyway) await refuseNeeded(references, store, storeDirectory);
  const removed: string[] = [];
  for (const reference of references) {
    const id = await store.remove(reference);
    removed.push(id);
    terminal.say(`Removed ${id}`);
  }
  terminal.json(jsonText({ removed }));
  return ExitCode.done;
}

/** Asked of all before the first is removed. A run whose experiment is gone belongs to nothing. */
async function refuseNeeded(references: readonly string[], store: Store, storeDirectory?: string): Promise<void> {
  const experiments = openExperiments(storeDirectory);
  const { runs } = await store.list();
  const needed = new Map<string, string>();
  for (const reference of references.filter((each) => each !== 'latest' && !each.includes('/'))) {
    const id = basename(await store.find(reference));
    const place = runs.find((run) => run.id === id)?.experiment;
    if (place !== undefined && existsSync(experiments.directoryOf(basename(place.id)))) needed.set(id, place.id);
  }
  if (needed.size === 0) return;
  const [[run, experiment] = []] = needed;
  const what = needed.size === 1 ? `The run ${run} belongs` : `${needed.size} of these runs, as ${run}, belong`;
  throw new UserError(`${what} to the experiment ${experiment}, whose result rests on it. Nothing was removed.`, {
    hint: `Remove it all the same with --anyway, or the experiment first: sqldyno experiment rm ${experiment}`,
  });
}

/** `words`: runs, and tags to add with a plus before them. */
export async function tagRuns(
  words: readonly string[],
  { terminal, storeDirectory, remove }: RunsWorld & { readonly remove: readonly string[] },
): Promise<ExitCode> {
  const references = words.filter((word) => !word.startsWith('+'));
  const add = words.filter((word) => word.startsWith('+')).map((word) => tagOf(word.slice(1)));
  if (references.length === 0 || add.length + remove.length === 0) {
    throw new UserError(references.length === 0 ? 'No run is named.' : 'No tag is named.', {
      hint: 'As in: sqldyno runs tag latest +nightly, or: sqldyno runs tag k3f9 --remove=nightly',
    });
  }
  const store = openStore(storeDirectory);
  // Found before any is changed, so that a mistyped one stops it at once.
  const directories = await Promise.all(references.map((reference) => store.find(reference)));
  const tagged = [];
  for (const directory of directories) {
    const { id, tags } = await store.tag(directory, { add, remove });
    tagged.push({ id, tags });
    terminal.say(`${id}  ${tags.length === 0 ? '(no tags)' : tags.join(', ')}`);
  }
  terminal.json(jsonText(tagged));
  return ExitCode.done;
}

/** As `--tag` of a run takes them, which ends one at a comma. */
function tagOf(word: string): string {
  if (/^[^\s,+]+$/.test(word)) return word;
  throw new UserError(`'+${word}' is no tag.`, { hint: 'A tag is a word without spaces, commas and plus signs.' });
}
