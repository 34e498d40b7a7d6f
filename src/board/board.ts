/**
 * A folder of runs as a static site, file by file: a record in, its pages out; then the lists of them all. What does
 * not keep the schema or contradicts itself is not shown, and is listed with the reason. Pure; the caller reads and
 * writes.
 */
import { auditText } from '../audit/audit.ts';
import type { AuditCheck } from '../model/audit.ts';
import type { RunRecord } from '../model/run.ts';
import { runSchema } from '../model/run-schema.ts';
import { type BoardRow, boardRow, type Refusal } from './board-row.ts';
import { contradictionsIn } from './checks.ts';
import { indexPages } from './index-page.ts';
import { runPage } from './run-page.ts';

export interface BoardFile {
  /** Within the site, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** A record as it was found; nothing is known of it yet. */
export interface Candidate {
  /** The file or directory, as readers of the site may know it. */
  readonly from: string;
  readonly record: unknown;
}

export const BOARD_FORMAT = 'sqldyno.board/1';
/** The name of a file that says what the folder is: it may be written over by another board, and by nothing else. */
export const BOARD_FILE = 'board.json';

/** An id becomes the name of a page, and a link to it. */
const PLAIN_ID = /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,99}$/;
/**
 * Rules that hold figures against each other. Others judge how they were come by, and leave the figures as they are.
 */
const ARITHMETIC: ReadonlySet<string> = new Set(['R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'R7', 'R8', 'R9', 'R10']);
/** More reasons say nothing more. */
const REASONS_SHOWN = 3;

export class Board {
  readonly #title: string;
  readonly #rows: BoardRow[] = [];
  readonly #refused: Refusal[] = [];
  /** Text of the record by its id in small letters: some file systems know no others. */
  readonly #known = new Map<string, string>();

  constructor({ title }: { readonly title: string }) {
    this.#title = title;
  }

  get shown(): number {
    return this.#rows.length;
  }

  get refused(): readonly Refusal[] {
    return this.#refused;
  }

  /** Its pages; none where it is refused, or was taken before. */
  async take({ from, record }: Candidate): Promise<readonly BoardFile[]> {
    const checked = await checkedRecord(record);
    if ('because' in checked) {
      this.refuse(from, checked.because);
      return [];
    }
    const { run } = checked;
    const text = JSON.stringify(run);
    const before = this.#known.get(run.id.toLowerCase());
    if (before !== undefined) {
      if (before !== text) this.refuse(from, `Another run with the id ${run.id} is there.`);
      return [];
    }
    this.#known.set(run.id.toLowerCase(), text);
    const row = boardRow(run);
    this.#rows.push(row);
    return [
      { path: row.page, text: runPage(run, this.#title) },
      { path: row.data, text: `${text}\n` },
    ];
  }

  /** Also what could not be read at all. */
  refuse(from: string, because: string): void {
    this.#refused.push({ from, because });
  }

  /** The lists, once all are taken. */
  finish(): readonly BoardFile[] {
    const rows = [...this.#rows].sort(newestFirst);
    const board = { format: BOARD_FORMAT, title: this.#title, runs: rows, refused: this.#refused };
    return [
      ...indexPages({ title: this.#title, rows, refused: this.#refused }),
      { path: BOARD_FILE, text: `${JSON.stringify(board, null, 1)}\n` },
    ];
  }
}

async function checkedRecord(value: unknown): Promise<{ run: RunRecord } | { because: string }> {
  const parsed = runSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue === undefined || issue.path.length === 0 ? 'It' : issue.path.join('.');
    return { because: `It does not keep the schema. ${where}: ${issue?.message ?? 'not what it should be'}` };
  }
  const run = value as RunRecord;
  if (!PLAIN_ID.test(run.id)) return { because: 'Its id is no plain name.' };
  const found = [...contradictionsIn(run), ...(await auditFailures(run))];
  return found.length === 0 ? { run } : { because: reasonsText(found) };
}

/** What another tool printed is audited as if it had been pasted. */
async function auditFailures({ imported, ownTerms = [] }: RunRecord): Promise<string[]> {
  if (imported === undefined) return [];
  const { checks } = await auditText(ownTerms.join('\n'), imported.source);
  const isOfAnother = ({ cells }: AuditCheck) =>
    imported.column !== undefined && cells.every(({ column }) => column !== undefined && column !== imported.column);
  return checks
    .filter((check) => check.outcome === 'fails' && ARITHMETIC.has(check.rule) && !isOfAnother(check))
    .map(({ rule, is }) => `Rule ${rule} of the audit: ${is}`);
}

function reasonsText(found: readonly string[]): string {
  const left = found.length - REASONS_SHOWN;
  return [...found.slice(0, REASONS_SHOWN), ...(left > 0 ? [`And ${left} more.`] : [])].join(' ');
}

function newestFirst(one: BoardRow, other: BoardRow): number {
  const [first, second] = [`${one.startedAt} ${one.id}`, `${other.startedAt} ${other.id}`];
  return first > second ? -1 : Number(first < second);
}
