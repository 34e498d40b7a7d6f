import { describe, expect, test } from 'vitest';
import { type SampleSide, sampleBlocks, samplePlan, sampleRun } from '../../../test/fixtures/sample-experiments.ts';
import type { Comparison, Entered, ExperimentPlan, ExperimentResult, Variant } from '../../model/experiment.ts';
import type { RunRecord } from '../../model/run.ts';
import { analyse } from './analyse.ts';
import type { PlacedRun } from './placed-run.ts';

const A_AND_B: readonly Variant[] = [{ name: 'A' }, { name: 'B' }];

function analysed(sides: readonly SampleSide[], more: Partial<ExperimentPlan> = {}, blocks = 8): ExperimentResult {
  return analyse(samplePlan(variantsOf(sides), { secondary: [], ...more }), sampleBlocks(sides, blocks));
}

function variantsOf(sides: readonly SampleSide[]): Variant[] {
  return sides.map(({ name }) => ({ name }));
}

function sides(gain: number, more: Partial<SampleSide> = {}): SampleSide[] {
  return [
    { name: 'A', gain: 1 },
    { name: 'B', gain, ...more },
  ];
}

function primaryOf({ comparisons }: ExperimentResult): Comparison {
  const [first] = comparisons;
  if (first === undefined) throw new Error('something was compared');
  return first;
}

/** Rates by block and variant, and nothing else that differs. */
function runsOf(rates: Readonly<Record<string, readonly number[]>>, more: Partial<RunRecord> = {}): PlacedRun[] {
  return Object.entries(rates).flatMap(([variant, values]) =>
    values.map((transactionsPerS, at) => ({
      block: at + 1,
      variant,
      record: sampleRun({ id: `${variant}${at}`, transactionsPerS, more }),
    })),
  );
}

