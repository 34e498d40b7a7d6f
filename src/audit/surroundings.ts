/** What a text tells beside its results: how much data, on what volume, with how much memory. */
import type { CommandLine, ForeignDocument, MeasuredFacts, Setting } from '../foreign-output/facts.ts';
import { numberAtStart } from '../foreign-output/numbers.ts';
import { sizeBytes } from '../foreign-output/settings.ts';
import { optionNumber } from './sizes.ts';

export interface Told<T> {
  readonly value: T;
  readonly line: number;
}

const TABLES = /\b(\d[\d,]*) tables? (?:with|of) (\d[\d,.]*) ?(million|thousand|billion)? (?:records|rows)/i;
const SCALE: Readonly<Record<string, number>> = { thousand: 1e3, million: 1e6, billion: 1e9 };

/** `100 tables with 10 million records per table` */
export function dataTold({ lines }: ForeignDocument): Told<{ tables: number; rows: number }> | undefined {
  for (const [at, text] of lines.entries()) {
    const [, tables = '', rows = '', scale = ''] = TABLES.exec(text) ?? [];
    const rowsNumber = numberAtStart(rows);
    if (rowsNumber === undefined) continue;
    const value = {
      tables: Number(tables.replaceAll(',', '')),
      rows: rowsNumber.value * (SCALE[scale.toLowerCase()] ?? 1),
    };
    return { value, line: at + 1 };
  }
  return undefined;
}

/** Without `--tables` sysbench has one. */
export function tablesAsked(command: CommandLine): number {
  return optionNumber(command, ['tables', 'oltp_tables_count']) ?? 1;
}

export function rowsAsked(command: CommandLine): number {
  return optionNumber(command, ['table_size', 'oltp_table_size']) ?? 10_000;
}

const IOPS = /(\d[\d,]*)(?: (?:provisioned|baseline|burstable|burst|read|write|maximum))? IOPS\b/gi;

/** The highest number of I/O operations a second that the text promises of any volume. */
export function iopsTold({ lines }: ForeignDocument): Told<number> | undefined {
  let most: Told<number> | undefined;
  for (const [at, text] of lines.entries()) {
    for (const [, written = ''] of text.matchAll(IOPS)) {
      const value = Number(written.replaceAll(',', ''));
      if (value > (most?.value ?? 0)) most = { value, line: at + 1 };
    }
  }
  return most;
}

/** A volume's size on the line of a word for storage: `500 GB SQL data drive`. */
export function volumeGibTold({ lines }: ForeignDocument, type: string): Told<number> | undefined {
  const pattern = new RegExp(`\\b(\\d+) ?Gi?B\\b.{0,60}\\b${type}\\b|\\b${type}\\b.{0,60}\\b(\\d+) ?Gi?B\\b`, 'i');
  for (const [at, text] of lines.entries()) {
    // Where the system is kept, no data are.
    const match = /\broot\b/i.test(text) ? null : pattern.exec(text);
    if (match !== null) return { value: Number(match[1] ?? match[2]), line: at + 1 };
  }
  return undefined;
}

const RAM = /\b(\d+(?:\.\d+)?) ?(G|GB|GiB) (?:of )?(?:RAM|memory)\b|\bMemory\W{1,4}(\d+(?:\.\d+)?) ?(G|GB|GiB)\b/i;
/** `In case your host has less than 1G of RAM` is about other machines. */
const NOT_THIS_MACHINE = /\b(?:less|more|at least|if|case)\b/i;

/** The last that is told: a table of the client comes before that of the server, as a rule. */
export function ramBytesTold({ lines }: ForeignDocument): Told<number> | undefined {
  let told: Told<number> | undefined;
  for (const [at, text] of lines.entries()) {
    const match = RAM.exec(text);
    if (match === null) continue;
    const before = text.slice(Math.max(0, match.index - 40), match.index);
    if (NOT_THIS_MACHINE.test(before)) continue;
    told = { value: sizeBytes(`${match[1] ?? match[3]}G`) ?? 0, line: at + 1 };
  }
  return told;
}

/** The setting that holds for a result: of its column, else of none, and then it is the one before it in the text. */
export function settingFor({ settings }: ForeignDocument, facts: MeasuredFacts, name: string): Setting | undefined {
  const own = settings.filter((setting) => setting.name === name);
  const ofColumn = own.find(({ column }) => column !== undefined && column === facts.column);
  if (ofColumn !== undefined) return ofColumn;
  return own.findLast(({ column, line }) => column === undefined && line < facts.firstLine);
}

/** A number that the text gives to a name anywhere: `max_connections = 2000`, `max_connections to 2000`. */
export function limitTold({ lines }: ForeignDocument, name: string): Told<number | undefined> | undefined {
  const pattern = new RegExp(`${name.replaceAll('_', '[-_]')}(?:\\D{0,12}(\\d[\\d,]*))?`, 'i');
  for (const [at, text] of lines.entries()) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const written = match[1];
    return { value: written === undefined ? undefined : Number(written.replaceAll(',', '')), line: at + 1 };
  }
  return undefined;
}
