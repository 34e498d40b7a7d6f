/** Two tiers: `quick` needs no database and no build, `server` starts real private servers and runs dist/. */
import { defineConfig } from 'vitest/config';

/** A private server takes a few seconds to start on a small machine; a hang must still end. */
const SERVER_TEST_TIMEOUT_MS = 180_000;
/** Each file may run a server of its own: more at once would measure the machine's patience. */
const SERVER_FILES_AT_ONCE = 2;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'quick',
          include: ['src/**/*.test.ts', 'test/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'],
          testTimeout: 20_000,
          // No test changes what its modules hold, so files may share them: it halves the time.
          isolate: false,
          pool: 'forks',
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'server',
          include: ['test/server/**/*.test.ts'],
          testTimeout: SERVER_TEST_TIMEOUT_MS,
          hookTimeout: SERVER_TEST_TIMEOUT_MS,
          pool: 'forks',
          maxWorkers: SERVER_FILES_AT_ONCE,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