describe('two variants', () => {
  test('a gain is told with its interval, in words', () => {
    const result = analysed(sides(1.06));
    expect(result).toMatchObject({
      blocks: 8,
      comparisons: [{ verdict: 'FASTER', isPrimary: true, isMeaningful: true }],
    });
    expect(primaryOf(result).effect).toBeCloseTo(0.06, 2);
    expect(primaryOf(result).pairs.map(({ block }) => block)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(result.is).toMatch(/^B is 6\.0 % faster than A \(95 % interval 5\.\d to 6\.\d %, 8 pairs\)\.$/);
  });

  test.each([
    {
      gain: 0.9,
      verdict: 'SLOWER',
      is: /^B is 10\.\d % slower than A \(95 % interval 9\.\d to 10\.\d %, 8 pairs\)\.$/,
    },
    { gain: 1, verdict: 'SAME', is: /^B and A are the same in transactions\/s, within 2 % \([+-]0\.\d+ % measured/ },
  ])('$gain times as fast is $verdict', ({ gain, verdict, is }) => {
    const result = analysed(sides(gain));
    expect(primaryOf(result).verdict).toBe(verdict);
    expect(result.is).toMatch(is);
    expect(primaryOf(result).is).toBe(result.is);
  });

  test('too much scatter is undecided, and says how many pairs it would take', () => {
    const runs = runsOf({ A: [100, 120, 90, 110, 100, 95, 105, 115], B: [115, 100, 105, 96, 120, 104, 90, 110] });
    const result = analyse(samplePlan(A_AND_B, { secondary: [] }), runs);
    expect(primaryOf(result)).toMatchObject({ verdict: 'UNDECIDED', pairsNeeded: expect.any(Number) });
    expect(result.is).toMatch(/^It is undecided whether B is faster than A: .* about \d+ pairs are needed/);
  });

  test('of a metric of which less is better, less is FASTER, and the sign is that of the metric', () => {
    const result = analysed(sides(1, { latencyUs: 2_000 }), { metric: 'p99' });
    expect(primaryOf(result)).toMatchObject({
      metric: 'p99(transaction)',
      unit: 'ms',
      better: 'lower',
      verdict: 'FASTER',
    });
    expect(primaryOf(result).effect).toBeCloseTo(-0.5, 2);
    expect(result.is).toMatch(
      /^p99\(transaction\) of B is 50\.\d % lower than that of A \(95 % interval 49\.\d to 50\.\d %/,
    );
  });

  test('what durability falls to stands in the answer', () => {
    const durability = { is: 'D3', because: 'Flushed once a second.' } as const;
    const result = analysed(sides(1.3, { run: { durability } }));
    expect(result.is).toMatch(/, 8 pairs\); durability falls from D4 to D3\.$/);
    expect(result.notes).toContain('Durability of B: D3. Flushed once a second.');
    expect(result.variants.map((variant) => variant.durability.is)).toEqual(['D4', 'D3']);
  });

  test('a difference below the noise floor is not claimed', () => {
    const [plan, runs] = [samplePlan(A_AND_B, { secondary: [] }), sampleBlocks(sides(1.03))];
    expect(primaryOf(analyse(plan, runs)).verdict).toBe('FASTER');
    const result = analyse(plan, runs, { noiseFloor: 0.05 });
    expect(primaryOf(result)).toMatchObject({ verdict: 'UNDECIDED', isMeaningful: false });
    expect(result.is).toMatch(/below the noise floor of 5\.0 %/);
    expect(result.noiseFloor).toBe(0.05);
  });
});

describe('which runs count', () => {
  const rates = { A: [100, 101, 99, 100, 102, 98, 100], B: [110, 112, 108, 111, 112, 108, 110] };

  test('only blocks in which both ran', () => {
    const runs = runsOf(rates).filter(({ block, variant }) => !(block === 3 && variant === 'B'));
    const result = analyse(samplePlan(A_AND_B, { secondary: [], blocks: 7 }), runs);
    expect(primaryOf(result).pairs.map(({ block }) => block)).toEqual([1, 2, 4, 5, 6, 7]);
    expect(result.blocks).toBe(6);
    expect(result.notes).toContain('6 of 7 blocks are complete.');
    expect(result.variants.map((variant) => variant.runs.length)).toEqual([7, 6]);
  });

  test.each([
    { what: 'was cut short', more: { ending: { kind: 'interrupted', cause: 'Ctrl-C' } } as const },
    {
      what: 'proves nothing',
      more: { findings: [{ id: 'x', severity: 'invalid', is: '', because: '', remedy: '' }] } as const,
    },
  ])('not one that $what', ({ more }) => {
    const runs = runsOf(rates).map((run) => (run.block === 2 ? { ...run, record: { ...run.record, ...more } } : run));
    expect(
      primaryOf(analyse(samplePlan(A_AND_B, { secondary: [] }), runs)).pairs.map(({ block }) => block),
    ).not.toContain(2);
  });

  test('of two in one place the later one', () => {
    const again = { block: 1, variant: 'B', record: sampleRun({ id: 'again', transactionsPerS: 120 }) };
    const result = analyse(samplePlan(A_AND_B, { secondary: [] }), [...runsOf(rates), again]);
    expect(primaryOf(result).pairs[0]).toEqual({ block: 1, baseline: 100, variant: 120, ratio: 1.2 });
    expect(result.variants[1]?.runs).not.toContain('B0');
  });

  test('one block far from the others counts, and is named', () => {
    const result = analyse(
      samplePlan(A_AND_B, { secondary: [] }),
      runsOf({ ...rates, B: [110, 112, 108, 60, 112, 108, 110] }),
    );
    expect(primaryOf(result).outliers).toEqual([4]);
    expect(result.notes.join()).toMatch(/Block 4 lies far from the others of B, and counts all the same/);
  });

  test.each([
    { runs: [], is: 'Nothing can be said yet: no run counts.' },
    { runs: runsOf({ B: [1] }), is: 'Nothing can be said yet: no run of the baseline A counts.' },
    { runs: runsOf({ A: [1] }), is: 'Nothing can be said yet: only runs of A count.' },
    {
      runs: runsOf({ A: [0], B: [0] }),
      is: 'Nothing can be said: no block has two runs that tell transactions/s, above zero.',
    },
  ])('$is', ({ runs, is }) => {
    expect(analyse(samplePlan(A_AND_B, { secondary: [] }), runs)).toMatchObject({ is, comparisons: [] });
  });
});

describe('several comparisons at once', () => {
  test('one alone is not corrected, several variants are, and so are the other metrics', () => {
    const two = analysed(sides(1.1), { secondary: ['p99(transaction)', 'p95(transaction)'] });
    expect(primaryOf(two).pHolm).toBeUndefined();
    expect(two.comparisons.slice(1).map(({ pT, pHolm }) => (pHolm ?? 0) >= pT)).toEqual([true, true]);
    const three = analysed([...sides(1.1), { name: 'C', gain: 1.2 }]);
    expect(three.comparisons.map(({ variant, isPrimary, pHolm }) => [variant, isPrimary, pHolm !== undefined])).toEqual(
      [
        ['B', true, true],
        ['C', true, true],
      ],
    );
  });

  test('what is not sure enough among many is not claimed', () => {
    // Alone, p is about 0.02; of four, 0.08.
    const scatter = [0.02, 0.012, 0.035, 0.01, -0.009, 0.03, 0.012, 0.008];
    const rates = (sign: number) => scatter.map((share) => 100 * Math.exp(sign * share));
    const still = Array.from({ length: 8 }, () => 100);
    const names = ['A', 'B', 'C', 'D', 'E'];
    const plan = samplePlan(
      names.map((name) => ({ name })),
      { secondary: [] },
    );
    const alone = analyse({ ...plan, variants: plan.variants.slice(0, 2) }, runsOf({ A: still, B: rates(1) }));
    expect(primaryOf(alone).verdict).toBe('FASTER');
    const together = analyse(plan, runsOf({ A: still, B: rates(1), C: rates(-1), D: rates(1), E: rates(-1) }));
    expect(together.comparisons.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 4 }, () => 'UNDECIDED'));
    expect(primaryOf(together).is).toMatch(
      /Of 4 comparisons together it is not sure enough \(p = 0\.\d+ after correction\)/,
    );
  });

  test('the best stands first in the answer, and the others behind it', () => {
    const result = analysed([...sides(0.9), { name: 'C', gain: 1.2 }, { name: 'D', gain: 1 }]);
    expect(result.is).toMatch(
      /^C is 20\.\d % faster than A .* Beside it, against A: D the same within 2 %, B 10\.\d % slower\.$/,
    );
    expect(result.comparisons.map(({ variant }) => variant)).toEqual(['B', 'C', 'D']);
  });

  test('of zeros and of what nobody tells nothing is compared', () => {
    const result = analysed(sides(1.1), { secondary: ['errors', 'p99(nobody)', 'disk.data_disk.writes_per_s'] });
    expect(result.comparisons.map(({ metric }) => metric)).toEqual(['transactions/s']);
    expect(result.variants[0]?.metrics['errors']).toEqual({ unit: 'count', values: Array(8).fill(0), median: 0 });
    expect(result.variants[0]?.metrics).not.toHaveProperty('p99(nobody)');
  });

  test('zeros among others have no ratio, so that nothing is claimed of them', () => {
    const errors = (count: number) => [
      { code: 1, sqlState: '', symbol: '', count, policy: 'skipped' as const, example: '' },
    ];
    const runs = sampleBlocks(sides(1)).map((run) => {
      const count = run.variant === 'A' ? (run.block === 1 ? 0 : 4) : 400;
      return { ...run, record: { ...run.record, totals: { ...run.record.totals, errors: errors(count) } } };
    });
    const result = analyse(samplePlan(A_AND_B, { secondary: ['errors'] }), runs);
    expect(result.comparisons[1]).toMatchObject({ metric: 'errors', verdict: 'UNDECIDED' });
    expect(result.comparisons[1]?.pairs).toHaveLength(7);
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  });
});

