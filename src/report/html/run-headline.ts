/** The beginning of a run's report: what came out, in a sentence, and whether it counts. */
import { formatCount, formatDuration, formatLatency, formatPercent, formatSignificant } from '../../base/units.ts';
import type { RunRecord } from '../../model/run.ts';
import { recordPercentilesUs } from '../../stats/latency-percentiles.ts';
import { latencyOfAll } from '../percentiles.ts';
import { endingText } from '../sections/run.ts';
import { toolName } from '../told.ts';
import { type Child, element, given } from './element.ts';

export function runTitle({ workload, target, load, imported }: RunRecord): string {
  if (imported !== undefined) return `${workload.name}, measured by ${toolName(imported)}`;
  const threads = `${formatCount(load.threads)} ${load.threads === 1 ? 'thread' : 'threads'}`;
  return `${workload.name} on ${target.flavor} ${target.version}, ${threads}`;
}

/** The answer, as somebody would tell it. */
export function headline(run: RunRecord): string {
  const { rates, totals, load } = run;
  const latency = latencyOfAll(run);
  if (totals.transactions.committed === 0) return 'No transaction was committed.';
  const each = formatSignificant(rates.transactionsPerS);
  const rate = `${each} transactions a second over ${formatDuration(totals.elapsedS)}`;
  if (latency.count === 0) return `${rate}.`;
  const [p50 = 0, p99 = 0] = recordPercentilesUs(latency, [50, 99]);
  const from = load.mode === 'closed' ? '' : ', counted from when they were due';
  return `${rate}: half of them took at most ${formatLatency(p50)}, 99 of 100 at most ${formatLatency(p99)}${from}.`;
}

export function runHeadline(run: RunRecord): Child[] {
  const { diagnosis, findings } = run;
  const isWhole = run.ending.kind === 'time' || run.ending.kind === 'events';
  const invalid = findings.filter(({ severity }) => severity === 'invalid');
  return [
    isWhole ? null : notice('bad', endingText(run.ending)),
    ...invalid.map(({ is, because }) => notice('bad', `Not valid: ${is} ${because}`)),
    element('p', { class: 'lead' }, headline(run)),
    diagnosis === undefined ? null : element('p', { class: 'lead' }, diagnosis.is),
    keyFigures(run),
    placeLine(run),
  ];
}

export function notice(kind: 'bad' | 'warn', text: Child): Child {
  return element('div', { class: `notice ${kind}`, role: 'note' }, text);
}

function keyFigures(run: RunRecord): Child {
  const { rates, totals, grade, durability } = run;
  const latency = latencyOfAll(run);
  const [p50 = 0, p99 = 0] = recordPercentilesUs(latency, [50, 99]);
  const errors = totals.errors.reduce((sum, { count }) => sum + count, 0);
  const share = totals.transactions.committed > 0 ? errors / totals.transactions.committed : 0;
  const time = (us: number): [string, string] => {
    const [value = '', unit = ''] = formatLatency(us).split(' ');
    return latency.count === 0 ? ['-', ''] : [value, unit];
  };
  return figureList([
    { name: 'transactions/s', value: formatSignificant(rates.transactionsPerS) },
    { name: 'statements/s', value: formatSignificant(rates.statementsPerS) },
    { name: 'median latency', value: time(p50)[0], unit: time(p50)[1] },
    { name: '99th percentile', value: time(p99)[0], unit: time(p99)[1] },
    { name: 'errors', value: formatCount(errors), unit: errors === 0 ? '' : formatPercent(share) },
    ...(grade === undefined ? [] : [{ name: 'grade', value: grade.is }]),
    ...(durability === undefined ? [] : [{ name: 'durability', value: durability.is }]),
  ]);
}

export interface KeyFigure {
  readonly name: string;
  readonly value: string;
  readonly unit?: string;
}

export function figureList(figures: readonly KeyFigure[]): Child {
  return element(
    'dl',
    { class: 'figures' },
    ...figures.map(({ name, value, unit = '' }) =>
      element(
        'div',
        {},
        element('dt', {}, name),
        element('dd', {}, given(value), unit === '' ? null : element('small', {}, ` ${unit}`)),
      ),
    ),
  );
}

function placeLine({ id, startedAt, tags, environment, host, experiment }: RunRecord): Child {
  const name = environment?.host['hostname'] ?? environment?.client['hostname'] ?? host['hostname'];
  const parts: Child[] = [
    ['Run ', given(id)],
    `begun ${startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}`,
    ...(name === undefined ? [] : [['on ', given(String(name))]]),
    ...(tags.length === 0 ? [] : [['tagged ', ...tags.map((tag, at) => [at > 0 ? ', ' : '', given(tag)])]]),
    ...(experiment === undefined
      ? []
      : [['variant ', given(experiment.variant), ` of ${experiment.name}, block ${experiment.block}`]]),
  ];
  return element('p', { class: 'quiet' }, ...parts.map((part, at) => [at > 0 ? ' · ' : '', part]));
}
