/** Results of one text, each with each; and which of their figures tell whether one was made from another. */
import type { MeasuredFacts } from '../foreign-output/facts.ts';

/** The earlier one first. Tools are not compared with each other: they count different things. */
export function pairs(measurements: readonly MeasuredFacts[]): [MeasuredFacts, MeasuredFacts][] {
  return measurements.flatMap((one, at) =>
    measurements
      .slice(at + 1)
      .filter(({ tool }) => tool === one.tool)
      .map((other): [MeasuredFacts, MeasuredFacts] => [one, other]),
  );
}

/** Settings, and what hardly differs between any two runs. */
const NOT_MEASURED = new Set([
  'threads',
  'queriesPerThread',
  'elapsedS',
  'timePerThreadS',
  'timePerThreadStddevS',
  'reconnects',
  'reconnectsPerS',
  'ignoredErrors',
  'ignoredErrorsPerS',
]);
const WORK = new Set([
  'reads',
  'writes',
  'others',
  'queriesOfKinds',
  'queries',
  'transactions',
  'events',
  'eventsPerThread',
]);

/** Percentiles are left out: on a scale of steps, two runs often share one. */
export function isMeasuredKey(key: string): boolean {
  return !NOT_MEASURED.has(key) && !/^p[\d.]+$/.test(key);
}

/** The same in every run of a fixed amount of work. */
export function isWorkKey(key: string): boolean {
  return WORK.has(key);
}
