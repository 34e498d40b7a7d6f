/** What the server made of the settings that were asked for, and what has changed since it was asked before. */
import type { Entered, Settings } from '../../model/experiment.ts';
import type { Connection } from '../../wire/types.ts';
import { asText, readRows } from '../../workload/sql.ts';
import { plainName } from './option-file.ts';

export type Variables = ReadonlyMap<string, string>;

export interface Effective {
  readonly adjusted: Entered['adjusted'];
  readonly notes: readonly string[];
}

/** `log`: of the server's start, where it says what it thinks of an option. */
export function effectiveOf(asked: Settings, variables: Variables, log: string): Effective {
  const adjusted: { name: string; asked: string; effective: string }[] = [];
  const notes: string[] = [];
  for (const [written, value] of Object.entries(asked)) {
    const said = warningAbout(written, log);
    if (said !== undefined) notes.push(`The server says of ${written}: ${said}`);
    const found = lookUp(written, value, variables);
    if (found === undefined) {
      if (said === undefined && !ARE_NO_VARIABLES.test(plainName(written))) notes.push(cannotBeSeen(written));
    } else if (!isSameValue(found.asked, found.effective)) {
      adjusted.push({ name: written, asked: value, effective: found.effective });
    }
  }
  return { adjusted, notes };
}

/** They say what to load or how to start, and no variable of the server tells it. */
const ARE_NO_VARIABLES = /^(?:plugin_|maximum_|early_plugin|external_locking$|memlock$|console$)/;

function cannotBeSeen(name: string): string {
  return `${name} is no variable of this server, so what became of it cannot be read back.`;
}

interface Asked {
  readonly asked: string;
  readonly effective: string;
}

/** `skip_log_bin` sets log_bin; a name without a value turns something on. */
function lookUp(written: string, value: string, variables: Variables): Asked | undefined {
  const name = plainName(written);
  const own = variables.get(name);
  // Its value is the name of the files; the variable tells only that there are any.
  if (own !== undefined && name === 'log_bin' && booleanOf(value) === undefined) return { asked: 'ON', effective: own };
  if (own !== undefined) return { asked: value === '' ? 'ON' : value, effective: own };
  const [, prefix, rest = ''] = /^(skip|disable|enable)_(.+)$/.exec(name) ?? [];
  const effective = variables.get(rest);
  if (effective === undefined) return undefined;
  const isOn = prefix === 'enable';
  const isTurnedRound = value !== '' && booleanOf(value) === false;
  return { asked: isOn !== isTurnedRound ? 'ON' : 'OFF', effective };
}

function warningAbout(written: string, log: string): string | undefined {
  const name = plainName(written);
  const line = log
    .split('\n')
    .filter((candidate) => /\[Warning\]/i.test(candidate))
    .find((candidate) => new RegExp(`(?<![a-z0-9_])(?:loose_)?${name}(?![a-z0-9_])`).test(plainText(candidate)));
  return line?.replace(/^.*\[Warning\]\s*(?:\[[^\]]*\]\s*)*/i, '').trim();
}

/** Dashes within names only: those of `--name` are no part of it. */
function plainText(text: string): string {
  return text.toLowerCase().replace(/(?<=[a-z0-9])-(?=[a-z0-9])/g, '_');
}

/** `9G` is 9663676416, `ON` is 1, and lists may come in another order. */
export function isSameValue(asked: string, effective: string): boolean {
  const [a, b] = [asked.trim(), effective.trim()];
  if (a.toLowerCase() === b.toLowerCase()) return true;
  const [numberA, numberB] = [numberOf(a), numberOf(b)];
  if (numberA !== undefined && numberB !== undefined) return numberA === numberB;
  const [booleanA, booleanB] = [booleanOf(a), booleanOf(b)];
  if (booleanA !== undefined && booleanB !== undefined) return booleanA === booleanB;
  return partsOf(a) === partsOf(b);
}

const UNITS = 'KMGTPE';

/** Undefined where it is none. */
export function numberOf(text: string): number | undefined {
  const [, digits, unit = ''] = /^(-?\d+(?:\.\d+)?)([KMGTPE]?)$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return Number(digits) * (unit === '' ? 1 : 1024 ** (UNITS.indexOf(unit.toUpperCase()) + 1));
}

function booleanOf(text: string): boolean | undefined {
  if (/^(?:on|1|true|yes)$/i.test(text)) return true;
  return /^(?:off|0|false|no)$/i.test(text) ? false : undefined;
}

function partsOf(text: string): string {
  const parts = text.toLowerCase().replace(/\/$/, '').split(',');
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .sort()
    .join(',');
}

/** Where the server lies and which process it is: another one at each start. As patterns. */
const OF_EACH_START = [
  'pid_file|socket|tmpdir|(?:slave|replica)_load_tmpdir|datadir|log_error|init_file|port|report_port|hostname',
  'identity|timestamp|rand_seed\\d|insert_id|last_insert_id|pseudo_\\w+|error_count|warning_count|in_transaction',
  'gtid_\\w+|\\w*server_u?uid|\\w+_uuid',
];
const DIFFER_ANYWAY = new RegExp(`^(?:${OF_EACH_START.join('|')})$`);

/** Each a sentence. `before`: of the run before of the same variant; undefined: there was none. */
export function driftOf(before: Variables | undefined, now: Variables): string[] {
  if (before === undefined) return [];
  const names = [...new Set([...before.keys(), ...now.keys()])].sort();
  return names
    .filter((name) => !DIFFER_ANYWAY.test(name) && before.get(name) !== now.get(name))
    .map((name) => `${name} is ${shown(now.get(name))}, and was ${shown(before.get(name))} in the first run of it.`);
}

function shown(value: string | undefined): string {
  return value === undefined ? 'absent' : value === '' ? 'empty' : value;
}

/** Names of variables that somebody has set since the server was started; empty where it does not tell. */
export async function changedAtRunTime(connection: Connection): Promise<string[]> {
  const sql =
    connection.server.flavor === 'mariadb'
      ? "SELECT VARIABLE_NAME FROM information_schema.SYSTEM_VARIABLES WHERE GLOBAL_VALUE_ORIGIN = 'SQL'"
      : "SELECT VARIABLE_NAME FROM performance_schema.variables_info WHERE VARIABLE_SOURCE = 'DYNAMIC'";
  const rows = await readRows(connection, sql).catch(() => []);
  return rows
    .map(([name]) => asText(name).toLowerCase())
    .filter((name) => !DIFFER_ANYWAY.test(name))
    .sort();
}