describe('sequential designs', () => {
  test('a look before the end asks for more than the end does', () => {
    const rates = { A: [100, 100, 100, 100, 100, 100], B: [101, 103, 101.5, 104, 100.7, 103] };
    const plan = samplePlan(A_AND_B, { secondary: [], blocks: 6 });
    expect(primaryOf(analyse(plan, runsOf(rates))).verdict).toBe('FASTER');
    const sequential = { ...plan, blocks: 16, stop: { is: 'sequential' } as const };
    const result = analyse(sequential, runsOf(rates));
    expect(primaryOf(result).verdict).toBe('UNDECIDED');
    expect(result.notes[0]).toMatch(/6 of 16 blocks are complete; a look before the last one asks for p < 0\.001/);
  });
});

describe('factors', () => {
  const design = {
    is: 'factorial',
    factors: [
      { name: 'pool', levels: ['small', 'large'] },
      { name: 'flush', levels: ['1', '2'] },
    ],
  } as const;
  const cells = [
    { name: 'base', levels: { pool: 'small', flush: '1' }, gain: 1 },
    { name: 'flush', levels: { pool: 'small', flush: '2' }, gain: 1.2 },
    { name: 'pool', levels: { pool: 'large', flush: '1' }, gain: 1.1 },
    { name: 'both', levels: { pool: 'large', flush: '2' }, gain: 1.1 * 1.2 },
  ];
  const plan = samplePlan(
    cells.map(({ name, levels }) => ({ name, levels })),
    { secondary: [], design },
  );

  test('are told apart, and that they do not depend on each other', () => {
    const { effects = [] } = analyse(plan, sampleBlocks(cells));
    expect(effects.map(({ of }) => of)).toEqual(['pool', 'flush', 'pool x flush']);
    const [pool, flush, both] = effects.map(({ effect }) => effect);
    expect(pool).toBeCloseTo(0.1, 2);
    expect(flush).toBeCloseTo(0.2, 2);
    expect(both).toBeCloseTo(0, 2);
  });

  test('one at a time are each against the base', () => {
    const single = {
      ...plan,
      design: { ...design, is: 'one-at-a-time' as const },
      variants: plan.variants.slice(0, 3),
    };
    const { effects = [] } = analyse(single, sampleBlocks(cells.slice(0, 3)));
    expect(effects.map(({ of, from, to }) => [of, from, to])).toEqual([
      ['pool', 'small', 'large'],
      ['flush', '1', '2'],
    ]);
  });

  test('are not reckoned before there is a whole block', () => {
    expect(analyse(plan, sampleBlocks(cells).slice(0, 3))).not.toHaveProperty('effects');
  });
});

