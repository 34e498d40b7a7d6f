/** All tests of the machine, by name. */
import type { HostTestName } from '../model/host-test.ts';
import { cpu } from './cpu.ts';
import { fileio } from './fileio/fileio.ts';
import type { HostTest } from './host-test.ts';
import { memory } from './memory.ts';
import { mutex } from './mutex.ts';
import { threads } from './threads.ts';

const HOST_TESTS: Readonly<Record<HostTestName, HostTest>> = { cpu, memory, fileio, threads, mutex };

export function hostTest(name: HostTestName): HostTest {
  return HOST_TESTS[name];
}
