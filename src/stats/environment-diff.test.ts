import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { closedRun } from '../../test/fixtures/sample-runs.ts';
import type { Environment } from '../model/observed.ts';
import { diffFacts, environmentDiff, type RunOfDiff } from './environment-diff.ts';

const FACT = fc.oneof(fc.constantFrom('a', 'b'), fc.nat({ max: 2 }), fc.boolean());
const FACTS = fc.dictionary(fc.constantFrom('x', 'y.z', 'hostname', 'variable.socket', 'cpu.model'), FACT);

test('every fact of either is in exactly one place, and swapping the two swaps the answer', () => {
  fc.assert(
    fc.property(FACTS, FACTS, (one, other) => {
      const { differing, expected, onlyInOne, onlyInOther, alike } = diffFacts(one, other);
      const names = new Set([...Object.keys(one), ...Object.keys(other)]);
      expect(differing.length + expected.length + onlyInOne.length + onlyInOther.length + alike).toBe(names.size);
      const swapped = diffFacts(other, one);
      expect(swapped.onlyInOne).toEqual(onlyInOther);
      expect(swapped.differing).toEqual(differing.map(({ name, one: a, other: b }) => ({ name, one: b, other: a })));
    }),
  );
});

test.each([
  { name: 'hostname', isExpected: true, because: 'two hosts have two names' },
  { name: 'bootId', isExpected: true, because: 'each start has its own' },
  { name: 'variable.pid_file', isExpected: true, because: 'a place' },
  { name: 'cpu.model', isExpected: false, because: 'it is what is looked for' },
  { name: 'variable.innodb_buffer_pool_size', isExpected: false, because: 'so is this' },
])('$name differs, as expected: $isExpected, $because', ({ name, isExpected }) => {
  const { differing, expected } = diffFacts({ [name]: 'a' }, { [name]: 'b' });
  expect((isExpected ? expected : differing).map((fact) => fact.name)).toEqual([name]);
  expect(isExpected ? differing : expected).toEqual([]);
});

test('1 and "1" are two values', () => {
  expect(diffFacts({ a: 1 }, { a: '1' }).differing).toEqual([{ name: 'a', one: 1, other: '1' }]);
});

const sample = closedRun();

function runOf(id: string, variables: Readonly<Record<string, string>>, environment?: Environment): RunOfDiff {
  const { target, host } = sample;
  const run = { id, target: { ...target, variables }, host };
  return environment === undefined ? run : { ...run, environment };
}

function environmentOf(changes: Partial<Environment>): Environment {
  return { server: {}, host: {}, client: {}, ...changes };
}

describe('variables of the server', () => {
  const set = (facts: Environment['server']) => environmentOf({ server: { flavor: 'mariadb', ...facts } });

  test('what is set in one is laid beside the default of the other', () => {
    const one = runOf('a', { sync_binlog: '1' }, set({ 'set.sync_binlog': '1', 'set.max_connections': '300' }));
    const other = runOf('b', { sync_binlog: '0' }, set({ 'set.max_connections': '300' }));
    expect(environmentDiff(one, other).server).toMatchObject({
      differing: [{ name: 'variable.sync_binlog', one: '1', other: '0', originOfOther: 'default' }],
      onlyInOne: [],
      onlyInOther: [],
      alike: 2,
    });
  });

  test('that somebody has set while it ran is said, and no difference where the values agree', () => {
    const one = runOf('a', {}, set({ 'set-at-runtime.a': '2', 'set-at-runtime.b': '1' }));
    const other = runOf('b', {}, set({ 'set.a': '1', 'set.b': '1' }));
    const { differing, alike } = environmentDiff(one, other).server;
    expect(differing).toEqual([{ name: 'variable.a', one: '2', other: '1', originOfOne: 'set at runtime' }]);
    expect(alike).toBe(2);
  });

  test('of one version no two values can both be the default, and where MariaDB cannot know, nothing is called one', () => {
    const version = { version: '10.11.6', 'set.max_connections': '300' };
    const diffOf = (name: string, ofOther: Environment['server']) =>
      environmentDiff(runOf('a', { [name]: '1' }, set(version)), runOf('b', { [name]: '0' }, set(ofOther))).server;
    expect(diffOf('sync_binlog', version).differing).toEqual([{ name: 'variable.sync_binlog', one: '1', other: '0' }]);
    const newer = { ...version, version: '11.4.2' };
    expect(diffOf('sync_binlog', newer).differing).toContainEqual({
      name: 'variable.sync_binlog',
      one: '1',
      other: '0',
      originOfOne: 'default',
      originOfOther: 'default',
    });
    expect(diffOf('log_bin', newer).differing).toContainEqual({ name: 'variable.log_bin', one: '1', other: '0' });
  });

  test('where it was not told what is set, nothing is called a default', () => {
    const one = runOf('a', { a: '2' }, set({}));
    const other = runOf('b', { a: '1' }, set({ 'set.c': '1' }));
    expect(environmentDiff(one, other).server.differing).toEqual([
      { name: 'variable.a', one: '2', other: '1', originOfOther: 'default' },
    ]);
  });
});

describe('the client', () => {
  const here = { bootId: 'x', 'cpu.model': 'M' };

  test('is left out where it is the host of the server, in both', () => {
    const environment = environmentOf({ host: here, client: here });
    expect(environmentDiff(runOf('a', {}, environment), runOf('b', {}, environment))).not.toHaveProperty('client');
  });

  test.each([
    { host: { bootId: 'y' }, because: 'it is another machine in one of them' },
    { host: {}, because: 'of the host nothing is known' },
  ])('is told where $because', ({ host }) => {
    const one = environmentOf({ host: here, client: here });
    const other = environmentOf({ host, client: here });
    expect(environmentDiff(runOf('a', {}, one), runOf('b', {}, other)).client).toMatchObject({ alike: 2 });
  });
});

describe('a run without environment', () => {
  test('is compared by what every record tells, and named', () => {
    const one = runOf('old', { a: '1' });
    const other = runOf('new', { a: '2' }, environmentOf({ server: { 'set.a': '2' }, host: { bootId: 'x' } }));
    const diff = environmentDiff(one, other);
    expect(diff.withoutEnvironment).toEqual(['old']);
    expect(diff.server.differing).toEqual([{ name: 'variable.a', one: '1', other: '2' }]);
    expect(diff.host).toMatchObject({ differing: [], onlyInOne: [], onlyInOther: [], alike: 0 });
    expect(diff.client?.alike).toBe(Object.keys(sample.host).length);
    expect(diff).not.toHaveProperty('roundTripUs');
  });

  test('so are two of them', () => {
    expect(environmentDiff(runOf('a', {}), runOf('b', {})).withoutEnvironment).toEqual(['a', 'b']);
  });
});

test('round trips are told where both have measured them', () => {
  const trip = { p50: 20, p99: 90 };
  const one = runOf('a', {}, environmentOf({ roundTripUs: trip }));
  expect(environmentDiff(one, runOf('b', {}, environmentOf({ roundTripUs: trip }))).roundTripUs).toEqual({
    one: trip,
    other: trip,
  });
  expect(environmentDiff(one, runOf('b', {}, environmentOf({})))).not.toHaveProperty('roundTripUs');
});
