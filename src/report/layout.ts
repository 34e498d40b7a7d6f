/** Text in columns: tables, labelled values and wrapped sentences that fit a terminal. */

/** What every terminal has. */
export const LINE_LENGTH = 80;
const INDENT = '  ';
const LABEL_LENGTH = 24;
const GAP = '  ';

export interface Column {
  readonly heading: string;
  /** `point`: right, with the decimal points below each other. */
  readonly align: 'left' | 'right' | 'point';
}

/** Lines of a table, indented, headings first. Every row has a cell for every column; an empty one is ''. */
export function tableLines(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const aligned = columns.map((column, at) =>
    alignColumn(
      column,
      rows.map((row) => row[at] ?? ''),
    ),
  );
  const headingAndRows = Array.from({ length: rows.length + 1 }, (_, line) => aligned.map((cells) => cells[line]));
  return headingAndRows.map((cells) => (INDENT + cells.join(GAP)).trimEnd());
}

/** Heading and cells, all of one length. */
function alignColumn({ heading, align }: Column, cells: readonly string[]): string[] {
  const padded = align === 'point' ? pointAligned(cells) : cells;
  const length = Math.max(heading.length, ...padded.map((cell) => cell.length));
  return [heading, ...padded].map((cell) => (align === 'left' ? cell.padEnd(length) : cell.padStart(length)));
}

function pointAligned(cells: readonly string[]): string[] {
  const fractionOf = (cell: string): number => (cell.includes('.') ? cell.length - cell.indexOf('.') : 0);
  const longest = Math.max(0, ...cells.map(fractionOf));
  return cells.map((cell) => cell + ' '.repeat(longest - fractionOf(cell)));
}

/** `    label                   value`; a long value goes on below itself. */
export function valueLines(label: string, value: string): string[] {
  // A label that leaves no gap has a line of its own.
  if (label.length >= LABEL_LENGTH) return [INDENT + label, ...valueLines('', value)];
  const start = INDENT + label.padEnd(LABEL_LENGTH);
  return hangingLines(start, value);
}

/** `start` and then the text; lines after the first begin below the text's beginning. */
export function hangingLines(start: string, text: string): string[] {
  const wrapped = wrap(text, LINE_LENGTH - start.length);
  return wrapped.map((line, at) => ((at === 0 ? start : ' '.repeat(start.length)) + line).trimEnd());
}

/** A paragraph below a heading. */
export function noteLines(text: string): string[] {
  return hangingLines(INDENT, text);
}

/** Breaks at spaces; a word longer than a line is left whole. Line breaks of the text are kept. */
function wrap(text: string, length: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (longer.length > length && line !== '') {
        lines.push(line);
        line = word;
      } else {
        line = longer;
      }
    }
    return [...lines, line];
  });
}
