import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foreignOutput, foreignOutputNames } from '../../test/support/foreign-output.ts';
import type { MeasuredFacts, Quantity } from './facts.ts';
import { readDocument } from './read-document.ts';

function read(name: string) {
  return readDocument(foreignOutput(name));
}

/** Values and percentiles of one result, by name. */
function figures({ cells, percentiles }: Pick<MeasuredFacts, 'cells' | 'percentiles'>): Record<string, number> {
  const entries = Object.entries(cells).map(([name, cell]) => [name, cell.value]);
  return Object.fromEntries([...entries, ...percentiles.map(({ percentile, cell }) => [`p${percentile}`, cell.value])]);
}

describe('sysbench', () => {
  test('1.0 with progress and histogram: every figure of the report', () => {
    const [facts, ...others] = read('sysbench-1.0-histogram.txt').measurements;
    expect(others).toEqual([]);
    expect(facts).toMatchObject({ tool: 'sysbench', toolVersion: '1.0.20', isPaced: false, cutOff: [] });
    expect(figures(facts!)).toEqual({
      threads: 4,
      reads: 56014,
      writes: 16004,
      others: 8002,
      queriesOfKinds: 80020,
      queries: 80020,
      queriesPerS: 26611.58,
      transactions: 4001,
      transactionsPerS: 1330.58,
      ignoredErrors: 0,
      ignoredErrorsPerS: 0,
      reconnects: 0,
      reconnectsPerS: 0,
      elapsedS: 3.0066,
      events: 4001,
      latencyMinMs: 0.84,
      latencyAvgMs: 3,
      latencyMaxMs: 8.87,
      latencySumMs: 12003.15,
      eventsPerThread: 1000.25,
      eventsPerThreadStddev: 50.86,
      timePerThreadS: 3.0008,
      timePerThreadStddevS: 0,
      p95: 5.09,
    });
    expect(facts!.progress).toHaveLength(3);
    expect(facts!.progress[2]).toEqual({
      line: 15,
      endS: 3,
      threads: 3,
      transactionsPerS: 1276.45,
      readsPerS: 17855.26,
      writesPerS: 5101.79,
      othersPerS: 2551.89,
      latencyPercentileMs: 5.28,
      errorsPerS: 0,
      reconnectsPerS: 0,
    });
    expect(facts!.histogram.reduce((sum, { count }) => sum + count, 0)).toBe(4001);
  });

  test('a cell knows where it stands and how exact it is', () => {
    const [facts] = read('sysbench-1.0-histogram.txt').measurements;
    expect(facts!.cells.transactionsPerS).toEqual({
      label: 'transactions, per second',
      line: 149,
      written: '1330.58',
      value: 1330.58,
      step: 0.01,
    });
    expect(facts!.cells.transactions).toMatchObject({ written: '4001', step: 0 });
  });

  test('a checkpoint splits a run in two, which share the heading', () => {
    const [first, second, ...others] = read('sysbench-1.0-checkpoint.txt').measurements;
    expect(others).toEqual([]);
    expect(first).toMatchObject({ isBetweenCheckpoints: true, toolVersion: '1.0.20' });
    expect(second).toMatchObject({ isBetweenCheckpoints: true, toolVersion: '1.0.20' });
    expect(figures(first!)).toMatchObject({ threads: 2, transactions: 134860 });
    expect(figures(second!)).toMatchObject({ threads: 2, transactions: 127305 });
  });

  test.each<{ name: string; has: Partial<MeasuredFacts>; cells: Partial<Record<Quantity | 'p95' | 'p99', number>> }>([
    { name: 'sysbench-1.0-rate.txt', has: { isPaced: true, ratePerS: 50 }, cells: { transactions: 108, p99: 2.07 } },
    { name: 'sysbench-1.0-events.txt', has: { percentiles: [] }, cells: { events: 2000, latencySumMs: 4734.67 } },
    { name: 'sysbench-1.0-errors.txt', has: {}, cells: { ignoredErrors: 189, ignoredErrorsPerS: 62.35 } },
    { name: 'sysbench-1.0-cpu.txt', has: {}, cells: { eventsPerS: 4501.07, events: 4505 } },
    { name: 'sysbench-1.1.txt', has: { toolVersion: '1.1.0' }, cells: { eventsPerS: 249.9375, elapsedS: 4.001 } },
    {
      name: 'sysbench-0.5.txt',
      has: { toolVersion: '0.5' },
      cells: { transactions: 2445, latencySumMs: 31991.1, latencyAvgMs: 13.08, p95: 20.71 },
    },
    {
      name: 'sysbench-0.4.txt',
      has: { toolVersion: '0.4.12' },
      cells: { queriesOfKinds: 252000, ignoredErrors: 0, latencySumMs: 239880, p95: 31.07 },
    },
  ])('$name', ({ name, has, cells }) => {
    const [facts, ...others] = read(name).measurements;
    expect(others).toEqual([]);
    expect(facts).toMatchObject(has);
    expect(figures(facts!)).toMatchObject(cells);
  });

  test('0.5 has its own progress lines', () => {
    expect(read('sysbench-0.5.txt').measurements[0]!.progress[0]).toMatchObject({
      endS: 2,
      threads: 8,
      transactionsPerS: 612.24,
      readsPerS: 8577.53,
      latencyPercentileMs: 20.51,
    });
  });

  test('a page without indentation says the same, and each result has the command before it', () => {
    const [before, after, ...others] = read('pool-before-after.txt').measurements;
    expect(others).toEqual([]);
    expect(figures(before!)).toMatchObject({ reads: 58640, queriesOfKinds: 70368, latencyAvgMs: 27.31, p95: 86 });
    expect(figures(after!)).toMatchObject({ reads: 251410, queriesOfKinds: 301692, latencyAvgMs: 6.37, p95: 13.95 });
    expect(before!.command).toMatchObject({ script: 'oltp_read_only', verb: 'run', firstLine: 3 });
    // The page broke this one within an option.
    expect(after!.command).toMatchObject({ script: 'oltp_read_only', verb: 'run', firstLine: 34, lastLine: 35 });
    expect(after!.command!.options.get('table_size')).toBe('100000');
  });

  test('a file that was cut in the middle gives what it holds, and says what is missing', () => {
    const text = foreignOutput('sysbench-1.0-histogram.txt');
    const [facts] = readDocument(text.slice(0, text.indexOf('General statistics'))).measurements;
    expect(figures(facts!)).toMatchObject({ transactions: 4001, queriesPerS: 26611.58 });
    expect(facts!.cutOff).toEqual(['the total time and number of events', 'the latencies', "the threads' fairness"]);
    const [only] = readDocument(text.slice(0, text.indexOf('Latency histogram'))).measurements;
    expect(only).toMatchObject({
      cells: { threads: { value: 4 } },
      cutOff: [expect.stringContaining('only progress')],
    });
    expect(only!.progress).toHaveLength(3);
  });

  test('reports without a heading between them are told apart', () => {
    const block = 'queries performed:\nread: 10\nwrite: 0\nother: 2\ntotal: 12\ntransactions: 1 (0.10 per sec.)\n';
    expect(readDocument(block + block).measurements).toHaveLength(2);
  });
});

