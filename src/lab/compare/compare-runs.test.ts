import { describe, expect, test } from 'vitest';
import { sampleRun } from '../../../test/fixtures/sample-experiments.ts';
import type { RunsComparison } from '../../model/comparison.ts';
import type { Change } from '../../model/experiment.ts';
import type { RunRecord } from '../../model/run.ts';
import { type CompareOptions, compareRuns } from './compare-runs.ts';
import { ensureComparable, groupRuns, type RunGroup } from './groups.ts';

const OPTIONS: CompareOptions = { metric: 'transactions/s', secondary: [], marginShare: 0.02, anyway: false };

/** Minutes after ten, and the rate. */
type At = readonly [minute: number, transactionsPerS: number];

function runs(name: string, at: readonly At[], more: (index: number) => Partial<RunRecord> = () => ({})): RunRecord[] {
  return at.map(([minute, transactionsPerS], index) => {
    const startedAt = `2026-11-30T10:${String(minute).padStart(2, '0')}:00.000Z`;
    return sampleRun({ id: `${name}-${index}`, transactionsPerS, more: { startedAt, ...more(index) } });
  });
}

function group(name: string, of: readonly RunRecord[], change: Change = {}, more: Partial<RunGroup> = {}): RunGroup {
  return { name, runs: of, change, ...more };
}

function groups(one: readonly At[], other: readonly At[], more: (index: number) => Partial<RunRecord> = () => ({})) {
  return [group('A', runs('a', one)), group('B', runs('b', other, more))];
}

const RATES = [100, 101, 99, 100, 102, 98];
const atEvery = (minutes: number, from: number, factor = 1): At[] =>
  RATES.map((rate, index) => [from + index * minutes, rate * factor * (1 + index / 1_000)]);

describe('which runs are pairs', () => {
  const place = (variant: string) => (index: number) => ({
    experiment: { id: 'x', name: 'x', variant, block: index + 1, number: index + 1, attempt: 1 },
  });

  test('those of one block of one experiment, whenever they ran', () => {
    const both = [
      group('A', runs('a', atEvery(1, 0), place('A'))),
      group('B', runs('b', atEvery(1, 30, 1.1), place('B')).reverse()),
    ];
    const { pairing, result } = compareRuns(both, OPTIONS);
    expect(pairing).toBe('blocks');
    expect(result.comparisons[0]?.pairs[0]).toMatchObject({ block: 1, baseline: 100 });
    expect(result).toMatchObject({ blocks: 6, comparisons: [{ verdict: 'FASTER' }] });
  });

  test('not those of two experiments', () => {
    const of = (id: string) => (index: number) => ({ experiment: { ...place('v')(index).experiment, id } });
    const both = [group('A', runs('a', atEvery(1, 0), of('x'))), group('B', runs('b', atEvery(1, 30, 1.1), of('y')))];
    expect(compareRuns(both, OPTIONS).pairing).toBe('none');
  });

  test('those that ran by turns, and it is said which always ran first', () => {
    const { pairing, result } = compareRuns(groups(atEvery(4, 0), atEvery(4, 2, 1.1)), OPTIONS);
    expect(pairing).toBe('in turn');
    expect(result.comparisons[0]?.verdict).toBe('FASTER');
    expect(result.notes).toContainEqual(expect.stringMatching(/^In every pair A ran first/));
  });

  test('nothing is said of the order where both ran first', () => {
    const other: At[] = atEvery(4, 2, 1.1).map(([minute, rate], index) => [
      index % 2 === 0 ? minute : minute - 3,
      rate,
    ]);
    const { pairing, result } = compareRuns(groups(atEvery(4, 0), other), OPTIONS);
    expect(pairing).toBe('in turn');
    expect(result.notes.join()).not.toMatch(/ran first/);
  });

  test('others are none: all against all, with a warning', () => {
    const { pairing, result } = compareRuns(groups(atEvery(1, 0), atEvery(1, 30, 1.1).slice(1)), OPTIONS);
    expect(pairing).toBe('none');
    expect(result.comparisons[0]).toMatchObject({ verdict: 'FASTER', pairs: [] });
    expect(result.is).toMatch(/^B is 10\.\d % faster than A \(95 % interval .*, 5 and 6 runs\)\.$/);
    expect(result.notes[0]).toMatch(/their order was not balanced/);
  });

  test('one run of each is undecided, and says why', () => {
    const { result } = compareRuns(groups([[0, 100]], [[1, 150]]), OPTIONS);
    expect(result.comparisons[0]?.verdict).toBe('UNDECIDED');
    expect(result.is).toMatch(/\+50\.0 % measured in 1 and 1 runs\. 1 run against 1: at least 4 of each are needed/);
    expect(result.notes).toContainEqual(expect.stringMatching(/^One run of each shows/));
  });

  test('a run that proves nothing does not count, and that is said', () => {
    const more = (index: number): Partial<RunRecord> => (index === 0 ? { ending: { kind: 'failed', cause: 'x' } } : {});
    const { result } = compareRuns(groups(atEvery(4, 0), atEvery(4, 2, 1.1), more), OPTIONS);
    expect(result.variants[1]?.runs).toHaveLength(5);
    expect(result.notes).toContainEqual(expect.stringMatching(/^1 run of B did not end as planned/));
  });
});

