/** The whole search, with runs that are reckoned: what is asked of them, what is made of them, and how it ends. */
import { describe, expect, test } from 'vitest';
import { closedRun, openRun } from '../../../test/fixtures/sample-runs.ts';
import { createRandom } from '../../base/random.ts';
import type { Diagnosis } from '../../model/judgement.ts';
import type { RunRecord } from '../../model/run.ts';
import type { SearchTrial } from '../../model/search.ts';
import { searchSchema } from '../../model/search-schema.ts';
import { Histogram } from '../../stats/histogram.ts';
import { toLatencyRecord } from '../../stats/latency-record.ts';
import type { RunRequest } from '../run.ts';
import { runSearch, type SearchRequest, type SearchView } from './search.ts';
import { parseLimit } from './search-limit.ts';

const CAPACITY_PER_S = 1_000;
const LIMIT_MS = 20;
/** Of one queue with random arrivals: p99 = ln 100 / (mu - lambda). */
const TRUE_RATE_PER_S = CAPACITY_PER_S - (Math.log(100) / LIMIT_MS) * 1_000;
const TIME_S = 8;

const DIAGNOSIS: Diagnosis = {
  is: 'The server computes.',
  isDetermined: true,
  ceilings: [],
  verdicts: [
    { id: 'server-cpu', role: 'bottleneck', is: 'The server computes.', evidence: [], confirmBy: '', advice: '' },
  ],
};

function request(change: Partial<SearchRequest> = {}): SearchRequest {
  return {
    plan: {
      workload: { name: 'shop', options: {} },
      threads: 16,
      timeS: TIME_S,
      warmupS: 2,
      ratePerS: 0,
      seed: 42,
      targets: [],
    } as unknown as SearchRequest['plan'],
    workload: {} as SearchRequest['workload'],
    workloadOptions: {},
    command: ['sqldyno', 'search', 'shop'],
    tags: ['mine'],
    isPrivate: true,
    version: '0.0.0-test',
    limit: parseLimit(`p99<${LIMIT_MS}ms`),
    settings: { repeats: 3, precisionShare: 0.05 },
    ...change,
  };
}

/** A server as a queue: what a run of it would have measured. */
class ReckonedServer {
  readonly requests: RunRequest[] = [];
  /** By number of the run, from 0. */
  readonly changes = new Map<number, (record: RunRecord) => RunRecord>();

  readonly run = async (asked: RunRequest): Promise<RunRecord> => {
    const number = this.requests.push(asked) - 1;
    const record = asked.plan.ratePerS === 0 ? this.#flatOut() : this.#queued(asked);
    return this.changes.get(number)?.({ ...record, id: `run-${number}` }) ?? { ...record, id: `run-${number}` };
  };

  #flatOut(): RunRecord {
    return { ...closedRun(), rates: { transactionsPerS: CAPACITY_PER_S, statementsPerS: 0 } };
  }

  #queued({ plan: { ratePerS, seed } }: RunRequest): RunRecord {
    const random = createRandom(seed);
    const exponential = (perS: number) => -Math.log(1 - random.next()) / perS;
    const response = new Histogram();
    let [freeAtS, committed, unfinished] = [0, 0, 0];
    for (let dueS = exponential(ratePerS); dueS < TIME_S; dueS += exponential(ratePerS)) {
      freeAtS = Math.max(freeAtS, dueS) + exponential(CAPACITY_PER_S);
      if (freeAtS > TIME_S) {
        unfinished++;
        continue;
      }
      committed++;
      response.record(Math.round((freeAtS - dueS) * 1_000_000));
    }
    const open = openRun();
    const latency = toLatencyRecord(response);
    return {
      ...open,
      totals: {
        ...open.totals,
        elapsedS: TIME_S,
        transactions: { committed, byName: {} },
        dropped: 0,
        unfinished,
      },
      latency: { ...open.latency, transactions: { all: { service: latency, response: latency } } },
      findings: [],
      diagnosis: DIAGNOSIS,
    };
  }
}

interface Seen {
  readonly view: SearchView;
  readonly trials: SearchTrial[];
  readonly steps: { readonly is: string; readonly left: number }[];
}

function watch(): Seen {
  const trials: SearchTrial[] = [];
  const steps: { is: string; left: number }[] = [];
  const view: SearchView = {
    onStep: (step, left) => steps.push({ is: typeof step === 'string' ? step : step.because, left }),
    openRun: () => ({ [Symbol.dispose]: () => {} }),
    onEstimate: () => {},
    onTrial: (trial) => trials.push(trial),
  };
  return { view, trials, steps };
}

/** Where it does not matter what is found, a few runs do. */
const COARSE = { settings: { repeats: 1, precisionShare: 0.3 } };
const NEVER = new AbortController().signal;

