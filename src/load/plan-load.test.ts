import { describe, expect, test } from 'vitest';
import { UserError } from '../base/errors.ts';
import { defaultsOf } from '../base/options.ts';
import { parseOptions, splitWords } from '../base/options-parse.ts';
import { LOAD_OPTIONS } from './options.ts';
import { type LoadValues, loadNotes, loadProblems, planLoad } from './plan-load.ts';

const world = { cores: 2, drawSeed: () => 77 };
const defaults = defaultsOf(LOAD_OPTIONS);

/** As on the command line. */
function valuesOf(...args: readonly string[]): LoadValues {
  const { values, problems } = parseOptions(splitWords(args, LOAD_OPTIONS).options, LOAD_OPTIONS);
  expect(problems).toEqual([]);
  return values;
}

function planOf(...args: readonly string[]) {
  return planLoad(valuesOf(...args), world);
}

test('the defaults are those of sysbench 1.0', () => {
  expect(planLoad(defaults, world)).toEqual({
    threads: 1,
    workers: 1,
    timeS: 10,
    events: 0,
    eventsPerThread: 0,
    terminals: 0,
    terminalTimeFactor: 1,
    warmupS: 0,
    isWarmupAuto: false,
    ratePerS: 0,
    arrivals: 'poisson',
    queueMax: 131_072,
    intervalS: 1,
    checkpointsS: [],
    percentiles: [95],
    forcedShutdownS: undefined,
    threadInitTimeoutS: 30,
    rand: {
      type: 'special',
      scrambled: false,
      specIter: 12,
      specPct: 1,
      specRes: 75,
      paretoH: 0.2,
      zipfianExp: 0.8,
    },
    seed: 77,
    validate: false,
    preparedStatements: true,
    errors: {
      ignore: [1213, 1020, 1205],
      attemptsMax: 20,
      lostConnection: 'stop',
      reconnectDeadlineS: 60,
      reconnectEveryEvents: 0,
    },
  });
});

describe('what is written, and what it means', () => {
  test.each([
    { args: ['--rand-seed=5'], plan: { seed: 5 }, because: 'a seed that is given is kept' },
    { args: ['--workers=2', '--threads=4'], plan: { workers: 2 }, because: 'so are workers' },
    { args: ['--time=2.5', '--rate=0.5'], plan: { timeS: 2.5, ratePerS: 0.5 }, because: 'fractions are welcome' },
    { args: ['--report-interval=0.5'], plan: { intervalS: 0.5 }, because: 'sysbench takes whole seconds only' },
    { args: ['--time=7200'], plan: { intervalS: 2 }, because: 'long runs keep 3,600 intervals at most' },
    { args: ['--report-checkpoints=30,10,10'], plan: { checkpointsS: [10, 30] }, because: 'they are put in order' },
    { args: ['--percentile=99.9,50'], plan: { percentiles: [50, 99.9] }, because: 'a list, with fractions' },
    { args: ['--percentile=0'], plan: { percentiles: [] }, because: '0 shows none' },
    { args: ['--forced-shutdown'], plan: { forcedShutdownS: 0.5 }, because: 'alone it means 5% of the time' },
    { args: ['--forced-shutdown=3'], plan: { forcedShutdownS: 3 }, because: 'seconds' },
    { args: ['--forced-shutdown=50%'], plan: { forcedShutdownS: 5 }, because: 'per cent of the time' },
    { args: ['--forced-shutdown=off'], plan: { forcedShutdownS: undefined }, because: 'the default, written out' },
    { args: ['--db-ps-mode=disable'], plan: { preparedStatements: false }, because: 'sysbench calls it so' },
    { args: ['--num-threads=3'], plan: { threads: 3 }, because: 'old spellings work' },
    { args: ['--max-requests=9', '--max-time=8'], plan: { events: 9, timeS: 8 }, because: 'all of them' },
    { args: ['--tx-rate=4'], plan: { ratePerS: 4 }, because: 'all of them' },
    { args: ['--warmup=auto'], plan: { isWarmupAuto: true, warmupS: 300 }, because: 'it has a limit' },
    { args: ['--terminals=3', '--threads=8'], plan: { terminals: 3, workers: 1 }, because: 'each worker has one' },
  ])('$args: $because', ({ args, plan }) => {
    expect(planOf(...args)).toMatchObject(plan);
  });

  test.each([
    { args: ['--mysql-ignore-errors=all'], errors: { ignore: 'all', lostConnection: 'resume' } },
    { args: ['--mysql-ignore-errors=1213,2013'], errors: { ignore: [1213, 2013], lostConnection: 'resume' } },
    { args: ['--mysql-ignore-errors='], errors: { ignore: [], lostConnection: 'stop' } },
    { args: ['--reconnect'], errors: { lostConnection: 'resume', reconnectEveryEvents: 0 } },
    { args: ['--reconnect=10'], errors: { lostConnection: 'resume', reconnectEveryEvents: 10 } },
    { args: ['--reconnect=0'], errors: { lostConnection: 'stop', reconnectEveryEvents: 0 } },
  ])('$args', ({ args, errors }) => {
    expect(planOf(...args).errors).toMatchObject(errors);
  });
});

describe('what does not fit', () => {
  test.each([
    { args: ['--workers=3', '--threads=2'], says: /--workers=3 is more than --threads=2/ },
    { args: ['--forced-shutdown=soon'], says: /--forced-shutdown=soon is neither/ },
    { args: ['--forced-shutdown=5', '--time=0', '--events=1'], says: /--time=0 has none/ },
    { args: ['--report-interval=0.001'], says: /shorter than 0.01/ },
    { args: ['--report-checkpoints=5,x'], says: /--report-checkpoints: x/ },
    { args: ['--percentile=101'], says: /--percentile: 101/ },
    { args: ['--percentile=0,50'], says: /--percentile: 0/ },
    { args: ['--rand-pareto-h=1'], says: /--rand-pareto-h=1/ },
    { args: ['--mysql-ignore-errors=deadlock'], says: /--mysql-ignore-errors: deadlock/ },
    { args: ['--reconnect=often'], says: /--reconnect=often/ },
    { args: ['--warmup=auto', '--warmup-time=20'], says: /after 24 intervals, 24 s, at the earliest/ },
    { args: ['--warmup=auto', '--report-checkpoints=5'], says: /does not go with --warmup=auto/ },
    { args: ['--terminals=5', '--rate=5'], says: /both say when transactions are due/ },
    { args: ['--events=5', '--events-per-thread=5'], says: /both limit the transactions/ },
  ])('$args', ({ args, says }) => {
    expect(() => planOf(...args)).toThrow(says);
    expect(loadProblems(valuesOf(...args)).every(({ remedy }) => remedy !== undefined)).toBe(true);
  });

  test('everything is told at once', () => {
    const wrong = () => planOf('--workers=3', '--percentile=200', '--reconnect=x');
    expect(wrong).toThrow(UserError);
    expect(wrong).toThrow(/workers[\s\S]*percentile[\s\S]*reconnect/);
  });
});

test.each([
  { args: ['--time=0'], says: /Ctrl-C/ },
  { args: ['--report-checkpoints=5,20'], says: /20 s lie after the end/ },
  { args: ['--threads=8', '--events=2'], says: /6 of 8 threads/ },
])('$args is allowed, with a note', ({ args, says }) => {
  expect(loadNotes(planOf(...args)).join()).toMatch(says);
});

test('an ordinary plan has no notes', () => {
  expect(loadNotes(planLoad(defaults, world))).toEqual([]);
});