describe('tables', () => {
  test('a column is a result; a cell knows its column', () => {
    const { measurements } = read('four-volumes.txt');
    expect(measurements.map(({ name }) => name)).toEqual([
      'Table 4, Default',
      'Table 4, Tuned',
      'Table 6, gp2',
      'Table 6, gp3',
      'Table 6, io1',
      'Table 6, io2',
    ]);
    const gp2 = measurements[2]!;
    expect(gp2.cells.queriesOfKinds).toMatchObject({ label: 'total queries', column: 'gp2', written: '25017040' });
    expect(gp2.cells.queries).toMatchObject({ label: 'queries', column: 'gp2', written: '250170400' });
    expect(figures(gp2)).toMatchObject({ transactionsPerS: 3470.37, p95: 928.15, volumeQueueLength: 3.49 });
    expect(measurements[0]!.command!.lastLine).toBeLessThan(measurements[2]!.command!.firstLine);
  });

  test('Markdown and tabs say the same', () => {
    const tabs = read('four-volumes.txt').measurements.slice(2).map(figures);
    expect(read('four-volumes.md').measurements.map(figures)).toEqual(tabs);
  });

  test('settings keep their column; rankings their labels', () => {
    expect(read('two-columns.txt').settings).toContainEqual({
      name: 'innodb_buffer_pool_size',
      value: '193G',
      column: 'Tuned',
      line: 4,
    });
    const [table] = read('ranking.txt').scoreTables;
    expect(table!.scores).toHaveLength(10);
    expect(table!.scores[5]).toMatchObject({
      labels: ['Xen 4.17', 'N/A PV-HVM', 'defaults'],
      cell: { value: 51, step: 1 },
    });
  });
});