describe('what may be compared', () => {
  const compare = (more: Partial<RunRecord>, options: Partial<CompareOptions> = {}): RunsComparison =>
    compareRuns(
      groups(atEvery(4, 0), atEvery(4, 2), () => more),
      { ...OPTIONS, ...options },
    );
  const sample = sampleRun({ id: '', transactionsPerS: 1 });

  test.each([
    {
      what: 'workload',
      more: { workload: { ...sample.workload, name: 'tpcc' } },
      says: /oltp_read_write with A, tpcc with B/,
    },
    {
      what: 'workload.table_size',
      more: { workload: { ...sample.workload, options: { ...sample.workload.options, table_size: 5 } } },
      says: /1000 with A, 5 with B/,
    },
    {
      what: 'workload.new_option',
      more: { workload: { ...sample.workload, options: { ...sample.workload.options, new_option: true } } },
      says: /not told with A, true with B/,
    },
  ])('another $what is refused, unless it is wanted', ({ what, more, says }) => {
    expect(() => compare(more)).toThrow(expect.objectContaining({ name: 'UserError', exitCode: 1 }));
    expect(() => compare(more)).toThrow(says);
    const { differences } = compare(more, { anyway: true });
    expect(differences[0]).toMatchObject({ is: 'refused', what });
  });

  test.each([
    { what: 'load.threads', more: { load: { ...sample.load, threads: 16 } }, says: /4 with A, 16 with B/ },
    { what: 'load.timeS', more: { load: { ...sample.load, timeS: 99 } }, says: /3 with A, 99 with B/ },
    { what: 'seed', more: { seed: 2 }, says: /4711 with A, 2 with B/ },
    {
      what: 'server.version',
      more: { target: { ...sample.target, version: '11.4.2' } },
      says: /MariaDB 11\.4\.2 with B/,
    },
    { what: 'client.sqldyno', more: { sqldyno: { version: '9' } }, says: /0\.1\.0 with A, 9 with B/ },
  ])('another $what is told', ({ what, more, says }) => {
    const { differences, result } = compare(more);
    expect(differences.map((difference) => difference.what)).toEqual([what]);
    expect(result.notes).toContainEqual(expect.stringMatching(says));
  });

  test('another durability is told with what it means', () => {
    const { differences, result } = compare({ durability: { is: 'D1', because: 'It loses a second.' } });
    expect(differences).toMatchObject([{ is: 'told', what: 'durability' }]);
    expect(result.is).toMatch(/durability falls from D4 to D1/);
    expect(result.notes.filter((note) => /D1/.test(note))).toEqual(['Durability of B: D1. It loses a second.']);
  });

  test('another environment is told, and where to see all of it', () => {
    const environment = { ...sample.environment!, host: { ...sample.environment!.host, 'kernel.release': '6.6.0' } };
    const { result } = compare({ environment });
    expect(result.notes).toContainEqual(
      "The server's host of B differs from that of A: kernel.release. All of it: sqldyno environment diff a-0 b-0",
    );
  });

  test('runs of one name that are not alike among themselves are refused too', () => {
    const mixed = (index: number) => (index > 2 ? { workload: { ...sample.workload, name: 'tpcc' } } : {});
    expect(() => compareRuns(groups(atEvery(4, 0), atEvery(4, 2), mixed), OPTIONS)).toThrow(
      /oltp_read_write with A, oltp_read_write and tpcc with B/,
    );
  });

  test('seeds that vary alike on both sides are no difference', () => {
    const seeded = (name: string, at: readonly At[]) =>
      group(
        name,
        runs(name, at, (index) => ({ seed: index })),
      );
    const { differences } = compareRuns([seeded('A', atEvery(4, 0)), seeded('B', atEvery(4, 2))], OPTIONS);
    expect(differences).toEqual([]);
  });

  test('data are compared by their fingerprints where both are known', () => {
    const withData = (one: string, other: string | undefined) => [
      group('A', runs('a', atEvery(4, 0)), {}, { fingerprints: [one] }),
      group('B', runs('b', atEvery(4, 2)), {}, other === undefined ? {} : { fingerprints: [other] }),
    ];
    expect(() => compareRuns(withData('x', 'y'), OPTIONS)).toThrow(/Data is not the same: x with A, y with B/);
    expect(compareRuns(withData('x', 'x'), OPTIONS).differences).toEqual([]);
    expect(compareRuns(withData('x', undefined), OPTIONS).differences).toEqual([]);
  });

  test('what an experiment turned is neither refused nor told', () => {
    const options = { ...sample.workload, options: { ...sample.workload.options, table_size: 5 } };
    const more = { workload: options, load: { ...sample.load, threads: 16 } };
    const turned = [
      group('A', runs('a', atEvery(4, 0)), {}, { fingerprints: ['x'] }),
      group(
        'B',
        runs('b', atEvery(4, 2), () => more),
        { workload: { table_size: 5 }, load: { threads: 16 } },
        { fingerprints: ['y'] },
      ),
    ];
    expect(compareRuns(turned, OPTIONS).differences).toEqual([]);
  });

  test('a metric that no run tells is refused, with those that there are', () => {
    expect(() => compare({}, { metric: 'p99(new_order)' })).toThrow(/None of these runs tells p99\(new_order\)/);
    expect(() => compare({}, { metric: 'p99(new_order)' })).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('p99(oltp_read_write)') }),
    );
  });
});