test('finds the rate, keeps the bracket, names what sets the pace', async () => {
  const server = new ReckonedServer();
  const { view, trials, steps } = watch();
  const result = await runSearch(request(), view, NEVER, server.run);
  expect(searchSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(result);
  expect(result).toMatchObject({
    ending: { kind: 'found' },
    estimate: { run: 'run-0', transactionsPerS: CAPACITY_PER_S },
    pace: { verdict: 'server-cpu', is: 'The server computes.' },
    load: { threads: 16, timeS: TIME_S, warmupS: 2 },
  });
  const { passedPerS = 0, failedPerS = 0 } = result;
  expect(failedPerS / passedPerS).toBeLessThanOrEqual(1.0501);
  expect(passedPerS).toBeLessThan(TRUE_RATE_PER_S * 1.06);
  expect(failedPerS).toBeGreaterThan(TRUE_RATE_PER_S * 0.94);
  expect(result.is).toMatch(/^[\d.]+\/s keeps p99\(transaction\) < 20 ms; [\d.]+\/s, \d\.\d % more, does not\.$/);
  expect(result.trials).toEqual(trials);
  expect(result.pace?.runs).toEqual(
    trials.filter(({ ratePerS, outcome }) => ratePerS === failedPerS && outcome === 'failed').map(({ run }) => run),
  );
  expect(steps.map(({ is }) => is)).toContain('confirm');
  expect(steps.every(({ left }) => left >= 1)).toBe(true);
});

test('every run has a seed of its own, the rate that was asked for, and tags to be found by', async () => {
  const server = new ReckonedServer();
  const { id } = await runSearch(request(COARSE), watch().view, NEVER, server.run);
  const [estimate, ...rest] = server.requests;
  expect(estimate).toMatchObject({ plan: { ratePerS: 0 }, tags: ['search', id, 'estimate', 'mine'] });
  expect(new Set(rest.map(({ plan }) => plan.seed)).size).toBe(rest.length);
  for (const { plan, tags } of rest) expect(tags).toEqual(['search', id, `rate-${plan.ratePerS}`, 'mine']);
});

test('equal seeds and equal servers lead to the same runs', async () => {
  const [one, other] = [new ReckonedServer(), new ReckonedServer()];
  await runSearch(request(COARSE), watch().view, NEVER, one.run);
  await runSearch(request(COARSE), watch().view, NEVER, other.run);
  expect(one.requests.map(({ plan }) => plan)).toEqual(other.requests.map(({ plan }) => plan));
});

describe('bounds', () => {
  test('between both of them nothing is estimated', async () => {
    const server = new ReckonedServer();
    const result = await runSearch(request({ rateMinPerS: 10, rateMaxPerS: 300 }), watch().view, NEVER, server.run);
    expect(result).toMatchObject({ ending: { kind: 'all passed' }, passedPerS: 300 });
    expect(result).not.toHaveProperty('failedPerS');
    expect(result).not.toHaveProperty('estimate');
    expect(result.is).toMatch(/300\.0\/s keeps .*, and that is the highest rate that was to be tried\.$/);
    expect(server.requests.every(({ plan }) => plan.ratePerS >= 10)).toBe(true);
  });

  test('where none passes, it says so', async () => {
    const limit = parseLimit('p99<1us');
    const given = request({ limit, rateMinPerS: 400 });
    const result = await runSearch(given, watch().view, NEVER, new ReckonedServer().run);
    expect(result).toMatchObject({ ending: { kind: 'none passed' }, failedPerS: 400, pace: { verdict: 'server-cpu' } });
    expect(result.is).toMatch(/^Even 400\.0\/s does not keep p99\(transaction\) < 1 us/);
  });
});

describe('ends early', () => {
  const cut = (ending: RunRecord['ending']) => (record: RunRecord) => ({ ...record, ending });

  test('by Ctrl-C: what was measured is kept', async () => {
    const server = new ReckonedServer();
    const controller = new AbortController();
    server.changes.set(3, (record) => {
      controller.abort(new Error('Interrupted by SIGINT.'));
      return cut({ kind: 'interrupted', cause: 'SIGINT' })(record);
    });
    const result = await runSearch(request(), watch().view, controller.signal, server.run);
    expect(result).toMatchObject({
      ending: { kind: 'interrupted', cause: 'Interrupted by SIGINT.' },
      passedPerS: 500,
      levels: [{ ratePerS: 500, outcome: 'passed', passed: 2, failed: 0 }],
    });
    expect(result.is).toBe('It ended early: 500.0/s keeps p99(transaction) < 20 ms.');
  });

  test('where a run fails', async () => {
    const server = new ReckonedServer();
    server.changes.set(2, cut({ kind: 'failed', cause: 'The server is gone.' }));
    const result = await runSearch(request(), watch().view, NEVER, server.run);
    expect(result).toMatchObject({ ending: { kind: 'failed', cause: expect.stringContaining('The server is gone.') } });
    expect(result.levels).toMatchObject([{ ratePerS: 500, outcome: 'open', passed: 1 }]);
    expect(result.is).toBe('It ended early: nothing is known yet.');
  });

  test('in its first run: there is nothing to tell', async () => {
    const server = new ReckonedServer();
    server.changes.set(0, cut({ kind: 'failed', cause: 'The server is gone.' }));
    await expect(runSearch(request(), watch().view, NEVER, server.run)).rejects.toThrow(/The server is gone\./);
  });
});

test('where no run was diagnosed, it says that the pace is not known', async () => {
  const server = new ReckonedServer();
  const undiagnosed = ({ diagnosis: _diagnosis, ...record }: RunRecord): RunRecord => record;
  for (let number = 0; number < 100; number++) server.changes.set(number, undiagnosed);
  const result = await runSearch(request(COARSE), watch().view, NEVER, server.run);
  expect(result.ending.kind).toBe('found');
  expect(result).not.toHaveProperty('pace');
  expect(result.notes.join('\n')).toMatch(/pace above it is not known: the diagnosis needs runs of 5 s/);
});

test('a client that is late, and a percentile of a handful, are told', async () => {
  const server = new ReckonedServer();
  const late = (record: RunRecord) => ({ ...record, client: { ...record.client, scheduleLagP99Ms: 50 } });
  for (let number = 1; number < 100; number++) server.changes.set(number, late);
  const given = request({ rateMinPerS: 20, plan: { ...request().plan, timeS: 1 } });
  const { notes, trials } = await runSearch(given, watch().view, NEVER, server.run);
  expect(trials.every(({ cause }) => cause === 'client')).toBe(true);
  expect(notes).toEqual([
    expect.stringMatching(/fewer than 10 transactions lie beyond the percentile.*Raise --time to 50 or more/),
    expect.stringMatching(/the client was late itself/),
  ]);
});
