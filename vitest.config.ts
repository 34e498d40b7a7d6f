/** Three tiers: `quick` is the inner loop, `exhaustive` takes its time, `server` starts real servers and runs dist/. */
import { defineConfig } from 'vitest/config';

/**
 * Every byte, every chunk, every packet of a session, and thousands of made-up experiments: seconds each, and no news
 * unless the protocol or the statistics were touched.
 */
const EXHAUSTIVE = ['test/wire-{cut,malformed,split}.test.ts', 'src/stats/*-simulation.test.ts'];

/** A private server takes a few seconds to start on a small machine; a hang must still end. */
const SERVER_TEST_TIMEOUT_MS = 180_000;
/** Each file may run a server of its own: more at once would measure the machine's patience. */
const SERVER_FILES_AT_ONCE = 2;

const WITHOUT_DATABASE = {
  testTimeout: 20_000,
  // No test changes what its modules hold, so files may share them: it halves the time.
  isolate: false,
  pool: 'forks',
  // Vitest would leave one core to an editor, which on two cores is half the speed.
  maxWorkers: '100%',
} as const;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...WITHOUT_DATABASE,
          name: 'quick',
          include: ['src/**/*.test.ts', 'test/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: EXHAUSTIVE,
          sequence: { groupOrder: 0 },
        },
      },
      { test: { ...WITHOUT_DATABASE, name: 'exhaustive', include: EXHAUSTIVE, sequence: { groupOrder: 1 } } },
      {
        test: {
          name: 'server',
          include: ['test/server/**/*.test.ts'],
          testTimeout: SERVER_TEST_TIMEOUT_MS,
          hookTimeout: SERVER_TEST_TIMEOUT_MS,
          pool: 'forks',
          maxWorkers: SERVER_FILES_AT_ONCE,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
