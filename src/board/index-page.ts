/** The lists of a board: all runs, and those of each machine, server and workload, for readers with scripts off. */
import { createHash } from 'node:crypto';
import { formatCount, formatSignificant } from '../base/units.ts';
import { htmlDocument } from '../report/html/document.ts';
import { type Child, element, given } from '../report/html/element.ts';
import { UNKNOWN } from '../report/told.ts';
import type { BoardFile } from './board.ts';
import type { BoardRow, Refusal } from './board-row.ts';
import { BOARD_SCRIPT, BOARD_STYLE } from './page-parts.ts';

export interface BoardIndex {
  readonly title: string;
  /** Newest first. */
  readonly rows: readonly BoardRow[];
  readonly refused: readonly Refusal[];
}

const BY = [
  { key: 'machine', label: 'Machine' },
  { key: 'server', label: 'Server' },
  { key: 'workload', label: 'Workload' },
] as const;
type By = (typeof BY)[number]['key'];

const HASH_LENGTH = 8;
const NAME_LENGTH_MAX = 40;

interface Group {
  readonly by: By;
  readonly value: string;
  readonly path: string;
  readonly rows: readonly BoardRow[];
}

export function indexPages(index: BoardIndex): BoardFile[] {
  const groups = BY.flatMap(({ key }) => groupsBy(key, index.rows));
  return [
    { path: 'index.html', text: mainPage(index, groups) },
    ...groups.map((group) => ({ path: group.path, text: groupPage(group, index.title) })),
  ];
}

function groupsBy(by: By, rows: readonly BoardRow[]): Group[] {
  const found = new Map<string, BoardRow[]>();
  for (const row of rows) {
    const others = found.get(row[by]);
    if (others === undefined) found.set(row[by], [row]);
    else others.push(row);
  }
  const inOrder = [...found].sort(([one], [other]) => (one < other ? -1 : 1));
  return inOrder.map(([value, of]) => ({ by, value, path: pathOf(by, value), rows: of }));
}

/** A name that anybody may have chosen, as a plain one; the end tells apart what looks alike. */
function pathOf(by: By, value: string): string {
  const plain = value
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, NAME_LENGTH_MAX);
  const hash = createHash('sha256').update(value).digest('hex').slice(0, HASH_LENGTH);
  return `by/${by}-${plain}-${hash}.html`;
}

function mainPage({ title, rows, refused }: BoardIndex, groups: readonly Group[]): string {
  return htmlDocument({
    title,
    style: BOARD_STYLE,
    script: BOARD_SCRIPT,
    body: [
      element(
        'header',
        {},
        element('p', { class: 'kicker' }, 'sqldyno board'),
        element('h1', {}, given(title)),
        element('p', { class: 'lead' }, summary(rows, refused)),
        rows.length === 0 ? null : filter(rows),
        ...BY.map(({ key, label }) =>
          linksTo(
            label,
            groups.filter(({ by }) => by === key),
          ),
        ),
      ),
      element('main', {}, runsTable(rows, ''), refusedSection(refused)),
      footer(),
    ],
  });
}

function groupPage({ by, value, rows }: Group, title: string): string {
  const label = BY.find(({ key }) => key === by)?.label ?? by;
  return htmlDocument({
    title: `${value} - ${title}`,
    style: BOARD_STYLE,
    body: [
      element(
        'header',
        {},
        element('p', { class: 'kicker' }, element('a', { href: '../index.html' }, given(title)), ` · ${label}`),
        element('h1', {}, given(value)),
        element('p', { class: 'lead' }, `${countText(rows.length)}.`),
      ),
      element('main', {}, runsTable(rows, '../')),
      footer(),
    ],
  });
}

function summary(rows: readonly BoardRow[], refused: readonly Refusal[]): string {
  const machines = new Set(rows.map(({ machine }) => machine).filter((name) => name !== UNKNOWN)).size;
  const on = machines === 0 ? '' : ` on ${machines === 1 ? '1 machine' : `${formatCount(machines)} machines`}`;
  const left = refused.length === 0 ? '' : ` ${formatCount(refused.length)} could not be shown: see the end.`;
  return `${countText(rows.length)}${on}; each keeps the schema, and its figures agree with each other.${left}`;
}

function countText(count: number): string {
  return count === 1 ? '1 run' : `${formatCount(count)} runs`;
}

