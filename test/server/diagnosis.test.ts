/**
 * Causes of slowness planted in real servers, and what the diagnosis makes of them. What else runs on the machine is
 * not planted, and may be named as well.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runOnce } from '../../src/lab/run.ts';
import type { ApplyLoad } from '../../src/load/plan.ts';
import type { Verdict } from '../../src/model/judgement.ts';
import type { RunRecord } from '../../src/model/run.ts';
import { prepare, requestFor, startTestBench, type TestBench, type TestRun } from '../support/lab.ts';
import { execute } from '../support/maintenance.ts';
import { type Ground, type Plant, SITES, startSite, verdictOf } from '../support/plants.ts';
import { canSlowFlushes } from '../support/slow-flush.ts';

/** Node runs no worker thread from TypeScript: `npm run test:server` builds first. */
const ENGINE = new URL('../../dist/src/load/engine.js', import.meta.url);
const canTrace = canSlowFlushes();
/** Elsewhere no host can be watched. */
const isLinux = process.platform === 'linux';

/**
 * The doings of other programs, and a server that is short of processors because of them, are no fault of the plant.
 */
function withoutStrangers({ diagnosis }: RunRecord, cause: string | undefined): Verdict[] {
  const { verdicts } = diagnosis!;
  const strangers = verdicts.find(({ id }) => id === 'other-processes');
  if (strangers === undefined || cause === 'other-processes') return [...verdicts];
  const areShort = strangers.role === 'bottleneck' || (strangers.share ?? 0) > STRANGERS_MAX;
  const notOurs = ['other-processes', 'stolen-time', ...(areShort && cause !== 'server-cpu' ? ['server-cpu'] : [])];
  return verdicts.filter(({ id }) => !notOurs.includes(id));
}

/** Of the processors: with more, the server may be short of them where it would not be by itself. */
const STRANGERS_MAX = 0.2;

function expectNamed(record: RunRecord, { cause = '', as = 'first', saying = '' }: Plant): void {
  const verdict = verdictOf(record, cause);
  expect(verdict, record.diagnosis!.is).toBeDefined();
  expect([verdict!.is, ...verdict!.evidence].join('; ')).toContain(saying);
  if (as !== 'first') return;
  const [first] = withoutStrangers(record, cause);
  expect(first).toMatchObject({ id: cause, role: expect.stringMatching(/^(?:bottleneck|contributes)$/) });
}

describe.skipIf(!isLinux).each(SITES)('$name, on Linux', (site) => {
  let ground: Ground;
  beforeAll(async () => {
    const { applyLoad } = (await import(ENGINE.href)) as { applyLoad: ApplyLoad };
    ground = await startSite(site, applyLoad);
  });
  afterAll(() => ground?.[Symbol.asyncDispose]());

  async function grow(plant: Plant): Promise<RunRecord> {
    const record = await plant.run(ground);
    expect(record.ending).toEqual({ kind: 'time' });
    expect(Object.keys(record.diagnosis!.budget!.shares)).toContain('rest');
    return record;
  }

  const planted = site.plants.filter(({ cause }) => cause !== undefined);
  const healthy = site.plants.filter(({ cause }) => cause === undefined);

  test.each(planted.filter(({ needsStrace }) => needsStrace !== true))('$name: $cause', async (plant) => {
    expectNamed(await grow(plant), plant);
  });

  test.skipIf(!canTrace).each(planted.filter(({ needsStrace }) => needsStrace === true))(
    '$name: $cause, with strace',
    async (plant) => {
      expectNamed(await grow(plant), plant);
    },
  );

  test.each(healthy)('$name', async (plant) => {
    const record = await grow(plant);
    expect(record.diagnosis!.verdicts.filter(({ role }) => role === 'bottleneck')).toEqual([]);
    expect(withoutStrangers(record, undefined)).toEqual([]);
    expect(record.diagnosis!.is).toMatch(/schedule sets the pace/);
  });
});

describe('limits of the server that are too low', () => {
  let bench: TestBench;
  const run: TestRun = { workload: 'oltp_read_write', options: { tables: 2, table_size: 100 }, plan: { threads: 64 } };
  beforeAll(async () => {
    bench = await startTestBench();
    await prepare(bench, run);
  });
  afterAll(() => bench?.[Symbol.asyncDispose]());

  test.each([
    { limit: 'max_connections', value: 30 },
    { limit: 'max_prepared_stmt_count', value: 500 },
  ])('$limit = $value: the run does not begin, and what to do is said', async ({ limit, value }) => {
    await execute(bench.target, `SET GLOBAL ${limit} = ${value}`);
    const refused = runOnce(await requestFor(bench, run), {}, new AbortController().signal);
    await expect(refused).rejects.toMatchObject({ hint: expect.stringContaining(`SET GLOBAL ${limit} = `) });
    await execute(bench.target, `SET GLOBAL ${limit} = DEFAULT`);
  });
});
