import { describe, expect, test } from 'vitest';
import { recordingConnection } from '../../../test/support/sessions.ts';
import type { DeviationName } from './deviations.ts';
import { constantsOf, insertMetadataSql, type Metadata, metadataOf, readConstants } from './journal.ts';
import { drawConstants, isLastNameDistanceRight } from './nurand.ts';
import { tableSet } from './tables.ts';

const METADATA: Metadata = {
  format: 1,
  state: 'loading',
  profile: 'go-tpc',
  scale: 12,
  seed: 9_007_199_254_740_991,
  deviations: ['last_name_c_unrelated', 'load_bad_credit_half'],
  constants: { lastNameLoad: 1, lastNameRun: 70, customer: 259, item: 7_911 },
};

/** The rows that this INSERT makes. */
function rowsOf(sql: string): string[][] {
  return [...sql.matchAll(/\('(\w+)', '([^']*)'\)/g)].map(([, name, value]) => [name!, value!]);
}

describe('metadata', () => {
  test('are read as they were written', () => {
    expect(metadataOf(rowsOf(insertMetadataSql(tableSet('spec', 1), METADATA)))).toEqual(METADATA);
    const none = { ...METADATA, deviations: [] };
    expect(metadataOf(rowsOf(insertMetadataSql(tableSet('spec', 1), none)))).toEqual(none);
  });

  test('of nobody are none', () => {
    expect(metadataOf([])).toBeUndefined();
    expect(metadataOf([[null]])).toBeUndefined();
  });
});

describe('constants', () => {
  const on = (...names: DeviationName[]) => new Set(names);
  const spec = { ...METADATA, profile: 'spec', deviations: [] } as const;

  test('are those that are kept, where the run is of the same kind', () => {
    expect(constantsOf(spec, on('customer_uniform'))).toBe(spec.constants);
    expect(constantsOf(METADATA, on('last_name_c_unrelated'))).toBe(METADATA.constants);
  });

  test('keep the right distance to the data in a run by the rules, whatever loaded the data', () => {
    const same = {
      ...METADATA,
      deviations: ['last_name_c_same'],
      constants: { ...METADATA.constants, lastNameRun: 1 },
    };
    for (const metadata of [same, METADATA]) {
      const { lastNameLoad, lastNameRun, customer } = constantsOf(metadata, on());
      expect(lastNameLoad).toBe(1);
      expect(isLastNameDistanceRight(lastNameLoad, lastNameRun)).toBe(true);
      expect(customer).toBe(259);
    }
  });

  test('of last names are one, where the run wants it so', () => {
    expect(constantsOf(spec, on('last_name_c_same'))).toMatchObject({ lastNameLoad: 1, lastNameRun: 1 });
  });

  test.each([
    { rows: [[null]], because: 'the server answers nothing that can be read' },
    { rows: [[0]], because: 'there is no such table' },
  ])('follow from the seed where $because', async ({ rows }) => {
    const connection = recordingConnection({ rows: () => rows });
    const options = { profile: 'sysbench-tpcc', deviations: [] } as const;
    const constants = await readConstants(connection, options, 5);
    expect(constants).toEqual(drawConstants(5, on()));
    expect(connection.prepared).toEqual([]);
  });
});
