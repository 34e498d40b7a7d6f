/** Requirements held against runs, each by itself: no mean hides one that is out of bounds. */
import { unreachable } from '../../base/assert.ts';
import { nearest } from '../../base/did-you-mean.ts';
import { formatSignificant } from '../../base/units.ts';
import type { GateCheck, GateOperator, GateRun, Requirement } from '../../model/gate.ts';
import type { RunRecord } from '../../model/run.ts';
import { metricNamesOf, metricOf } from '../../stats/metrics.ts';
import { isWhole } from '../rounds.ts';

export function judgeRun(record: RunRecord): GateRun {
  const because = invalidBecause(record);
  return { run: record.id, isValid: because === undefined, ...(because === undefined ? {} : { because }) };
}

function invalidBecause(record: RunRecord): string | undefined {
  const { ending, findings, totals } = record;
  if (!isWhole(record)) return 'cause' in ending ? `It did not end as planned: ${ending.cause}` : 'It did not end.';
  const invalid = findings.filter(({ severity }) => severity === 'invalid').map(({ is }) => is);
  if (invalid.length > 0) return invalid.join(' ');
  const wrong = totals.errors.find(({ policy }) => policy === 'validation');
  return wrong === undefined ? undefined : `The server answered wrongly: ${wrong.example}`;
}

export function checkRun(record: RunRecord, requirement: Requirement): GateCheck {
  const { metric, operator, limit, unit } = requirement;
  const measured = metricOf(metric).of(record);
  const about = { requirement, run: record.id };
  if (measured === undefined) return { ...about, isMet: false, because: notTold(record, metric) };
  const because = `${figureText(measured)}${unitBehind(unit)} was measured.`;
  return { ...about, measured, isMet: holds(measured, operator, limit), because };
}

function holds(measured: number, operator: GateOperator, limit: number): boolean {
  switch (operator) {
    case '<':
      return measured < limit;
    case '<=':
      return measured <= limit;
    case '>':
      return measured > limit;
    case '>=':
      return measured >= limit;
    case '==':
      return measured === limit;
    case '!=':
      return measured !== limit;
    default:
      return unreachable(operator);
  }
}

/** What cannot be seen cannot be passed. */
function notTold(record: RunRecord, metric: string): string {
  const near = nearest(metric, metricNamesOf(record));
  const meant = near === undefined ? '' : ` Did you mean ${near}?`;
  const watched = record.observation === undefined ? ' Server and host were not watched.' : '';
  return `The run does not tell ${metric}, so it cannot be said whether this holds.${meant || watched}`;
}

function figureText(value: number): string {
  return Number.isInteger(value) ? String(value) : formatSignificant(value);
}

function unitBehind(unit: string): string {
  if (unit === '' || unit === 'count') return '';
  return unit === '1/s' ? '/s' : ` ${unit}`;
}
