/**
 * Which deviations are on: a profile is a list of them, `--deviations` changes single ones, and the sheet after a run
 * names those that are.
 */
import { UserError } from '../../base/errors.ts';
import { DEVIATIONS, type Deviation } from './deviations-table.ts';

export type DeviationName = keyof typeof DEVIATIONS;

export const DEVIATION_NAMES = Object.keys(DEVIATIONS) as readonly DeviationName[];

export const PROFILE_NAMES = ['spec', 'sysbench-tpcc', 'hammerdb', 'go-tpc'] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

export interface Profile {
  /** The tool, as it names itself, with what is meant of it. */
  readonly standsFor: string;
  readonly deviations: readonly DeviationName[];
  /** What the tool does and this profile does not: told by the sheet. */
  readonly notReproduced: readonly string[];
}

export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  spec: {
    standsFor: 'the rules themselves',
    deviations: [],
    notReproduced: [],
  },
  'sysbench-tpcc': {
    standsFor: 'sysbench-tpcc, the Lua scripts for sysbench',
    deviations: [
      'home_warehouse_drawn',
      'mix_by_deck_shares',
      'nurand_c_redrawn',
      'lines_as_drawn',
      'remote_lines_never',
      'remote_payments_never',
      'rollback_item_before_last',
      'rollback_counted_as_done',
      'stock_reads_one_text',
      'stock_counters_not_kept',
      'stock_refilled_without_margin',
      'amount_with_taxes',
      'amount_truncated',
      'payment_whole_amounts',
      'payment_count_not_kept',
      'credit_data_from_snapshot',
      'names_counted_first',
      'name_after_middle',
      'order_status_of_district_number',
      'order_status_reads_all_orders',
      'delivery_not_deferred',
      'delivery_reads_snapshot',
      'statements_as_text',
      'foreign_keys_unchecked',
      'load_repeated_letters',
      'load_without_original',
      'load_one_permutation',
    ],
    notReproduced: [
      'It counts a new order that is rolled back on purpose as an ignored error as well: here it is no error.',
      'It ends the run where a last name matches nobody or a delivery does not find its order: here neither does.',
    ],
  },
  hammerdb: {
    standsFor: 'HammerDB for MySQL and MariaDB, with its SQL sent by the client',
    deviations: [
      'home_warehouse_collides',
      'mix_by_deck_shares',
      'think_times_swapped',
      'customer_uniform',
      'item_uniform',
      'lines_as_drawn',
      'last_name_c_same',
      'rollback_one_in_99',
      'stock_counters_not_kept',
      'stock_refilled_without_margin',
      'amount_with_taxes',
      'payment_whole_amounts',
      'payment_added_to_balance',
      'payment_sum_not_kept',
      'payment_count_not_kept',
      'credit_data_from_snapshot',
      'names_counted_first',
      'name_after_middle',
      'delivery_not_deferred',
      'delivery_without_order',
      'delivery_total_whole',
      'delivery_count_not_kept',
      'reads_without_locks',
      'foreign_keys_left_out',
      'load_bad_credit_half',
    ],
    notReproduced: ['It calls stored procedures unless told otherwise: here the client sends the statements.'],
  },
  'go-tpc': {
    standsFor: 'go-tpc tpcc',
    deviations: [
      'home_warehouse_drawn',
      'mix_without_margin',
      'items_distinct',
      'lines_as_drawn',
      'nurand_ranges_mixed_up',
      'last_name_c_unrelated',
      'remote_lines_on_paper',
      'rollback_counted_as_done',
      'new_order_in_batches',
      'amount_with_taxes',
      'credit_data_from_snapshot',
      'delivery_not_deferred',
      'delivery_in_batches',
      'foreign_keys_left_out',
    ],
    notReproduced: [],
  },
};

/** 'sysbench-tpcc, hammerdb'. */
export function profilesWith(name: DeviationName): string {
  return PROFILE_NAMES.filter((profile) => PROFILES[profile].deviations.includes(name)).join(', ');
}

/** What of the options decides which switches are on. */
export interface DeviationOptions {
  readonly profile: ProfileName;
  /** Names of switches to turn on, and with a minus in front, off. */
  readonly deviations: readonly string[];
}

/** The switches that are on, in the order of the table: the profile's, changed by `--deviations`. */
export function deviationsOf(options: DeviationOptions): ReadonlySet<DeviationName> {
  const on = new Set<DeviationName>(PROFILES[options.profile].deviations);
  for (const written of options.deviations) {
    const { name, isOn } = readSwitch(written);
    if (!isDeviation(name)) throw new UserError(unknownDeviation(written));
    if (isOn) on.add(name);
    else on.delete(name);
  }
  return new Set(DEVIATION_NAMES.filter((name) => on.has(name)));
}

/** Each a sentence with a remedy. */
export function problemsOfDeviations(written: readonly string[]): string[] {
  return written.filter((word) => !isDeviation(readSwitch(word).name)).map(unknownDeviation);
}

/** Conditions that no longer hold once orders and history were purged. */
export const PURGE_BREAKS = [8, 9, 10, 12] as const;

/** Consistency conditions, by number, that a run with these switches breaks, and the switches that do. */
export function conditionsBrokenBy(on: ReadonlySet<DeviationName>): ReadonlyMap<number, readonly DeviationName[]> {
  const broken = new Map<number, DeviationName[]>();
  for (const name of on) {
    const { breaks = [] }: Deviation = DEVIATIONS[name];
    for (const condition of breaks) broken.set(condition, [...(broken.get(condition) ?? []), name]);
  }
  return broken;
}

function readSwitch(written: string): { readonly name: string; readonly isOn: boolean } {
  const isOn = !written.startsWith('-');
  return { name: (isOn ? written : written.slice(1)).replaceAll('-', '_').toLowerCase(), isOn };
}

function isDeviation(name: string): name is DeviationName {
  return Object.hasOwn(DEVIATIONS, name);
}

function unknownDeviation(written: string): string {
  return `'${written}' is no deviation: sqldyno tpcc help lists them all.`;
}
