/** Tables and lists of facts. On a narrow screen a row becomes a block, each cell with its heading before it. */
import { type Child, element } from './element.ts';

export interface HtmlColumn {
  readonly heading: string;
  /** word: short, and never broken. drawn: the cell is a picture. */
  readonly is?: 'text' | 'word' | 'number' | 'code' | 'drawn';
}

export interface HtmlRow {
  readonly cells: readonly Child[];
  readonly isStrong?: boolean;
}

export function htmlTable(columns: readonly HtmlColumn[], rows: readonly HtmlRow[]): Child {
  if (rows.length === 0) return null;
  const headings = columns.map(({ heading, is = 'text' }) =>
    element('th', { scope: 'col', class: is === 'number' || is === 'word' ? is : undefined }, heading),
  );
  return element(
    'table',
    { class: 'stacked' },
    element('thead', {}, element('tr', {}, ...headings)),
    element('tbody', {}, ...rows.map((row) => tableRow(columns, row))),
  );
}

function tableRow(columns: readonly HtmlColumn[], { cells, isStrong }: HtmlRow): Child {
  const all = columns.map(({ heading, is = 'text' }, at) => {
    const cell = cells[at];
    const classes = [is === 'text' ? '' : is, cell === '' ? 'empty' : ''].filter((name) => name !== '').join(' ');
    return element('td', { class: classes === '' ? undefined : classes, 'data-heading': heading }, cell);
  });
  return element('tr', { class: isStrong === true ? 'strong' : undefined }, ...all);
}

export type Fact = readonly [name: Child, value: Child];

export function factList(facts: readonly Fact[]): Child {
  if (facts.length === 0) return null;
  return element(
    'dl',
    { class: 'facts' },
    ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
  );
}

/** In two columns where there is room: many, and each of them short. */
export function factColumns(facts: readonly Fact[]): Child {
  return element(
    'dl',
    { class: 'many' },
    ...facts.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
  );
}

export function bullets(items: readonly Child[]): Child {
  if (items.length === 0) return null;
  return element('ul', { class: 'plain' }, ...items.map((item) => element('li', { dir: 'auto' }, item)));
}

export function folded(title: string, ...content: Child[]): Child {
  return element('details', {}, element('summary', {}, title), ...content);
}
