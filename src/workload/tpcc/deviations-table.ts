/**
 * Where the common drivers of this workload part from its rules: one table, each deviation a switch that can be turned
 * on by itself.
 */

export interface Deviation {
  /** What is done while the switch is on: ends the sentence "With this deviation, …". */
  readonly is: string;
  /** What the rules ask for. */
  readonly rule: string;
  /** What it makes of the data and the figures. */
  readonly consequence: string;
  /** load: shapes what prepare writes. run: shapes what a run sends. both: needed at either time. */
  readonly at: 'load' | 'run' | 'both';
  /** Consistency conditions, by number, that cannot hold once a run has gone over the data. */
  readonly breaks?: readonly number[];
}

export const DEVIATIONS = {
  home_warehouse_drawn: {
    is: 'the home warehouse, and the table set, is drawn anew for every transaction.',
    rule: 'Every terminal has one home warehouse, ten terminals each.',
    consequence:
      'Data of a terminal does not stay in the cache of one place, and partitioning by warehouse gains nothing.',
    at: 'run',
  },
  home_warehouse_collides: {
    is: 'every terminal draws its home warehouse once, whatever the others have drawn.',
    rule: 'Every terminal has one home warehouse, ten terminals each.',
    consequence: 'Some warehouses have many terminals and wait for their row locks; some have none.',
    at: 'run',
  },
  mix_without_margin: {
    is: 'transactions are drawn by the minimum shares themselves, 45/43/4/4/4.',
    rule: 'The measured share of each of the four smaller types is at least its minimum.',
    consequence: 'About every second run falls short of one minimum or another.',
    at: 'run',
  },
  mix_by_deck_shares: {
    is: 'transactions are drawn by 10/10/1/1/1 of 23.',
    rule: 'Either weights near 45/43/4/4/4 or a deck of 23 cards dealt to its end; both meet the minimums.',
    consequence: 'Permitted, but new orders are 43.5 % of all in place of 45 %, and the cap is lower.',
    at: 'run',
  },
  think_times_swapped: {
    is: 'users think 10 s after a delivery and 5 s after an order status.',
    rule: 'Means of 5 s after a delivery and 10 s after an order status.',
    consequence: 'None for the cap, since both types have the same share.',
    at: 'run',
  },
  customer_uniform: {
    is: 'customer numbers are uniform, 1 to 3,000.',
    rule: 'NURand(1023, 1, 3000), so that some customers are wanted more often.',
    consequence: 'Fewer collisions on customer rows.',
    at: 'run',
  },
  item_uniform: {
    is: 'item numbers are uniform, 1 to 100,000.',
    rule: 'NURand(8191, 1, 100000), so that some items are wanted more often.',
    consequence: 'Fewer collisions on stock rows, and a larger working set.',
    at: 'run',
  },
  items_distinct: {
    is: 'no item comes twice in one order.',
    rule: 'Items of the lines are drawn independently.',
    consequence: 'Hardly any: two lines of one order rarely have the same item.',
    at: 'run',
  },
  lines_as_drawn: {
    is: 'the lines of an order are worked off in the order in which they were drawn.',
    rule: 'Any order: here by the key of the stock row, the line to be rolled back last; line numbers stay as drawn.',
    consequence: 'Two orders may lock the same stock rows in opposite order: deadlocks.',
    at: 'run',
  },
  nurand_c_redrawn: {
    is: 'the constant C of NURand is drawn again for every number.',
    rule: 'C is drawn once for each field and is the same for all terminals of a run, and kept with the data.',
    consequence: 'The favoured rows differ at every call, which evens the skew out.',
    at: 'both',
  },
  nurand_ranges_mixed_up: {
    is: 'items are drawn with A = 8,189 and the C of the customers, customers with the C of the items.',
    rule: 'A = 8,191 for items, and a C of its own range for each field.',
    consequence: 'The skew is nearly the same, on other rows.',
    at: 'run',
  },
  last_name_c_same: {
    is: 'last names have the same C, 123, when loading and when running.',
    rule: 'The two differ by 65 to 119, but not by 96 or 112.',
    consequence: 'The names asked for most are those that most customers have: more rows by name than meant.',
    at: 'both',
  },
  last_name_c_unrelated: {
    is: 'the C of last names in a run is drawn without regard to that of the data.',
    rule: 'The two differ by 65 to 119, but not by 96 or 112.',
    consequence: 'How many customers a name finds differs by chance from data set to data set.',
    at: 'both',
  },
  remote_lines_never: {
    is: 'order lines never come from another warehouse.',
    rule: '1 % of the lines are supplied by another warehouse.',
    consequence:
      'No new order writes in two warehouses: a distributed or partitioned database looks better than it is.',
    at: 'run',
  },
  remote_lines_on_paper: {
    is: 'lines of another warehouse name it, while the stock of the home warehouse is changed.',
    rule: 'The stock of the supplying warehouse is read and changed.',
    consequence: 'No new order writes in two warehouses, though the sheet of another tool would show 1 % remote lines.',
    at: 'run',
  },
  remote_payments_never: {
    is: 'every customer pays at the own warehouse.',
    rule: '15 % of the payments are of a customer of another warehouse.',
    consequence: 'No payment writes in two warehouses.',
    at: 'run',
  },
  rollback_item_before_last: {
    is: 'the unused item of an order that is to be rolled back stands on the last line but one.',
    rule: 'It is the last line, so that all the work is done before the rollback.',
    consequence: 'One line less of work is undone.',
    at: 'run',
  },
  rollback_one_in_99: {
    is: 'one new order in 99 is rolled back.',
    rule: '1 %, one in 100.',
    consequence: 'Too small to see: 1.01 %.',
    at: 'run',
  },
  rollback_counted_as_done: {
    is: 'new orders that were rolled back on purpose count as done in the figure "as the tool counts".',
    rule: 'Here only what was committed is a new order per minute.',
    consequence: 'About 1 % more new orders in that figure; the record keeps both counts apart.',
    at: 'run',
  },
  new_order_in_batches: {
    is: 'one statement reads the items of an order, one locks its stock, and one inserts its lines.',
    rule: 'Permitted: how many statements an order takes is not laid down.',
    consequence:
      'Fewer, longer statements; and an order that is rolled back has not touched stock, since its items are read first.',
    at: 'run',
  },
  stock_reads_one_text: {
    is: 'of the ten district texts of a stock row only the one wanted is read.',
    rule: 'Permitted.',
    consequence: 'Some 220 bytes less in each answer.',
    at: 'run',
  },
  stock_counters_not_kept: {
    is: 's_ytd, s_order_cnt and s_remote_cnt are not updated.',
    rule: 'All three are kept with every line.',
    consequence: 'Shorter updates of stock; the counters are worthless.',
    at: 'run',
  },
  stock_refilled_without_margin: {
    is: 'stock is refilled by 91 where the quantity does not exceed what was ordered.',
    rule: 'It is refilled where less than 10 would be left.',
    consequence: 'Quantities go down to 1, and stock level finds more items that are low.',
    at: 'run',
  },
  amount_with_taxes: {
    is: 'the amount of a line includes taxes and discount.',
    rule: 'The amount is quantity times price; taxes and discount belong to the total of the order.',
    consequence: 'Balances of customers differ from those of a right implementation by as much.',
    at: 'run',
  },
  amount_truncated: {
    is: 'the amount of a line is cut to whole units of money.',
    rule: 'Amounts are exact to the hundredth.',
    consequence: 'Up to 0.99 is lost on every line.',
    at: 'run',
  },
  payment_whole_amounts: {
    is: 'payments are whole units of money.',
    rule: '1.00 to 5,000.00 to the hundredth.',
    consequence: 'None for the load.',
    at: 'run',
  },
  payment_added_to_balance: {
    is: 'a payment is added to the balance of the customer.',
    rule: 'It is taken off.',
    consequence: 'Balances are wrong.',
    at: 'run',
    breaks: [10, 12],
  },
  payment_sum_not_kept: {
    is: 'a payment does not change c_ytd_payment.',
    rule: 'It is added to c_ytd_payment.',
    consequence: 'What the customer has paid is not known.',
    at: 'run',
    breaks: [12],
  },
  payment_count_not_kept: {
    is: 'a payment does not change c_payment_cnt.',
    rule: 'It adds 1 to c_payment_cnt.',
    consequence: 'The counter is worthless.',
    at: 'run',
  },
  credit_data_from_snapshot: {
    is: 'the credit data of a customer are read without a lock, after the row was locked.',
    rule: 'What is read in order to be written is read as it is now.',
    consequence: 'Under repeatable read the entry of the payment before may be lost from c_data.',
    at: 'run',
  },
  names_counted_first: {
    is: 'the customers of one last name are counted before they are read.',
    rule: 'Permitted: the rows themselves tell how many there are.',
    consequence: 'One more statement in six transactions of ten.',
    at: 'run',
  },
  name_after_middle: {
    is: 'of the customers of one last name, the one after the middle is taken.',
    rule: 'Row n/2 rounded up, ordered by first name.',
    consequence: 'None for the load.',
    at: 'run',
  },
  order_status_of_district_number: {
    is: 'order status reads the lines of the order whose number is that of the district.',
    rule: 'It reads the lines of the newest order of the customer.',
    consequence: 'Always orders 1 to 10, which are always in the cache.',
    at: 'run',
  },
  order_status_reads_all_orders: {
    is: 'all orders of the customer are read to find the newest.',
    rule: 'The newest is read.',
    consequence: 'Answers grow with the run.',
    at: 'run',
  },
  delivery_not_deferred: {
    is: 'a terminal waits for its delivery.',
    rule: 'A delivery is queued and the terminal goes on at once.',
    consequence: 'The cap falls with the response time of deliveries, and the limit of 80 s does not apply.',
    at: 'run',
  },
  delivery_without_order: {
    is: 'the order to deliver is the first that the server finds.',
    rule: 'The oldest, with ORDER BY.',
    consequence: 'The same row on InnoDB, where the primary key gives the order; a matter of luck elsewhere.',
    at: 'run',
  },
  delivery_in_batches: {
    is: 'one statement changes the orders of all ten districts.',
    rule: 'Permitted: how many statements a delivery takes is not laid down.',
    consequence: 'Fewer, longer statements: per-statement figures of deliveries cannot be compared.',
    at: 'run',
  },
  delivery_total_whole: {
    is: 'the total of a delivered order is rounded to whole units of money before it is added to the balance.',
    rule: 'Amounts are exact to the hundredth.',
    consequence: 'Balances are wrong by up to 0.50 an order.',
    at: 'run',
    breaks: [10, 12],
  },
  delivery_count_not_kept: {
    is: 'a delivery does not change c_delivery_cnt.',
    rule: 'It adds 1 to c_delivery_cnt.',
    consequence: 'The counter is worthless.',
    at: 'run',
  },
  delivery_reads_snapshot: {
    is: 'a delivery finds the new order with a locking read, and reads the order itself from the older snapshot.',
    rule: 'Both reads see the same moment.',
    consequence:
      'Under repeatable read an order newer than the snapshot is not found: that delivery is rolled back here, and ' +
      'counted as delivery_snapshot_misses.',
    at: 'run',
  },
  reads_without_locks: {
    is: 'stock, the customer who pays and the order to deliver are read without a lock before they are written.',
    rule: 'What a transaction computes from a row is still true when it writes.',
    consequence: 'Fewer locks; two deliveries may take the same order, and its amount is then added twice.',
    at: 'run',
    breaks: [10, 12],
  },
  statements_as_text: {
    is: 'every statement is sent as text, never prepared.',
    rule: 'Either is permitted.',
    consequence: 'The server parses each statement again; like can be compared with like only.',
    at: 'run',
  },
  foreign_keys_unchecked: {
    is: 'every session sets foreign_key_checks to 0.',
    rule: 'Foreign keys are not asked for; where they are declared, one expects them to be checked.',
    consequence: '--use-fk makes no difference to a run: neither the look-ups nor the locks on parent rows happen.',
    at: 'run',
  },
  foreign_keys_left_out: {
    is: 'the tables have no foreign keys, whatever --use-fk says.',
    rule: 'Foreign keys are not asked for.',
    consequence: 'As --use-fk=0: fewer locks on parent rows.',
    at: 'load',
  },
  load_bad_credit_half: {
    is: 'half of the customers have bad credit.',
    rule: '10 % have.',
    consequence: 'Five times as many payments rewrite the 500 bytes of c_data.',
    at: 'load',
  },
  load_repeated_letters: {
    is: 'texts are one letter repeated.',
    rule: 'Texts are random letters and digits.',
    consequence: 'Pages compress well, and every layer that compresses looks better than it is.',
    at: 'load',
  },
  load_without_original: {
    is: 'no item and no stock is marked ORIGINAL.',
    rule: '10 % of the items and of the stock are.',
    consequence: 'No line is ever of the brand kind.',
    at: 'load',
  },
  load_one_permutation: {
    is: 'the order of the customers in the orders is the same in all districts of a warehouse.',
    rule: 'Each district has a permutation of its own.',
    consequence: 'None for the load.',
    at: 'load',
  },
} as const satisfies Readonly<Record<string, Deviation>>;
