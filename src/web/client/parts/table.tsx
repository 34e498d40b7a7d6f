/** A table as the reports have it: figures below each other by their decimal points. */
import type { ComponentChildren, JSX } from 'preact';
import type { TableData } from '../../api.ts';

interface DataTableProps {
  readonly table: TableData;
  readonly caption?: string;
  /** In place of a cell's text. */
  readonly cell?: (text: string, column: number, row: number) => ComponentChildren;
}

export function DataTable({ table: { columns, rows }, caption, cell }: DataTableProps): JSX.Element {
  const aligned = columns.map(({ align }, at) =>
    align === 'point' ? byPoint(rows.map((row) => row[at] ?? '')) : undefined,
  );
  return (
    // Focusable, so that a keyboard can move it sideways on a narrow screen.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable.
    <section class="scroll" aria-label={caption} tabIndex={0}>
      <table>
        {caption !== undefined && <caption class="unseen">{caption}</caption>}
        <thead>
          <tr>
            {columns.map(({ heading, align }, at) => (
              <th key={`${at}-${heading}`} scope="col" class={align === 'left' ? '' : 'figure'}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, rowAt) => (
            <tr key={`${rowAt}-${row[0]}`}>
              {columns.map(({ heading, align }, at) => {
                const text = aligned[at]?.[rowAt] ?? row[at] ?? '';
                const shown = cell?.(text, at, rowAt) ?? text;
                const key = `${at}-${heading}`;
                if (at === 0)
                  return (
                    <th key={key} scope="row" class={align === 'left' ? '' : 'figure'}>
                      {shown}
                    </th>
                  );
                return (
                  <td key={key} class={align === 'left' ? '' : 'figure'}>
                    {shown}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** U+2007 is as wide as a digit, and a figure's point as wide as the space for punctuation, U+2008. */
export function byPoint(texts: readonly string[]): string[] {
  const behind = texts.map((text) => /\.(\d+)/.exec(text)?.[1]?.length ?? 0);
  const most = Math.max(0, ...behind);
  return texts.map((text, at) => {
    const missing = most - (behind[at] ?? 0);
    if (missing === 0 || !/\d/.test(text)) return text;
    return text + (behind[at] === 0 ? '\u2008' : '') + '\u2007'.repeat(missing);
  });
}
