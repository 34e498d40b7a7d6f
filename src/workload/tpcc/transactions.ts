/** The session of this workload: every transaction type with its statements, and what it needs of the server. */
import type { MixLine, Needs, Session, SessionContext, Transaction } from '../workload.ts';
import { deviationsOf } from './deviations.ts';
import { readConstants } from './journal.ts';
import type { TpccOptions, TpccSchema } from './options.ts';
import {
  PURGE_WEIGHT,
  type Switches,
  TRANSACTION_NAMES,
  type TransactionName,
  timesOf,
  weightsOf,
} from './profiles.ts';
import { mixOf, type StatementForms } from './statements.ts';
import { type TableSet, tableSets, tpccTables } from './tables.ts';
import { DELIVERY, openDelivery } from './transactions-delivery.ts';
import { FRAME_MIX, frameStatements, openFrame, type Run, type TransactionParts } from './transactions-frame.ts';
import { Inputs } from './transactions-inputs.ts';
import { openNewOrder } from './transactions-new-order.ts';
import { batchForms, NEW_ORDER } from './transactions-new-order-sql.ts';
import { LINES_MAX, LINES_MEAN, LINES_MIN } from './transactions-order.ts';
import { ORDER_STATUS, openOrderStatus } from './transactions-order-status.ts';
import { openPayment, PAYMENT } from './transactions-payment.ts';
import { openPurge, PURGE, PURGE_PARTS } from './transactions-purge.ts';
import { openStockLevel, STOCK_LEVEL } from './transactions-stock-level.ts';

type Name = TransactionName | 'purge';

const ISOLATION = {
  RR: 'REPEATABLE READ',
  RC: 'READ COMMITTED',
  SER: 'SERIALIZABLE',
} as const;

const OPEN: Readonly<Record<Name, (parts: TransactionParts) => Promise<Run>>> = {
  new_order: openNewOrder,
  payment: openPayment,
  order_status: openOrderStatus,
  delivery: openDelivery,
  stock_level: openStockLevel,
  purge: openPurge,
};

const FORMS: Readonly<Record<Name, StatementForms>> = {
  new_order: NEW_ORDER,
  payment: PAYMENT,
  order_status: ORDER_STATUS,
  delivery: DELIVERY,
  stock_level: STOCK_LEVEL,
  purge: PURGE,
};

function namesOf({ enable_purge }: TpccOptions): readonly Name[] {
  return enable_purge ? [...TRANSACTION_NAMES, 'purge'] : TRANSACTION_NAMES;
}

function weightOf(name: Name, on: Switches): number {
  return name === 'purge' ? PURGE_WEIGHT : weightsOf(on)[name];
}

export async function openTpccSession(context: SessionContext<TpccSchema>): Promise<Session> {
  const { connection, options, validate, random, threads, seed } = context;
  const on = deviationsOf(options);
  await setUp(context, on);
  const constants = await readConstants(connection, options, seed);
  const { tables, scale } = options;
  const parts: TransactionParts = {
    connection,
    on,
    sets: tableSets(options),
    inputs: new Inputs({ random, on, constants, tables, scale, threads, seed }),
    frame: await openFrame({
      connection,
      on,
      isSplittable: options.splittable,
      validate,
      rowsNotFound: context.tally('rows_not_found'),
    }),
    tally: (name) => context.tally(name),
  };
  const session: Record<string, Transaction> = {};
  for (const name of namesOf(options)) {
    const run = await OPEN[name](parts);
    session[name] = { weight: weightOf(name, on), transactional: true, run, ...pacingOf(name, on) };
  }
  return session;
}

async function setUp({ connection, options }: SessionContext<TpccSchema>, on: Switches): Promise<void> {
  const isolation = `SET SESSION TRANSACTION ISOLATION LEVEL ${ISOLATION[options.trx_level]}`;
  await (await connection.statement('set_isolation', 'other', isolation, { text: true })).run();
  if (!on.has('foreign_keys_unchecked')) return;
  const unchecked = 'SET SESSION foreign_key_checks = 0';
  await (await connection.statement('set_foreign_key_checks', 'other', unchecked, { text: true })).run();
}

/** Nobody sits at a terminal to purge. */
function pacingOf(name: Name, on: Switches): Pick<Transaction, 'keyingS' | 'thinkMeanS' | 'isDeferred'> {
  if (name === 'purge') return {};
  const isDeferred = name === 'delivery' && !on.has('delivery_not_deferred');
  return { ...timesOf(name, on), ...(isDeferred ? { isDeferred } : {}) };
}

export function tpccNeeds(options: TpccOptions): Needs {
  const on = deviationsOf(options);
  const sets = tableSets(options);
  const forms = formsOf(options, on);
  const perSet = on.has('statements_as_text') ? 0 : forms.reduce((sum, form) => sum + mixOf(form, on).length, 0);
  return {
    statementsPerSession: perSet * sets.length + frameStatements(on, options.splittable),
    writes: true,
    tables: tpccTables(options),
    probes: probesOf(forms, sets[0]!, on),
  };
}

/** Those with one statement for all lines of an order are there for each number of lines. */
function formsOf(options: TpccOptions, on: Switches): StatementForms[] {
  const batches = Array.from({ length: LINES_MAX - LINES_MIN + 1 }, (_, more) => batchForms(LINES_MIN + more));
  const forms: StatementForms[] = namesOf(options).map((name) => FORMS[name]);
  return on.has('new_order_in_batches') ? [...forms, ...batches] : forms;
}

function probesOf(forms: readonly StatementForms[], { tables }: TableSet, on: Switches): string[] {
  return forms.flatMap((form) =>
    Object.values(form)
      .filter(({ times }) => times(on) > 0)
      .map(({ sql }) => sql(tables, on)),
  );
}

/** What one transaction sends, on the average of all types. */
export function tpccMix(options: TpccOptions): MixLine[] {
  const on = deviationsOf(options);
  const names = namesOf(options);
  const all = names.reduce((sum, name) => sum + weightOf(name, on), 0);
  const share = (name: Name) => weightOf(name, on) / all;
  const frames = names.reduce((sum, name) => sum + share(name) * (name === 'purge' ? PURGE_PARTS : 1), 0);
  const lines = names.flatMap((name) =>
    linesOf(name, on).map((line) => ({ ...line, perTransaction: line.perTransaction * share(name) })),
  );
  return [...FRAME_MIX.map((line) => ({ ...line, perTransaction: frames })), ...lines];
}

function linesOf(name: Name, on: Switches): MixLine[] {
  const own = mixOf(FORMS[name], on);
  return name === 'new_order' ? [...own, ...mixOf(batchForms(LINES_MEAN), on)] : own;
}
