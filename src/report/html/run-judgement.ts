/** What set the pace, where the time went, what to doubt, and how far the run can be relied on. */
import { formatCount, formatPercent, formatRate } from '../../base/units.ts';
import type { Verdict } from '../../model/judgement.ts';
import type { CrossCheck, Finding, RunRecord, Severity } from '../../model/run.ts';
import { ROLE_WORDS, SHARE_MIN, shareText } from '../sections/diagnosis.ts';
import { LINES_MAX, percent } from './chart.ts';
import { type Child, element } from './element.ts';
import { type Fact, factList, folded, htmlTable } from './table.ts';

/** Where nothing is known, no section. */
export function diagnosisContent(run: RunRecord): Child[] {
  const { diagnosis, rates } = run;
  if (diagnosis === undefined) return [element('p', {}, 'No diagnosis was made.')];
  const { ceilings, verdicts } = diagnosis;
  const rows = ceilings.map(({ of, perS, how }) => ({ cells: [of, formatRate(perS), how] }));
  return [
    element('p', { class: 'lead' }, diagnosis.is),
    ...budget(run),
    verdicts.length === 0 ? null : element('ul', { class: 'cards' }, ...verdicts.map(verdictCard)),
    ...(rows.length === 0
      ? []
      : [
          element('h3', {}, 'What each resource would allow'),
          htmlTable(
            [{ heading: 'resource' }, { heading: 'transactions', is: 'number' }, { heading: 'reckoned from' }],
            [...rows, { cells: ['measured', formatRate(rates.transactionsPerS), ''], isStrong: true }],
          ),
        ]),
  ];
}

const BAR_PX = 34;
const SWATCH_PX = 11;

/** Of all sessions' time: one bar, and the same in a table. */
function budget({ diagnosis, load }: RunRecord): Child[] {
  const shares = Object.entries(diagnosis?.budget?.shares ?? {})
    .filter(([, share]) => Math.abs(share) >= SHARE_MIN)
    .sort(([, one], [, other]) => other - one);
  if (shares.length === 0) return [];
  const colours = new Map(shares.filter(([name]) => name !== 'rest').map(([name], at) => [name, at]));
  const fillOf = (name: string) => {
    const at = colours.get(name);
    return at === undefined || at >= LINES_MAX ? 'fill-rest' : `fill-${at + 1}`;
  };
  let from = 0;
  const parts = shares
    .filter(([, share]) => share > 0)
    .map(([name, share]) => {
      const part = element(
        'rect',
        { class: `share ${fillOf(name)}`, x: percent(from), width: percent(share), y: 0, height: BAR_PX },
        element('title', {}, `${shareText(name)} ${formatPercent(share)}`),
      );
      from += share;
      return part;
    });
  const label = `Where the time of ${formatCount(load.threads)} sessions went: ${shares
    .map(([name, share]) => `${shareText(name)} ${formatPercent(share)}`)
    .join(', ')}`;
  const rows = shares.map(([name, share]) => ({
    cells: [[swatch(fillOf(name)), ' ', shareText(name)], formatPercent(share)],
  }));
  return [
    element('h3', {}, "Where the sessions' time went, of all sessions"),
    element(
      'svg',
      { width: '100%', height: BAR_PX, role: 'img', 'aria-label': label, class: 'budget' },
      element('rect', { class: 'fill-rest', width: '100%', height: BAR_PX }),
      ...parts,
    ),
    element(
      'div',
      { class: 'budget-shares' },
      htmlTable([{ heading: 'spent' }, { heading: 'share', is: 'number' }], rows),
    ),
  ];
}

function swatch(fill: string): Child {
  return element(
    'svg',
    { class: 'swatch', width: SWATCH_PX, height: SWATCH_PX, 'aria-hidden': 'true' },
    element('rect', { class: fill, width: SWATCH_PX, height: SWATCH_PX }),
  );
}

const ROLE_CLASSES: Readonly<Record<Verdict['role'], string>> = { bottleneck: 'info', contributes: '', alarm: 'bad' };

function verdictCard({ id, role, is, evidence, confirmBy, advice }: Verdict): Child {
  return element(
    'li',
    { class: ROLE_CLASSES[role] },
    element('span', { class: 'label' }, ROLE_WORDS[role]),
    element('strong', {}, is),
    ' ',
    element('span', { class: 'quiet' }, id),
    evidence.length === 0 ? null : element('p', {}, 'Because: ', sentence(evidence.join('; '))),
    confirmBy === '' ? null : element('p', {}, 'To confirm: ', confirmBy),
    advice === '' ? null : element('p', {}, 'Advice: ', advice),
  );
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const SEVERITIES: readonly { readonly is: Severity; readonly class: string }[] = [
  { is: 'invalid', class: 'bad' },
  { is: 'warning', class: 'warn' },
  { is: 'info', class: 'info' },
];

export function findingCards({ findings }: RunRecord): Child {
  if (findings.length === 0) return element('p', {}, 'Nothing was found that would put the figures in doubt.');
  const cards = SEVERITIES.flatMap(({ is, class: name }) =>
    findings.filter(({ severity }) => severity === is).map((finding) => findingCard(finding, name)),
  );
  return element('ul', { class: 'cards' }, ...cards);
}

function findingCard({ id, severity, is, because, remedy }: Finding, name: string): Child {
  return element(
    'li',
    { class: name },
    element('span', { class: 'label' }, severity),
    element('strong', {}, is),
    ' ',
    element('span', { class: 'quiet' }, id),
    element('p', {}, 'Because: ', because),
    element('p', {}, 'Remedy: ', remedy),
  );
}

export function trustContent({ grade, durability, steadiness, crossCheck }: RunRecord): Child[] {
  const facts: Fact[] = [
    ...(grade === undefined
      ? []
      : [['grade', [grade.is, grade.because.length === 0 ? '' : `: ${grade.because.join(' ')}`].join('')] as const]),
    ...(durability === undefined ? [] : [['durability', `${durability.is}: ${durability.because}`] as const]),
    ...(steadiness === undefined ? [] : [['steadiness', steadinessText(steadiness)] as const]),
    ['cross-check', crossCheckText(crossCheck)],
  ];
  return [factList(facts), crossCheckTable(crossCheck)];
}

function steadinessText({ is, signs }: NonNullable<RunRecord['steadiness']>): string {
  const word = is === 'too-short' ? 'too short to tell' : is;
  return signs.length === 0 ? word : `${word} (${signs.join(', ')})`;
}

function crossCheckText(check: CrossCheck): string {
  if (check.is === 'impossible') return `not possible: ${check.because}`;
  const { ok, rows, note } = check;
  const alike = rows.filter(({ client, server }) => client === server).length;
  const text = `${ok ? 'ok' : 'FAILED'}, ${alike} of ${rows.length} of the server's counters agree exactly`;
  return note === undefined ? text : `${text}. ${note}`;
}

function crossCheckTable(check: CrossCheck): Child {
  if (check.is === 'impossible' || check.rows.length === 0) return null;
  const rows = check.rows.map(({ counter, during, client, server }) => ({
    cells: [
      during === undefined ? counter : `${counter}, ${during}`,
      formatCount(client),
      formatCount(server),
      server === client ? '0' : `${server > client ? '+' : ''}${formatCount(server - client)}`,
    ],
  }));
  const columns = [
    { heading: "server's counter" },
    { heading: 'client', is: 'number' },
    { heading: 'server', is: 'number' },
    { heading: 'server - client', is: 'number' },
  ] as const;
  return folded('Each counter', htmlTable(columns, rows));
}