describe('groups', () => {
  const host = (hostname: string, model: string, hypervisor = 'none') => ({
    server: {},
    host: { hostname, 'cpu.model': model, 'virtualization.hypervisor': hypervisor },
    client: { hostname, 'cpu.model': model },
  });
  const all = [
    ...runs('m', atEvery(8, 0), () => ({ tags: ['night', 'one'], environment: host('pi', 'A72') })),
    ...runs('n', atEvery(8, 2), () => ({ tags: ['night', 'two'], environment: host('pi', 'A76') })),
    ...runs('o', atEvery(8, 4), () => ({ tags: ['night'], environment: host('guest', 'A72', 'kvm') })),
  ];

  test('by tag: by those that tell runs apart', () => {
    expect(groupRuns(all, 'tag').map(({ name, runs: of }) => [name, of.length])).toEqual([
      ['one', 6],
      ['two', 6],
    ]);
  });

  test('by host: one row a machine, two of one name told apart', () => {
    const names = groupRuns(all, 'host').map(({ name }) => name);
    expect(names).toHaveLength(3);
    expect(new Set(names).size).toBe(3);
    expect(names[2]).toBe('guest (kvm)');
    expect(names.slice(0, 2)).toEqual([expect.stringMatching(/^pi-/), expect.stringMatching(/^pi-/)]);
  });

  test('of hosts it is not told that they differ, since that is the question', () => {
    const { result } = compareRuns(groupRuns(all, 'host'), OPTIONS);
    expect(result.notes.join('\n')).not.toMatch(/host of/);
  });

  test('by variant: those of experiments', () => {
    const experiment = { id: 'x', name: 'x', variant: 'fast', block: 1, number: 1, attempt: 1 };
    const [first, ...others] = all;
    const found = groupRuns([{ ...first!, experiment }, ...others], 'variant');
    expect(found.map(({ name, runs: of }) => [name, of.length])).toEqual([['fast', 1]]);
  });

  test('a run that is named twice is one', () => {
    expect(groupRuns([...all, ...all], 'tag').map(({ runs: of }) => of.length)).toEqual([6, 6]);
  });

  test('one alone, or two with a run in common, cannot be compared', () => {
    const [one, two] = groupRuns(all, 'tag');
    expect(() => ensureComparable([one!], 'HINT')).toThrow(/nothing to compare one with/);
    expect(() => ensureComparable([], 'HINT')).toThrow(expect.objectContaining({ hint: 'HINT' }));
    expect(() => ensureComparable([one!, { ...two!, runs: one!.runs }], '')).toThrow(
      /The run m-0 is both in one and in two/,
    );
  });
});

describe('what one variant turns is no excuse for others', () => {
  const of = (name: string, data: string, change: Change = {}) =>
    group(name, runs(name, atEvery(4, 0)), change, { fingerprints: [data] });
  const scaled = of('scaled', 'c', { workload: { scale: 2 } });

  test('two that turn nothing have other data', () => {
    expect(() => compareRuns([of('one', 'a'), of('two', 'b'), scaled], OPTIONS)).toThrow(/Data is not the same/);
  });

  test('nor is one whose data are not known', () => {
    const unknown = group('unknown', runs('u', atEvery(4, 0)));
    expect(() => compareRuns([of('one', 'a'), of('two', 'b'), unknown], OPTIONS)).toThrow(/a with one, b with two/);
  });

  test('the variant itself is compared', () => {
    expect(compareRuns([of('one', 'a'), of('two', 'a'), scaled], OPTIONS).differences).toEqual([]);
  });
});
