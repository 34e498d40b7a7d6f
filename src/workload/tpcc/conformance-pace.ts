/** New orders per minute, and how far the users of the terminals would have let them go. */
import { formatCount, formatFixed } from '../../base/units.ts';
import type { ConformanceLine, RunRecord } from '../../model/run.ts';
import type { TpccOptions } from './options.ts';
import {
  capPerTerminal,
  type Switches,
  TERMINALS_PER_WAREHOUSE,
  TRANSACTION_NAMES,
  type TransactionName,
} from './profiles.ts';

const MINUTE_S = 60;
/** By the rules a result lies between 9 and 12.86 new orders per minute and warehouse, the latter being the cap. */
const CAP_SHARE_MIN = 9 / 12.86;
/** So many standard deviations above the cap are called chance. */
const CHANCE = 2.58;

/** Committed, or rolled back on purpose: both take the users' time. */
export function doneByName({ totals: { transactions } }: RunRecord): Readonly<Record<TransactionName, number>> {
  const { byName, rolledBack = {} } = transactions;
  const entries = TRANSACTION_NAMES.map((name) => [name, (byName[name] ?? 0) + (rolledBack[name] ?? 0)]);
  return Object.fromEntries(entries) as Record<TransactionName, number>;
}

export function newOrdersPerMinute({ totals }: RunRecord): number {
  const { elapsedS, transactions } = totals;
  return elapsedS > 0 ? ((transactions.byName['new_order'] ?? 0) / elapsedS) * MINUTE_S : 0;
}

/** For the mix as it was measured; those rolled back are in the mix and are no new order. */
export function capOf(run: RunRecord, terminals: number, on: Switches): number {
  const done = doneByName(run);
  if (done.new_order === 0) return 0;
  const committed = (run.totals.transactions.byName['new_order'] ?? 0) / done.new_order;
  const timeFactor = run.load.terminalTimeFactor ?? 1;
  return timeFactor === 0 ? 0 : (capPerTerminal(done, on) * committed * terminals) / timeFactor;
}

export function paceLines(run: RunRecord, options: TpccOptions, on: Switches): ConformanceLine[] {
  const warehouses = options.scale * options.tables;
  const { terminals = 0, terminalTimeFactor = 1 } = run.load;
  if (terminals === 0) return flatOutLines(run, { warehouses, on });
  const perWarehouse = terminals / warehouses;
  const lines: ConformanceLine[] = [
    {
      is: 'Terminals per warehouse',
      measured: formatFixed(perWarehouse, Number.isInteger(perWarehouse) ? 0 : 2),
      wanted: String(TERMINALS_PER_WAREHOUSE),
      conforms: perWarehouse === TERMINALS_PER_WAREHOUSE ? 'yes' : 'deviates',
    },
    {
      is: 'Keying and thinking times',
      measured: `times ${terminalTimeFactor}`,
      wanted: 'times 1',
      conforms: terminalTimeFactor === 1 ? 'yes' : 'deviates',
    },
  ];
  const cap = capOf(run, terminals, on);
  return cap === 0 ? lines : [...lines, capLine(run, cap)];
}

function capLine(run: RunRecord, cap: number): ConformanceLine {
  const measured = newOrdersPerMinute(run);
  const minutes = run.totals.elapsedS / MINUTE_S;
  const highest = cap + CHANCE * Math.sqrt(cap / minutes);
  const isWithin = measured >= cap * CAP_SHARE_MIN && measured <= highest;
  return {
    is: 'New orders per minute',
    measured: shareOfCap(measured, cap),
    wanted: `${formatFixed(cap * CAP_SHARE_MIN, 1)} to ${formatFixed(cap, 1)}, the cap for this mix and these terminals`,
    conforms: isWithin ? 'yes' : 'no',
    ...(measured < cap * CAP_SHARE_MIN
      ? { note: 'Too many terminals for this server, or a run of a few minutes.' }
      : {}),
  };
}

function flatOutLines(
  run: RunRecord,
  { warehouses, on }: { readonly warehouses: number; readonly on: Switches },
): ConformanceLine[] {
  const { ratePerS = 0 } = run.load;
  const cap = capOf({ ...run, load: { ...run.load, terminalTimeFactor: 1 } }, warehouses * TERMINALS_PER_WAREHOUSE, on);
  const lines: ConformanceLine[] = [
    {
      is: 'Keying and thinking times',
      measured: ratePerS === 0 ? 'no terminals: flat out' : `no terminals: ${formatCount(ratePerS)} a second by --rate`,
      wanted: `${TERMINALS_PER_WAREHOUSE} terminals per warehouse, whose users key in and think`,
      conforms: 'deviates',
      note: `--terminals=${warehouses * TERMINALS_PER_WAREHOUSE} for these warehouses.`,
    },
    {
      is: 'New orders per minute',
      measured: shareOfCap(newOrdersPerMinute(run), cap),
      wanted: `${formatFixed(cap, 1)} at most, the cap for this mix and ${formatCount(warehouses)} ${warehouses === 1 ? 'warehouse' : 'warehouses'}`,
      conforms: 'deviates',
      note: 'Nobody thinks, so there is no cap; compare such figures only with others of their kind.',
    },
  ];
  if (on.has('home_warehouse_drawn') || on.has('home_warehouse_collides')) return lines;
  const home: ConformanceLine = {
    is: 'Home warehouse',
    measured: 'drawn for every transaction, as without terminals nobody has one',
    wanted: 'one for each terminal',
    conforms: 'deviates',
  };
  return [...lines, home];
}

function shareOfCap(measured: number, cap: number): string {
  const share = cap === 0 ? '' : `, ${formatFixed((measured / cap) * 100, 1)} % of the cap`;
  return `${formatFixed(measured, 1)}${share}`;
}
