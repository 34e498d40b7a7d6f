/** Tables in a text: cells between tabs, bars or runs of spaces. What the cells mean is for others to say. */

export interface TableRow {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface TextTable {
  /** 'Table 6', where a line above says so; else what its first cell says, or where it stands. */
  readonly name: string;
  readonly firstLine: number;
  readonly lastLine: number;
  /** Rows of one cell are headings between the others. */
  readonly rows: readonly TableRow[];
}

/** How far above a table its title may stand. */
const TITLE_LINES_MAX = 3;
const ROWS_MIN = 3;
/** One gap may be a slip of the space bar, or two columns of prose. */
const GAPS_MIN = 2;

type Split = (line: string) => readonly string[];

const byTabs: Split = (line) => line.split('\t').map((cell) => cell.trim());
const byBars: Split = (line) =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
const byGaps: Split = (line) => line.trim().split(/ {2,}/);

export function readTables(lines: readonly string[]): TextTable[] {
  const tables: TextTable[] = [];
  for (let at = 0; at < lines.length; ) {
    const table = tableAt(lines, at);
    if (table === undefined) {
      at++;
    } else {
      tables.push(table);
      at = table.lastLine;
    }
  }
  return tables;
}

function splitOf(line: string): Split | undefined {
  if (line.includes('\t')) return byTabs;
  if (/^\s*\|.*\|/.test(line)) return byBars;
  return line.trim().split(/ {2,}/, GAPS_MIN + 1).length > GAPS_MIN ? byGaps : undefined;
}

function tableAt(lines: readonly string[], at: number): TextTable | undefined {
  const split = splitOf(lines[at] ?? '');
  if (split === undefined) return undefined;
  const rows: TableRow[] = [];
  let end = at;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? '';
    const isRow = splitOf(line) === split;
    // A heading in the table has one cell; it is followed by more rows, else it is the text after the table.
    const isHeading = !isRow && line.trim() !== '' && line.length < 60 && splitOf(lines[end + 1] ?? '') === split;
    if (!isRow && !isHeading) break;
    const cells = isRow ? split(line) : [line.trim()];
    if (!isRuler(cells)) rows.push({ line: end + 1, cells });
  }
  if (rows.length < ROWS_MIN) return undefined;
  return { name: nameOf(lines, at, rows), firstLine: at + 1, lastLine: end, rows };
}

/** `|---|---:|` of Markdown. */
function isRuler(cells: readonly string[]): boolean {
  return cells.every((cell) => /^[-:=+ ]*$/.test(cell));
}

function nameOf(lines: readonly string[], at: number, rows: readonly TableRow[]): string {
  for (let above = at - 1, seen = 0; above >= 0 && seen < TITLE_LINES_MAX; above--) {
    const line = (lines[above] ?? '').trim();
    if (line === '') continue;
    seen++;
    const title = /^[*#\s]*(Table \w{1,6})\b/i.exec(line)?.[1];
    if (title !== undefined) return title;
  }
  const first = rows[0]?.cells[0] ?? '';
  return first === '' || first.length > 40 ? `the table at line ${at + 1}` : `the table '${first}' at line ${at + 1}`;
}
