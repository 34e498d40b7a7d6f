/** `cpu`: an event finds the primes up to a limit by trial division. */
import { monotonicMs } from '../base/clock.ts';
import { integer, type ValuesOf } from '../base/options.ts';
import type { EventRunner } from './event-loop.ts';
import { defineHostTest } from './host-test.ts';

const OPTIONS = {
  cpu_max_prime: integer({
    default: 10_000,
    min: 3,
    // Above it V8 counts in floating point, and an event would be another kind of work.
    max: 2_147_483_647,
    help: 'an event looks for the primes up to this',
  }),
} as const;

export const cpu = defineHostTest({
  name: 'cpu',
  summary: 'how fast the processors are: primes by trial division, on threads of this program',
  details: [
    'An event divides every number up to --cpu-max-prime by 2, 3, 4 and so on up to its root, or until one divides it. ' +
      'Before the clock starts, each thread has done it often enough for V8 to have compiled it.',
  ],
  options: OPTIONS,
  comparison: () =>
    'Not comparable with the figure of sysbench: the divisions are the same, but V8 makes other machine code of them than a ' +
    "C compiler does, and what that is worth depends on the processor. Compare only sqldyno's own figures.",
  threadNeeds: () => ({}),
  createRunner: ({ cpu_max_prime: maxPrime }) => createCpuRunner(maxPrime),
  measured: ({ cpu_max_prime: maxPrime }, { events, counts }) => ({
    test: 'cpu',
    maxPrime,
    primesPerEvent: events === 0 ? 0 : (counts['primes'] ?? 0) / events,
  }),
  findings: ({ measured }) =>
    measured.test !== 'cpu' || Number.isInteger(measured.primesPerEvent)
      ? []
      : [
          {
            id: 'wrong-results',
            severity: 'invalid',
            is: 'Not every event found the same number of primes.',
            because: `There were ${measured.primesPerEvent} primes per event, and there is only one right number.`,
            remedy:
              'The processor or the memory computes wrongly: test the memory, undo overclocking, look at the cooling.',
          },
        ],
});

/** Long enough for V8 to compile and to replace what runs by what it compiled. */
const WARM_UP_MS = 100;
const WARM_UP_PRIME_MAX = 10_000;

export function createCpuRunner(maxPrime: ValuesOf<typeof OPTIONS>['cpu_max_prime']): EventRunner {
  let primes = 0;
  const untilMs = monotonicMs() + WARM_UP_MS;
  while (monotonicMs() < untilMs) primesUpTo(WARM_UP_PRIME_MAX);
  return {
    eventsTogetherMax: 1,
    run: (events) => {
      for (let event = 0; event < events; event++) primes += primesUpTo(maxPrime);
    },
    counts: () => ({ primes }),
  };
}

/** Hot: all its arithmetic is on 32-bit integers. */
export function primesUpTo(max: number): number {
  let primes = 0;
  for (let candidate = 2; candidate <= max; candidate++) {
    const root = Math.floor(Math.sqrt(candidate)) | 0;
    let divisor = 2;
    while (divisor <= root && (((candidate | 0) % (divisor | 0)) | 0) !== 0) divisor++;
    if (divisor > root) primes++;
  }
  return primes;
}
