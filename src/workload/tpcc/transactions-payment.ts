/** Payment: a customer pays at a warehouse, which is in 15 of 100 cases not the customer's own. */
import type { SqlParameter } from '../../wire/types.ts';
import { asText } from '../sql.ts';
import type { Switches } from './profiles.ts';
import {
  byName,
  countedFirst,
  lockOf,
  once,
  openStatements,
  type StatementForms,
  type Statements,
  WHERE_CUSTOMER,
  WHERE_DISTRICT,
  WHERE_NAME,
} from './statements.ts';
import { decimalOf, nameIndex, type Row, type Run, type TransactionParts } from './transactions-frame.ts';
import type { Inputs } from './transactions-inputs.ts';

const AMOUNT_CENTS_MIN = 100;
const AMOUNT_CENTS_MAX = 500_000;
/** Characters that c_data holds. */
const CREDIT_DATA_MAX = 500;
const BAD_CREDIT = 'BC';
/** Where c_credit is among the columns of `payment_customer`. */
const CREDIT_COLUMN = 9;
/** Where the name is among the columns of an address. */
const NAME_COLUMN = 5;

const ADDRESS = ['street_1', 'street_2', 'city', 'state', 'zip', 'name'];

const badCredit = (on: Switches): number => (on.has('load_bad_credit_half') ? 0.5 : 0.1);

function addressOf(prefix: string): string {
  return ADDRESS.map((part) => `${prefix}_${part}`).join(', ');
}

function balanceChange(on: Switches): string {
  const changes = [`c_balance = c_balance ${on.has('payment_added_to_balance') ? '+' : '-'} ? * 0.01`];
  if (!on.has('payment_sum_not_kept')) changes.push('c_ytd_payment = c_ytd_payment + ? * 0.01');
  if (!on.has('payment_count_not_kept')) changes.push('c_payment_cnt = c_payment_cnt + 1');
  return `SET ${changes.join(', ')}`;
}

export const PAYMENT = {
  payment_warehouse: {
    kind: 'write',
    times: once,
    sql: ({ warehouse }) => `UPDATE ${warehouse} SET w_ytd = w_ytd + ? * 0.01 WHERE w_id = ?`,
  },
  payment_warehouse_address: {
    kind: 'read',
    times: once,
    sql: ({ warehouse }) => `SELECT ${addressOf('w')} FROM ${warehouse} WHERE w_id = ?`,
  },
  payment_district: {
    kind: 'write',
    times: once,
    sql: ({ district }) => `UPDATE ${district} SET d_ytd = d_ytd + ? * 0.01 ${WHERE_DISTRICT}`,
  },
  payment_district_address: {
    kind: 'read',
    times: once,
    sql: ({ district }) => `SELECT ${addressOf('d')} FROM ${district} ${WHERE_DISTRICT}`,
  },
  payment_name_count: {
    kind: 'read',
    times: countedFirst,
    sql: ({ customer }) => `SELECT COUNT(c_id) FROM ${customer} ${WHERE_NAME}`,
  },
  payment_name: {
    kind: 'read',
    times: byName,
    sql: ({ customer }) => `SELECT c_id FROM ${customer} ${WHERE_NAME} ORDER BY c_first`,
  },
  payment_customer: {
    kind: 'read',
    times: once,
    sql: ({ customer }, on) =>
      'SELECT c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, c_phone, c_credit, ' +
      `c_credit_lim, c_discount, c_balance, c_since FROM ${customer} ${WHERE_CUSTOMER}${lockOf(on)}`,
  },
  payment_credit_data: {
    kind: 'read',
    times: badCredit,
    sql: ({ customer }, on) =>
      `SELECT c_data FROM ${customer} ${WHERE_CUSTOMER}${on.has('credit_data_from_snapshot') ? '' : ' FOR UPDATE'}`,
  },
  payment_balance: {
    kind: 'write',
    times: (on) => 1 - badCredit(on),
    sql: ({ customer }, on) => `UPDATE ${customer} ${balanceChange(on)} ${WHERE_CUSTOMER}`,
  },
  payment_balance_and_data: {
    kind: 'write',
    times: badCredit,
    sql: ({ customer }, on) => `UPDATE ${customer} ${balanceChange(on)}, c_data = ? ${WHERE_CUSTOMER}`,
  },
  payment_history: {
    kind: 'write',
    times: once,
    sql: ({ history }) =>
      `INSERT INTO ${history} (h_c_d_id, h_c_w_id, h_c_id, h_d_id, h_w_id, h_date, h_amount, h_data) ` +
      'VALUES (?, ?, ?, ?, ?, NOW(), ? * 0.01, ?)',
  },
} as const satisfies StatementForms;

type PaymentStatements = Statements<typeof PAYMENT>;

