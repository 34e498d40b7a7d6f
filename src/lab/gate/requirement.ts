/** `p99(transaction) < 20ms`: reads what is required of a run. */
import { UserError } from '../../base/errors.ts';
import { GATE_OPERATORS, type GateOperator, type Requirement } from '../../model/gate.ts';
import { metricOf } from '../../stats/metrics.ts';

const FORM = /^(?<metric>[^<>=!]+?)\s*(?<operator>[<>=!]+)\s*(?<value>-?(?:\d+(?:\.\d+)?|\.\d+))\s*(?<unit>\S*)$/;
const HINT = "Write it like 'p99(transaction) < 20ms', 'errors == 0' or 'transactions/s >= 1.5k'.";

/** How much of the metric's unit one of the written unit is. */
const TIMES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  us: { us: 1, ms: 1_000, s: 1_000_000 },
  ms: { us: 0.001, ms: 1, s: 1_000 },
  s: { us: 0.000_001, ms: 0.001, s: 1 },
};
const SHARES = { '': 1, '%': 0.01 };
const NUMBERS = { '': 1, k: 1_000, M: 1_000_000 };
/** `cpuUsPerStatement`, `disk.data_disk.read_await_ms`: a limit without unit is in this one. */
const UNIT_IN_NAME = /Us(?=[A-Z/]|$)|_(?:us|ms|s)(?=_|$)/;

/** Throws a `UserError` where it is none, or where its metric or unit is none. */
export function parseRequirement(written: string): Requirement {
  const {
    metric: name = '',
    operator = '',
    value = '',
    unit: writtenUnit = '',
  } = FORM.exec(written.trim())?.groups ?? {};
  if (name === '') throw new UserError(`'${written}' is no requirement.`, { hint: HINT });
  const { name: metric, unit } = metricOf(name);
  const factor = factorOf(unit, writtenUnit, metric);
  if (factor === undefined) throw wrongUnit({ written, metric, unit, writtenUnit });
  const isOperator = operatorOf(operator, written);
  const is = `${metric} ${isOperator} ${value} ${writtenUnit}`.trimEnd();
  return { is, metric, operator: isOperator, limit: scaled(Number(value), factor), unit };
}

function operatorOf(written: string, whole: string): GateOperator {
  const found = GATE_OPERATORS.find((operator) => operator === written);
  if (found !== undefined) return found;
  const meant = written === '=' ? " Did you mean '=='?" : '';
  throw new UserError(`'${whole}': '${written}' is no comparison.`, {
    hint: `There are: ${GATE_OPERATORS.join(' ')}.${meant}`,
  });
}

function factorOf(unit: string, written: string, metric: string): number | undefined {
  const times = TIMES[unit];
  if (times !== undefined) return written === '' && UNIT_IN_NAME.test(metric) ? 1 : times[written];
  const others: Readonly<Record<string, number>> = unit === 'ratio' ? SHARES : NUMBERS;
  return Object.hasOwn(others, written) ? others[written] : undefined;
}

/** Without the dust of binary fractions: 0.7 % is 0.007. */
function scaled(value: number, factor: number): number {
  return Number((value * factor).toPrecision(12));
}

interface Written {
  readonly written: string;
  readonly metric: string;
  readonly unit: string;
  readonly writtenUnit: string;
}

function wrongUnit({ written, metric, unit, writtenUnit }: Written): UserError {
  const is = writtenUnit === '' ? 'the number has no unit' : `'${writtenUnit}' is no unit of ${metric}`;
  const isTime = TIMES[unit] !== undefined;
  const units = isTime ? 'us, ms and s' : unit === 'ratio' ? '%, or a share of 1' : 'k and M, or none';
  return new UserError(`'${written}': ${is}.`, { hint: `Units of ${metric} are ${units}.` });
}

/** One a line; an empty line, and what follows `#`, says nothing. */
export function parseThresholds(text: string, path: string): Requirement[] {
  return text.split(/\r?\n/).flatMap((line, at) => {
    const written = line.replace(/(?:^|\s)#.*$/, '').trim();
    if (written === '') return [];
    try {
      return [parseRequirement(written)];
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const { message, hint } = error;
      throw new UserError(`${path}, line ${at + 1}: ${message}`, hint === undefined ? {} : { hint });
    }
  });
}
