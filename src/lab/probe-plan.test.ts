/** The same load again, from its record. */
import { describe, expect, test } from 'vitest';
import { closedRun, openRun } from '../../test/fixtures/sample-runs.ts';
import { defaultsOf } from '../base/options.ts';
import { LOAD_OPTIONS } from '../load/options.ts';
import type { LoadPlan } from '../load/plan.ts';
import { planLoad } from '../load/plan-load.ts';
import { settingsOf } from '../load/settings.ts';
import type { RunRecord } from '../model/run.ts';
import { loadWorkload } from '../workload/find.ts';
import { pacingNotes, planOfRecord, workloadOfRecord } from './probe-plan.ts';

const TARGET = { host: 'db1', port: 3306, user: 'ben', password: '', database: 'shop', sslMode: 'DISABLED' } as const;

async function planAgain(record: RunRecord): Promise<LoadPlan> {
  return planOfRecord(record, await workloadOfRecord(record), { targets: [TARGET], timeS: 8 });
}

/** As a run of a command line with these values would be recorded. */
function recordOf(values: Readonly<Record<string, unknown>>): RunRecord {
  const load = planLoad({ ...defaultsOf(LOAD_OPTIONS), ...values }, { cores: 4, drawSeed: () => 42 });
  const plan = { ...load, sequence: [], targets: [], workload: { name: 'oltp_read_write', options: {} } };
  return { ...closedRun(), seed: plan.seed, load: settingsOf(plan) };
}

describe('what decides the load is as it was', () => {
  test.each([
    { what: 'defaults', values: {} },
    { what: 'threads and workers', values: { threads: 32, workers: 2 } },
    { what: 'every kind of keys', values: { rand_type: 'pareto', rand_pareto_h: 0.4 } },
    { what: 'scrambled keys', values: { rand_type: 'zipfian', rand_zipfian_exp: 0.5, rand_scrambled: true } },
    { what: 'hot keys', values: { rand_spec_pct: 3, rand_spec_res: 60, rand_spec_iter: 5 } },
    { what: 'what is done about errors', values: { mysql_ignore_errors: ['all'], attempts_max: 3, reconnect: '7' } },
    { what: 'statements as text', values: { db_ps_mode: 'disable' } },
  ])('$what', async ({ values }) => {
    const record = recordOf(values);
    const again = await planAgain(record);
    expect(settingsOf(again)).toEqual({ ...record.load, timeS: 8 });
    expect(again).toMatchObject({ seed: 42, targets: [TARGET], workload: { name: 'oltp_read_write' } });
  });

  test('a pace is left out, and that is said', async () => {
    const paced = recordOf({ rate: 100, time: 60, warmup_time: 30 });
    expect(await planAgain(paced)).toMatchObject({ ratePerS: 0, timeS: 8, warmupS: 0 });
    expect(pacingNotes(paced)).toEqual([expect.stringContaining('by a rate')]);
    expect(pacingNotes(openRun())).toHaveLength(1);
    expect(pacingNotes(recordOf({}))).toEqual([]);
  });
});

describe('the workload', () => {
  test("a file of the user's is found by the command of the run", async () => {
    const record = {
      ...closedRun(),
      workload: { name: 'mine', options: {} },
      command: ['sqldyno', './no/mine.ts', 'run'],
    };
    await expect(workloadOfRecord(record)).rejects.toThrow(/There is no file \.\/no\/mine\.ts\..*workload of this run/);
  });

  test.each(['atis', 'slap'])('%s does a fixed piece of work, which has no short run', async (name) => {
    const found = await loadWorkload(name);
    const options = defaultsOf(found.workload.options);
    const record = { ...closedRun(), workload: { name, options } };
    expect(() => planOfRecord(record, found, { targets: [TARGET], timeS: 8 })).toThrow(/fixed piece of work/);
  });
});
