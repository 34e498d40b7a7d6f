/** Options of the load as an experiment file has them: `10s`, `2min`, `1_000`; checked by what the engine declares. */
import type { OptionsSchema } from '../../../base/options.ts';
import { type Problem, parseOptions } from '../../../base/options-parse.ts';
import { LOAD_OPTIONS } from '../../../load/options.ts';
import type { OptionValues } from '../../../model/experiment.ts';

/** Those that count seconds, and may have another unit here. */
const IN_SECONDS: readonly string[] = [
  'time',
  'warmup_time',
  'report_interval',
  'thread_init_timeout',
  'reconnect_deadline',
];
const UNITS_REMEDY = 'Seconds, or with a unit: 500ms, 10s, 2min, 1h.';
const UNIT_S: Readonly<Record<string, number>> = { ms: 0.001, s: 1, min: 60, h: 3_600 };

export interface ReadLoad {
  readonly values: OptionValues;
  readonly problems: readonly { readonly option: string; readonly problem: Problem }[];
}

export function readLoad(written: Readonly<Record<string, string>>): ReadLoad {
  const values: Record<string, string | number | boolean> = {};
  const problems: { option: string; problem: Problem }[] = [];
  for (const [name, text] of Object.entries(written)) {
    const value = IN_SECONDS.includes(name) ? inSeconds(text) : withoutGrouping(text);
    const shown = `--${name.replaceAll('_', '-')}`;
    const parsed = parseOptions([{ name, written: shown, value }], LOAD_OPTIONS as OptionsSchema);
    const units = IN_SECONDS.includes(name) ? { remedy: UNITS_REMEDY } : {};
    problems.push(...parsed.problems.map((problem) => ({ option: name, problem: { ...ofLoad(problem), ...units } })));
    const read = (parsed.values as Record<string, unknown>)[name];
    if (parsed.problems.length === 0) values[name] = Array.isArray(read) ? read.join(',') : (read as string | number);
  }
  return { values, problems };
}

/** Options of a workload: known by it alone, so numbers that read back alike are numbers, and the rest stays text. */
export function readOptions(written: Readonly<Record<string, string>>): OptionValues {
  return Object.fromEntries(Object.entries(written).map(([name, text]) => [name, readOption(text)]));
}

function readOption(text: string): string | number | boolean {
  // YAML writes a flag as true or false; on and off are left to the workload, for which they may be names.
  if (text === 'true' || text === 'false') return text === 'true';
  const plain = withoutGrouping(text);
  return /\d/.test(plain) && String(Number(plain)) === plain ? Number(plain) : text;
}

function inSeconds(text: string): string {
  const match = /^(\d+(?:\.\d+)?) ?(ms|s|min|h)$/.exec(text);
  const unitS = UNIT_S[match?.[2] ?? ''];
  return unitS === undefined ? withoutGrouping(text) : String(Number((Number(match?.[1]) * unitS).toFixed(6)));
}

/** `1_000_000`, as YAML once had it. */
function withoutGrouping(text: string): string {
  return /^\d{1,3}(?:_\d{3})+$/.test(text) ? text.replaceAll('_', '') : text;
}

function ofLoad({ is, remedy }: Problem): Problem {
  const unknown = /^Unknown option --(.*)\.$/.exec(is);
  if (unknown === null) return remedy === undefined ? { is } : { is, remedy };
  return {
    is: `'${unknown[1]?.replaceAll('-', '_')}' is no option of the load.`,
    remedy: remedy ?? 'Options of the workload belong under workload; those of the load: sqldyno WORKLOAD help',
  };
}
