/** Logs of iostat and vmstat: the columns are named by the log itself, so that every version can be read. */
import type { HostLog, HostLogRow } from './facts.ts';

const NUMBERS = /^-?\d+(?:\.\d+)?$/;

export function readHostLogs(lines: readonly string[]): HostLog[] {
  return [readIostat(lines), readVmstat(lines)].filter((log) => log !== undefined);
}

function readIostat(lines: readonly string[]): HostLog | undefined {
  const rows: HostLogRow[] = [];
  let columns: readonly string[] = [];
  for (const [at, text] of lines.entries()) {
    const words = text.trim().split(/\s+/);
    if (/^Device:?$/.test(words[0] ?? '') && words.length > 3) {
      columns = words.slice(1);
    } else if (/^avg-cpu:$/.test(words[0] ?? '')) {
      const row = rowOf(words.slice(1), { of: 'cpu', words: (lines[at + 1] ?? '').trim().split(/\s+/), line: at + 2 });
      if (row !== undefined) rows.push(row);
      columns = [];
    } else if (columns.length > 0) {
      const row = rowOf(columns, { of: words[0] ?? '', words: words.slice(1), line: at + 1 });
      if (row === undefined) columns = [];
      else rows.push(row);
    }
  }
  return logOf('iostat', rows);
}

function readVmstat(lines: readonly string[]): HostLog | undefined {
  const rows: HostLogRow[] = [];
  let columns: readonly string[] = [];
  for (const [at, text] of lines.entries()) {
    const words = text.trim().split(/\s+/);
    if (words[0] === 'r' && words[1] === 'b' && words.includes('swpd')) {
      // With -t the time follows, under the name of its zone.
      columns = words.filter((word) => /^[a-z]+$/.test(word));
    } else if (columns.length > 0 && !/^\s*procs\b/.test(text)) {
      const row = rowOf(columns, { of: 'system', words: words.slice(0, columns.length), line: at + 1 });
      if (row === undefined) columns = [];
      else rows.push(row);
    }
  }
  return logOf('vmstat', rows);
}

interface Words {
  readonly of: string;
  readonly words: readonly string[];
  readonly line: number;
}

function rowOf(columns: readonly string[], { of, words, line }: Words): HostLogRow | undefined {
  if (words.length !== columns.length || !words.every((word) => NUMBERS.test(word))) return undefined;
  return { line, of, values: Object.fromEntries(columns.map((column, at) => [column, Number(words[at])])) };
}

function logOf(tool: HostLog['tool'], rows: readonly HostLogRow[]): HostLog | undefined {
  const [first] = rows;
  return first === undefined ? undefined : { tool, firstLine: first.line, rows };
}
