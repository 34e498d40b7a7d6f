/** The world outside of tests. */
import { connect } from '../wire/connection.ts';
import { loadWorkload } from '../workload/find.ts';
import { type LoadWorld, threadClock } from './world.ts';

export function realWorld(): LoadWorld {
  return {
    clock: threadClock(),
    connect,
    loadWorkload: async (nameOrPath) => (await loadWorkload(nameOrPath)).workload,
  };
}