describe('notes', () => {
  const environment = (server: Record<string, string>, host: Record<string, string> = {}) => ({
    environment: { server, host: { hostname: 'bench', ...host }, client: { hostname: 'bench' } },
  });

  function notesOf(variants: readonly Variant[], more: (run: PlacedRun) => Partial<RunRecord>): readonly string[] {
    const runs = sampleBlocks(variants.map(({ name }) => ({ name, gain: 1 })));
    const changed = runs.map((run) => ({ ...run, record: { ...run.record, ...more(run) } }));
    return analyse(samplePlan(variants, { secondary: [] }), changed).notes;
  }

  const POOLS = [
    { name: 'A', settings: { innodb_buffer_pool_size: '1G' } },
    { name: 'B', settings: { 'innodb-buffer-pool-size': '2G' } },
  ];

  test('what was turned is not told, what differs beside it is', () => {
    const notes = notesOf(POOLS, ({ variant }) => {
      const isA = variant === 'A';
      return environment(
        { 'set.innodb_buffer_pool_size': isA ? '1' : '2', 'set.innodb_io_capacity': isA ? '200' : '2000' },
        { 'kernel.release': isA ? '6.1' : '6.6' },
      );
    });
    expect(notes.filter((note) => /differs/.test(note)).map((note) => note.replace(/: sqldyno.*/, ''))).toEqual([
      'Beside what is turned, the server of B differs from that of A: variable.innodb_io_capacity. All of it',
      "Beside what is turned, the server's host of B differs from that of A: kernel.release. All of it",
    ]);
  });

  test('of another server nothing of server and host is told', () => {
    const notes = notesOf([{ name: 'A' }, { name: 'B', target: 'mysql://other/' }], ({ variant }) =>
      environment({ flavor: variant }, { 'cpu.model': variant }),
    );
    expect(notes.join()).not.toMatch(/differs/);
  });

  test('what changed while it went on is told, with the block', () => {
    const notes = notesOf(POOLS, ({ variant, block }) =>
      environment({}, { 'cpu.governor': variant === 'B' && block > 4 ? 'powersave' : 'performance' }),
    );
    expect(notes).toContain('While it went on, the environment of B changed, by block 5: cpu.governor.');
  });

  test('warnings of runs are told once, with how many have them', () => {
    const finding = {
      id: 'client-busy',
      severity: 'warning',
      is: 'The client was busy.',
      because: '',
      remedy: '',
    } as const;
    const notes = notesOf(POOLS, ({ variant, block }) => ({ findings: variant === 'B' && block < 3 ? [finding] : [] }));
    expect(notes).toContain('2 of 8 runs of B have the warning client-busy: The client was busy.');
  });

  test('data that were not the same, settings made otherwise, and drift are told', () => {
    const entered = (fingerprint: string): Entered => ({
      adjusted: [{ name: 'innodb_buffer_pool_size', asked: '1000M', effective: '1G' }],
      drift: ['max_connections', 'sort_buffer_size was set while the server ran.'],
      data: { how: 'copy', elapsedS: 1, fingerprint },
      drainedS: 0,
      notes: [],
    });
    const runs = sampleBlocks(sides(1)).map((run) => ({ ...run, entered: entered(run.variant === 'A' ? 'x' : 'y') }));
    const { notes } = analyse(samplePlan(A_AND_B), runs);
    expect(notes).toContain('The data were not the same for A and B.');
    expect(notes).toContain('A asked for innodb_buffer_pool_size = 1000M; the server made it 1G.');
    const changed = 'max_connections, sort_buffer_size was set while the server ran.';
    expect(notes).toContain(`Of B, variables changed between its runs: ${changed}`);
    const [one] = runs.filter(({ variant }) => variant === 'B');
    expect(analyse(samplePlan(A_AND_B), [one!]).notes).toContain(`Of B, variables changed before its run: ${changed}`);
    const ofWorkloads = samplePlan([{ name: 'A' }, { name: 'B', workload: { table_size: 5 } }]);
    expect(analyse(ofWorkloads, runs).notes.join()).not.toMatch(/data were not/);
  });

  test('what 1,000 transactions a second cost is told where prices are given', () => {
    const variants = [
      { name: 'A', pricePerMonth: 60 },
      { name: 'B', pricePerMonth: 300 },
    ];
    const result = analyse(samplePlan(variants, { secondary: [] }), runsOf({ A: [1_200, 1_200], B: [2_000, 2_000] }));
    expect(result.notes).toContain('1,000 transactions/s cost a month: 50.00 with A, 150.0 with B.');
    expect(result.variants[1]?.metrics['cost of 1,000 transactions/s']).toMatchObject({
      unit: 'per month',
      median: 150,
    });
  });
});

test('a variant says what set its pace in most of its runs', () => {
  const runs = sampleBlocks(sides(1)).map((run) =>
    run.block > 6
      ? { ...run, record: sampleRun({ id: run.record.id, transactionsPerS: 1, bottleneck: 'read-io' }) }
      : run,
  );
  const [first] = analyse(samplePlan(A_AND_B), runs).variants;
  expect(first?.bottleneck).toBe('commit (6 of 8 runs)');
});
