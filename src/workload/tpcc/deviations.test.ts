/** The table of deviations, and which of them a command line turns on. */
import { describe, expect, test } from 'vitest';
import {
  conditionsBrokenBy,
  DEVIATION_NAMES,
  deviationsOf,
  PROFILE_NAMES,
  PROFILES,
  problemsOfDeviations,
} from './deviations.ts';
import { DEVIATIONS, type Deviation } from './deviations-table.ts';

describe('the table', () => {
  test.each(DEVIATION_NAMES)('%s tells what it is, what is right and what it is worth, in sentences', (name) => {
    const { is, rule, consequence }: Deviation = DEVIATIONS[name];
    expect(is).toMatch(/^[a-z-].*\.$/);
    for (const sentence of [rule, consequence]) expect(sentence).toMatch(/^[A-Z0-9-].*\.$/);
  });

  test('every deviation belongs to a profile, and each profile names none twice', () => {
    const used = PROFILE_NAMES.flatMap((profile) => PROFILES[profile].deviations);
    expect([...new Set(used)].sort()).toEqual([...DEVIATION_NAMES].sort());
    for (const profile of PROFILE_NAMES) {
      const { deviations } = PROFILES[profile];
      expect(new Set(deviations).size, profile).toBe(deviations.length);
    }
  });

  test('the right profile deviates in nothing', () => {
    expect(deviationsOf({ profile: 'spec', deviations: [] }).size).toBe(0);
  });
});

describe('--deviations', () => {
  test('adds to the profile', () => {
    const on = deviationsOf({ profile: 'spec', deviations: ['remote_lines_never', 'amount-truncated'] });
    expect([...on]).toEqual(['remote_lines_never', 'amount_truncated']);
  });

  test('takes away with a minus in front', () => {
    const on = deviationsOf({ profile: 'sysbench-tpcc', deviations: ['-remote_lines_never'] });
    expect(on.has('remote_lines_never')).toBe(false);
    expect(on.has('remote_payments_never')).toBe(true);
  });

  test('names that are none are refused with a remedy', () => {
    expect(problemsOfDeviations(['amount_truncated', 'no_such_thing'])).toEqual([
      "'no_such_thing' is no deviation: sqldyno tpcc help lists them all.",
    ]);
    expect(() => deviationsOf({ profile: 'spec', deviations: ['no_such_thing'] })).toThrow(/no deviation/);
  });
});

describe('conditions that cannot hold after a run', () => {
  test.each([
    { profile: 'spec', broken: [] },
    { profile: 'sysbench-tpcc', broken: [] },
    { profile: 'go-tpc', broken: [] },
    { profile: 'hammerdb', broken: [10, 12] },
  ] as const)('$profile: $broken', ({ profile, broken }) => {
    const conditions = conditionsBrokenBy(deviationsOf({ profile, deviations: [] }));
    expect([...conditions.keys()].sort((a, b) => a - b)).toEqual(broken);
  });

  test('are told with the deviation that breaks them', () => {
    const on = deviationsOf({ profile: 'spec', deviations: ['payment_sum_not_kept'] });
    expect(conditionsBrokenBy(on)).toEqual(new Map([[12, ['payment_sum_not_kept']]]));
  });
});
