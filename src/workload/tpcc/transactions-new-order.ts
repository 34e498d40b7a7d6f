/**
 * New order: some ten lines, each of which takes an item from the stock of a warehouse. One in a hundred is rolled back
 * once its work is done, because its last item does not exist.
 */
import { openStatements } from './statements.ts';
import type { Run, TransactionParts } from './transactions-frame.ts';
import { type NewOrderStatements, type OpenOrder, workOffLines } from './transactions-lines.ts';
import { openBatches } from './transactions-new-order-batches.ts';
import { NEW_ORDER } from './transactions-new-order-sql.ts';
import { drawOrder, type Order } from './transactions-order.ts';

export async function openNewOrder(parts: TransactionParts): Promise<Run> {
  const { on, inputs, frame } = parts;
  const bySet = await openStatements(NEW_ORDER, parts);
  const lineParts = { on, frame, brandLines: parts.tally('brand_order_lines') };
  const workOff = on.has('new_order_in_batches')
    ? await openBatches(parts, lineParts)
    : (open: OpenOrder) => workOffLines(open, lineParts);
  const lines = parts.tally('order_lines');
  const remoteLines = parts.tally('remote_order_lines');
  return async (event) => {
    inputs.goHome(event);
    const order = drawOrder(inputs);
    lines.add(order.lines.length);
    remoteLines.add(order.lines.filter(({ stockWarehouse }) => stockWarehouse !== order.warehouse).length);
    await frame.begin();
    const open = await writeHead(bySet[inputs.set]!, inputs.set, order);
    if ('missing' in open) return frame.notFound(open.missing);
    const end = await workOff(open);
    if (end === 'unused item') return frame.rollBack();
    if (end !== 'done') return frame.notFound(end.missing);
    return frame.commit();
  };
}

async function writeHead(
  statements: NewOrderStatements,
  set: number,
  order: Order,
): Promise<OpenOrder | { readonly missing: string }> {
  const { warehouse, district, customer, lines } = order;
  const [terms] = await statements.new_order_customer.rows([warehouse, district, customer]);
  if (terms === undefined) return { missing: `customer ${customer} of district ${district}, warehouse ${warehouse}` };
  const [heading] = await statements.new_order_district.rows([warehouse, district]);
  if (heading === undefined) return { missing: `district ${district} of warehouse ${warehouse}` };
  const number = Number(heading[0]);
  await statements.new_order_number.run([warehouse, district]);
  await statements.new_order_order.run([number, district, warehouse, customer, lines.length, order.isLocal ? 1 : 0]);
  await statements.new_order_undelivered.run([number, district, warehouse]);
  const rates = { discount: Number(terms[0]), taxes: Number(terms[3]) + Number(heading[1]) };
  return { statements, set, order, number, rates };
}