describe('other tools', () => {
  test.each([
    {
      name: 'mysqlslap.txt',
      tool: 'mysqlslap',
      first: { repeatAvgS: 0.012, repeatMinS: 0.011, repeatMaxS: 0.014, threads: 2, queriesPerThread: 50 },
    },
    {
      name: 'mysqlslap.csv',
      tool: 'mysqlslap',
      first: { repeatAvgS: 0.013, repeatMinS: 0.012, repeatMaxS: 0.015, threads: 2, queriesPerThread: 50 },
    },
    {
      name: 'hammerdb.txt',
      tool: 'HammerDB',
      first: { newOrdersPerMinute: 290115, transactionsPerMinute: 674212, threads: 16 },
    },
    { name: 'go-tpc.txt', tool: 'go-tpc', first: { newOrdersPerMinute: 13044.3 } },
    {
      name: 'pgbench.txt',
      tool: 'pgbench',
      first: {
        ignoredErrors: 0,
        latencyStddevMs: 0.863,
        threads: 4,
        transactions: 7671,
        latencyAvgMs: 1.562,
        transactionsPerS: 2554.817334,
      },
    },
    { name: 'test-atis.txt', tool: 'sql-bench', first: { elapsedS: 22 } },
    { name: 'run-mysql.txt', tool: 'sql-bench', first: { elapsedS: 30 } },
  ])('$name', ({ name, tool, first }) => {
    const [facts] = read(name).measurements;
    expect(facts).toMatchObject({ tool, cutOff: [] });
    expect(figures(facts!)).toEqual(first);
  });

  test('mysqlslap has a result for each number of clients', () => {
    expect(read('mysqlslap.txt').measurements.map(({ cells }) => cells.threads?.value)).toEqual([2, 4]);
    expect(read('mysqlslap.csv').measurements.map(({ cells }) => cells.threads?.value)).toEqual([2, 4]);
  });

  test('BenchBase: nanoseconds and microseconds become ours', () => {
    const [facts] = read('benchbase.json').measurements;
    expect(facts!.cells.elapsedS!.value).toBeCloseTo(60.00048125, 9);
    expect(facts!.cells.latencyAvgMs).toMatchObject({ written: '39874', line: 22 });
    expect(facts!.cells.latencyAvgMs!.value).toBeCloseTo(39.874, 9);
    expect(facts!.percentiles.map(({ percentile }) => percentile).sort((a, b) => a - b)).toEqual([
      25, 50, 75, 90, 95, 99,
    ]);
  });

  test('go-tpc and sql-bench have parts', () => {
    const [tpc] = read('go-tpc.txt').measurements;
    expect(tpc!.parts.map(({ name }) => name)).toEqual(['DELIVERY', 'NEW_ORDER', 'NEW_ORDER_ERR', 'PAYMENT']);
    expect(figures(tpc!.parts[1]!)).toMatchObject({ transactions: 13044, latencySumMs: 468862.2, 'p99.9': 113.2 });
    const [atis] = read('test-atis.txt').measurements;
    expect(atis!.parts.map(({ name, cells }) => [name, cells.elapsedS?.value, cells.queries?.value])[1]).toEqual([
      'insert',
      13,
      9768,
    ]);
    expect(read('run-mysql.txt').measurements[0]!.parts).toHaveLength(10);
  });

  test('pgbench says that arrivals were by a schedule', () => {
    expect(read('pgbench-rate.txt').measurements[0]).toMatchObject({ isPaced: true });
    expect(read('pgbench.txt').measurements[0]!.progress.map(({ latencyAvgMs }) => latencyAvgMs)).toEqual([
      1.535, 1.391, 1.797,
    ]);
  });

  test('load.py has two lines and its command', () => {
    const facts = read('small-server.txt').measurements.filter(({ tool }) => tool === 'load.py');
    expect(facts.map(figures)).toEqual([
      { elapsedS: 15.33, queriesPerS: 3262.22 },
      { elapsedS: 29.01, queriesPerS: 3446.84 },
    ]);
    expect(facts[1]!.command!.words).toEqual(['1000', '2000', '50']);
  });

  test('iostat and vmstat name their own columns', () => {
    const [iostat] = read('iostat.txt').hostLogs;
    expect(iostat!.rows.map(({ of }) => of)).toEqual(['loop0', 'vda', 'loop0', 'vda']);
    expect(iostat!.rows[1]!.values).toMatchObject({ 'r/s': 359.74, w_await: 0.47, 'aqu-sz': 0.56, '%util': 5.7 });
    const [vmstat] = read('vmstat.txt').hostLogs;
    expect(vmstat!.rows).toHaveLength(2);
    expect(vmstat!.rows[0]!.values).toMatchObject({ r: 1, us: 43, sy: 19, id: 37, wa: 1, st: 0 });
  });
});

