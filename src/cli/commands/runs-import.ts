/** `sqldyno runs import`: runs of our own from elsewhere, and what other tools have printed. */
import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { ExitCode, UserError } from '../../base/errors.ts';
import { formatRate } from '../../base/units.ts';
import { tells } from '../../model/imported.ts';
import type { RunRecord } from '../../model/run.ts';
import { sourceName, toolName } from '../../report/told.ts';
import { openStore, type Store } from '../../store/store.ts';
import { type ForeignOptions, importForeign } from '../import-foreign.ts';
import { STDIN } from '../read-text.ts';
import { jsonText, type Terminal } from '../terminal.ts';
import type { RunsWorld } from './runs.ts';

interface Found {
  readonly kept: string[];
  readonly there: string[];
  readonly refused: { readonly from: string; readonly because: string }[];
  /** Of those that were kept, what another tool measured. */
  readonly foreign: RunRecord[];
  readonly notes: string[];
}

/** What is refused does not keep the others out. */
export async function importCommand(
  sources: readonly string[],
  options: ForeignOptions,
  { terminal, storeDirectory }: RunsWorld,
): Promise<ExitCode> {
  const store = openStore(storeDirectory);
  await store.ensureWritable();
  const found: Found = { kept: [], there: [], refused: [], foreign: [], notes: [] };
  for (const source of sources) {
    try {
      await importSource(source, options, { store, terminal, found });
    } catch (error) {
      // Of one source, what is wrong with it is all there is to say.
      if (!(error instanceof UserError) || sources.length === 1) throw error;
      found.refused.push({ from: source, because: error.message });
    }
  }
  tell(found, store, terminal);
  return found.refused.length === 0 ? ExitCode.done : ExitCode.checkFailed;
}

interface World {
  readonly store: Store;
  readonly terminal: Terminal;
  readonly found: Found;
}

async function importSource(source: string, options: ForeignOptions, { store, terminal, found }: World) {
  if (await isOwn(source)) {
    // The schema is a large module, and nothing else of this command needs it.
    const { importRuns } = await import('../../store/import-runs.ts');
    const { kept, there, refused } = await importRuns(source, store);
    found.kept.push(...kept);
    found.there.push(...there);
    found.refused.push(...refused);
    return;
  }
  const { kept, there, notes } = await importForeign(source, options, { store, terminal });
  found.kept.push(...kept.map(({ id }) => id));
  found.foreign.push(...kept);
  found.there.push(...there);
  found.notes.push(...notes);
}

/** A record says what it is near its beginning. */
const BEGINNING_BYTES = 65_536;

/** Also where it is missing or broken: import-runs says what is wrong with it. */
async function isOwn(source: string): Promise<boolean> {
  if (source === STDIN) return false;
  const stats = statSync(source, { throwIfNoEntry: false });
  if (stats === undefined || stats.isDirectory() || source.endsWith('.ndjson')) return true;
  let text = '';
  for await (const chunk of createReadStream(source, { end: BEGINNING_BYTES - 1 }))
    text += (chunk as Buffer).toString();
  const isJson = /^\s*[[{]/.test(text);
  return isJson && (text.includes('"sqldyno.run/') || !text.includes('"Latency Distribution"'));
}

function tell({ kept, there, refused, foreign, notes }: Found, store: Store, terminal: Terminal): void {
  terminal.json(jsonText({ kept, there, refused, ...(notes.length === 0 ? {} : { notes }) }));
  if (kept.length > 0) terminal.say(`${countText(kept.length)} kept in ${store.directory}`);
  for (const run of foreign) terminal.say(`  ${run.id}  ${foreignText(run)}`);
  if (there.length > 0) terminal.say(`${countText(there.length)} there already.`);
  for (const note of notes) terminal.warn(`Note: ${note}`);
  for (const { from, because } of refused) terminal.warn(`Refused: ${from}: ${because}`);
  if (foreign.length > 0) terminal.say(`Look at one: sqldyno runs show ${foreign.length === 1 ? 'latest' : 'RUN'}`);
}

function foreignText(run: RunRecord): string {
  const { imported, rates } = run;
  if (imported === undefined) return '';
  const rate = tells(run, 'rates.transactionsPerS') ? `: ${formatRate(rates.transactionsPerS)} transactions` : '';
  const missing = imported.cutOff.length === 0 ? '' : `; not whole, missing: ${imported.cutOff.join('; ')}`;
  const where = sourceName({ ...imported, source: basename(imported.source) });
  return `${toolName(imported)}, ${where}${rate}${missing}`;
}

function countText(count: number): string {
  return count === 1 ? '1 run' : `${count} runs`;
}