/** Shown by the script, which does what it says. */
function filter(rows: readonly BoardRow[]): Child {
  const selects = BY.map(({ key, label }) => {
    const values = [...new Set(rows.map((row) => row[key]))].sort();
    return element(
      'label',
      {},
      label,
      element(
        'select',
        { name: key },
        element('option', { value: '' }, 'all'),
        ...values.map((value) => element('option', { value }, value)),
      ),
    );
  });
  return element(
    'div',
    { class: 'filter', role: 'search', 'aria-label': 'Choose runs', 'data-filter': '', hidden: true },
    element('label', {}, 'Words', element('input', { type: 'search', name: 'words', autocomplete: 'off' })),
    ...selects,
    element('p', { class: 'quiet', role: 'status' }, ''),
  );
}

/** For readers with scripts off; the script hides it, since it has the same in a smaller place. */
function linksTo(label: string, groups: readonly Group[]): Child {
  if (groups.length === 0) return null;
  const links = groups.map(({ value, path, rows }) =>
    element('li', {}, element('a', { href: path }, given(value)), ` (${formatCount(rows.length)})`),
  );
  return element(
    'nav',
    { class: 'by', 'aria-label': `By ${label.toLowerCase()}` },
    element('span', { class: 'label' }, label),
    element('ul', {}, ...links),
  );
}

/** word: never broken. */
const HEADINGS: readonly { readonly heading: string; readonly is?: 'number' | 'word' }[] = [
  { heading: 'run' },
  { heading: 'machine' },
  { heading: 'server' },
  { heading: 'threads', is: 'number' },
  { heading: 'transactions/s', is: 'number' },
  { heading: 'p95 ms', is: 'number' },
  { heading: 'errors', is: 'number' },
  { heading: 'durability', is: 'word' },
  { heading: 'grade', is: 'word' },
  { heading: 'day', is: 'word' },
];

/** `root`: from the page to the site's own folder. */
function runsTable(rows: readonly BoardRow[], root: string): Child {
  if (rows.length === 0) return element('p', {}, 'There is no run yet.');
  const headings = HEADINGS.map(({ heading, is }) => element('th', { scope: 'col', class: is }, heading));
  return element(
    'table',
    { class: 'stacked runs' },
    element('thead', {}, element('tr', {}, ...headings)),
    element('tbody', {}, ...rows.map((row) => tableRow(row, root))),
  );
}

function tableRow(row: BoardRow, root: string): Child {
  const { machine, server, workload } = row;
  const cells = cellsOf(row, root).map(({ content, sort }, at) => {
    const { heading = '', is } = HEADINGS[at] ?? {};
    const attributes = { class: is, 'data-heading': heading };
    return element('td', { ...attributes, 'data-sort': sort }, content);
  });
  return element('tr', { 'data-machine': machine, 'data-server': server, 'data-workload': workload }, ...cells);
}

interface Cell {
  readonly content: Child;
  /** What it is sorted by; absent: as it stands. */
  readonly sort?: number;
}

function cellsOf(row: BoardRow, root: string): Cell[] {
  const { workload, page, machine, version, durability, grade, startedAt, isStartKnown, importedFrom } = row;
  const none = importedFrom === undefined ? '-' : UNKNOWN;
  const number = (value: number | undefined, format: (value: number) => string): Cell =>
    value === undefined ? { content: none } : { content: format(value), sort: value };
  const text = (value: string | undefined): Cell => ({ content: value === undefined ? none : given(value) });
  const name = [element('a', { href: root + page }, given(workload))];
  const from = importedFrom === undefined ? [] : [' ', element('small', {}, 'by ', given(importedFrom))];
  return [
    { content: [...name, ...from] },
    text(machine),
    text(version),
    number(row.threads, formatCount),
    number(row.transactionsPerS, formatSignificant),
    number(row.p95Ms, formatSignificant),
    number(row.errors, formatCount),
    text(durability),
    text(grade),
    isStartKnown
      ? { content: startedAt.slice(0, 10), sort: Date.parse(startedAt) }
      : { content: UNKNOWN, sort: Date.parse(startedAt) },
  ];
}

function refusedSection(refused: readonly Refusal[]): Child {
  if (refused.length === 0) return null;
  const items = refused.map(({ from, because }) =>
    element('li', { dir: 'auto' }, element('code', {}, from), ': ', given(because)),
  );
  return element(
    'section',
    {},
    element('h2', {}, 'Not shown'),
    element('p', {}, 'What was sent and does not hold together, or cannot be read:'),
    element('ul', { class: 'plain' }, ...items),
  );
}

function footer(): Child {
  return element(
    'footer',
    {},
    element(
      'p',
      {},
      'Made by sqldyno board. Each run has its record beside it: sqldyno runs import takes it up, and sqldyno compare holds it against your own.',
    ),
  );
}
