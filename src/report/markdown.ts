/** Markdown as GitHub, GitLab and others read it. What comes from people and servers stays text in it. */
import type { Table } from './experiment-tables.ts';

/** Without the columns in which nobody has anything; nothing where there is no row. */
export function markdownTable({ columns, rows }: Table): string[] {
  const kept = columns.map((_, at) => at).filter((at) => at === 0 || rows.some((row) => (row[at] ?? '') !== ''));
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    [
      line(kept.map((at) => markdownText(columns[at]!.heading))),
      line(kept.map((at) => (columns[at]!.align === 'left' ? '---' : '---:'))),
      ...rows.map((row) => line(kept.map((at) => markdownText(row[at] ?? '')))),
    ].join('\n'),
  ];
}

export function markdownList(items: readonly string[]): string[] {
  return items.length === 0 ? [] : [items.map((item) => `- ${markdownText(item)}`).join('\n')];
}

/** Long, and seldom wanted. Its title is HTML, in which Markdown's own signs mean nothing. */
export function folded(title: string, blocks: readonly string[]): string[] {
  const shown = title.replaceAll(/[&<]/g, (character) => ENTITIES[character] ?? '').replaceAll(/\s+/g, ' ');
  return blocks.length === 0 ? [] : [`<details><summary>${shown}</summary>`, ...blocks, '</details>'];
}

/** A fence longer than any within. */
export function codeBlock(code: string): string {
  const fence = '`'.repeat(Math.max(3, longestTicks(code) + 1));
  return `${fence}\n${code}\n${fence}`;
}

function longestTicks(code: string): number {
  return Math.max(0, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length));
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;' };

/** No markup, no cell of its own, one line. Within a word `_` is a letter. */
export function markdownText(value: string): string {
  return value
    .replaceAll(/(?<!\w)_|_(?!\w)|[\\`*{}[\]<>|#~&]/g, (character) => ENTITIES[character] ?? `\\${character}`)
    .replaceAll(/\s*[\r\n]+\s*/g, ' ');
}

/** A box that stands out on GitHub, and a quotation elsewhere. */
export function alert(kind: 'CAUTION' | 'WARNING' | 'NOTE' | 'TIP', lines: readonly string[]): string {
  return [`> [!${kind}]`, ...lines.map((line) => `> ${markdownText(line)}`)].join('\n');
}