interface Payment {
  readonly warehouse: number;
  readonly district: number;
  readonly customerWarehouse: number;
  readonly customerDistrict: number;
  readonly customer: number;
  /** Asked for in place of the number. */
  readonly lastName: string | undefined;
  readonly cents: number;
}

export async function openPayment(parts: TransactionParts): Promise<Run> {
  const { on, inputs, frame } = parts;
  const bySet = await openStatements(PAYMENT, parts);
  const payments = parts.tally('payments');
  const remotePayments = parts.tally('remote_payments');
  const paymentsByName = parts.tally('payments_by_name');
  return async (event) => {
    inputs.goHome(event);
    const payment = drawPayment(inputs);
    const { warehouse, district, cents } = payment;
    const statements = bySet[inputs.set]!;
    payments.add();
    if (payment.customerWarehouse !== warehouse) remotePayments.add();
    if (payment.lastName !== undefined) paymentsByName.add();
    await frame.begin();
    await statements.payment_warehouse.run([cents, warehouse]);
    const [warehouseRow] = await statements.payment_warehouse_address.rows([warehouse]);
    if (warehouseRow === undefined) return frame.notFound(`warehouse ${warehouse}`);
    await statements.payment_district.run([cents, warehouse, district]);
    const [districtRow] = await statements.payment_district_address.rows([warehouse, district]);
    if (districtRow === undefined) return frame.notFound(`district ${district} of warehouse ${warehouse}`);
    const customer = await findCustomer(statements, payment, on);
    const key = [payment.customerWarehouse, payment.customerDistrict, customer];
    const [customerRow] = customer === 0 ? [] : await statements.payment_customer.rows(key);
    if (customerRow === undefined) return frame.notFound(describeCustomer(payment));
    await changeBalance(statements, payment, { customer, customerRow, on });
    const names = [warehouseRow, districtRow].map((row) => asText(row[NAME_COLUMN]));
    const customerKey = [payment.customerDistrict, payment.customerWarehouse, customer];
    await statements.payment_history.run([...customerKey, district, warehouse, cents, names.join('    ')]);
    return frame.commit();
  };
}

function drawPayment(inputs: Inputs): Payment {
  const { random, on, warehouse } = inputs;
  const district = inputs.district();
  const customerWarehouse = inputs.customerWarehouse();
  const isRemote = customerWarehouse !== warehouse;
  const cents = on.has('payment_whole_amounts')
    ? random.integer(AMOUNT_CENTS_MIN / 100, AMOUNT_CENTS_MAX / 100) * 100
    : random.integer(AMOUNT_CENTS_MIN, AMOUNT_CENTS_MAX);
  return {
    warehouse,
    district,
    customerWarehouse,
    customerDistrict: isRemote ? inputs.district() : district,
    lastName: inputs.isByName() ? inputs.lastName() : undefined,
    customer: inputs.customer(),
    cents,
  };
}

/** 0 where nobody has the name. */
async function findCustomer(statements: PaymentStatements, payment: Payment, on: Switches): Promise<number> {
  const { customerWarehouse, customerDistrict, lastName } = payment;
  if (lastName === undefined) return payment.customer;
  const key = [customerWarehouse, customerDistrict, lastName];
  if (on.has('names_counted_first')) await statements.payment_name_count.rows(key);
  const rows = await statements.payment_name.rows(key);
  return rows.length === 0 ? 0 : Number(rows[nameIndex(rows.length, on)]?.[0]);
}

function describeCustomer({ customerWarehouse, customerDistrict, lastName, customer }: Payment): string {
  const who = lastName === undefined ? `customer ${customer}` : `a customer named ${lastName}`;
  return `${who} in district ${customerDistrict}, warehouse ${customerWarehouse}`;
}

async function changeBalance(
  statements: PaymentStatements,
  payment: Payment,
  found: { readonly customer: number; readonly customerRow: Row; readonly on: Switches },
): Promise<void> {
  const { customer, customerRow, on } = found;
  const { cents, warehouse, district, customerWarehouse, customerDistrict } = payment;
  const key = [customerWarehouse, customerDistrict, customer];
  const values: SqlParameter[] = on.has('payment_sum_not_kept') ? [cents] : [cents, cents];
  if (asText(customerRow[CREDIT_COLUMN]) !== BAD_CREDIT) {
    await statements.payment_balance.run([...values, ...key]);
    return;
  }
  const [row] = await statements.payment_credit_data.rows(key);
  const entry = [customer, customerDistrict, customerWarehouse, district, warehouse, decimalOf(cents)].join(' ');
  const data = `${entry} | ${asText(row?.[0])}`.slice(0, CREDIT_DATA_MAX);
  await statements.payment_balance_and_data.run([...values, data, ...key]);
}