describe('whatever is pasted', () => {
  test('a program or a picture is no text', () => {
    expect(readDocument('\u007fELF\0\0\0').notes).toEqual([expect.stringMatching(/^This is no text/)]);
  });

  test('colours and other commands to a terminal are no part of the text', () => {
    const { lines, measurements } = readDocument(
      foreignOutput('sysbench-1.0-events.txt')
        .replace('read:', '\u001b[1;31mread:\u001b[0m\u0007')
        .replaceAll('\n', '\r\n'),
    );
    expect(measurements[0]!.cells.reads).toMatchObject({ label: 'read', value: 28000 });
    expect(lines.join('')).not.toMatch(/(?!\t)\p{Cc}/u);
  });

  test('more results than can be compared are cut off, and that is said', () => {
    const block = 'SQL statistics:\nread: 10\nwrite: 0\nother: 2\ntotal: 12\n';
    const document = readDocument(block.repeat(250));
    expect(document.measurements).toHaveLength(200);
    expect(document.notes).toEqual([expect.stringContaining('250 results')]);
  });

  test.each(foreignOutputNames())('%s may end anywhere', (name) => {
    const text = foreignOutput(name);
    for (let end = 0; end < text.length; end += 97) readDocument(text.slice(0, end));
    const whole = readDocument(text).measurements.length;
    expect(readDocument(text.slice(0, Math.floor(text.length / 2))).measurements.length).toBeLessThanOrEqual(whole);
  });

  test('any text is read without an error, and keeps its lines', () => {
    const word = fc.constantFrom(
      'transactions:',
      '5864',
      '(585.27 per sec.)',
      '\t',
      '|',
      'read:',
      'sysbench',
      '--threads=',
      '\n',
      '  ',
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(word, { maxLength: 60 }).map((words) => words.join(' ')),
    );
    fc.assert(fc.property(text, (pasted) => readDocument(pasted.replaceAll('\0', '')).lines.length >= 1));
  });
});
