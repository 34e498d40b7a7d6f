/** As many points as a chart can show, and every peak among them. */

/** Ends of the samples, and the values of each line at them. Null: not to be had at that moment. */
export interface Samples {
  readonly atS: readonly number[];
  readonly lines: readonly (readonly (number | null)[])[];
}

export interface Resampled extends Samples {
  /** Of so many samples each two points were made, the lowest and the highest; 1: all are there as they are. */
  readonly samplesPerStep: number;
}

/**
 * Where there are more than two samples for each of `stepsMax` steps: of each step the lowest and the highest value of
 * every line, in the order in which they came. All lines share their times, which are a quarter of a step from the
 * ends.
 */
export function resample({ atS, lines }: Samples, stepsMax: number): Resampled {
  if (atS.length <= 2 * stepsMax) return { atS, lines, samplesPerStep: 1 };
  const samplesPerStep = Math.ceil(atS.length / stepsMax);
  const starts = Array.from({ length: Math.ceil(atS.length / samplesPerStep) }, (_, step) => step * samplesPerStep);
  const times = starts.flatMap((start) => {
    const [first, last] = [atS[start]!, atS[Math.min(start + samplesPerStep, atS.length) - 1]!];
    return [first + (last - first) / 4, last - (last - first) / 4];
  });
  const pairs = lines.map((values) =>
    starts.flatMap((start) => lowestAndHighest(values.slice(start, start + samplesPerStep))),
  );
  return { atS: times, lines: pairs, samplesPerStep };
}

function lowestAndHighest(values: readonly (number | null)[]): [number | null, number | null] {
  let [low, high] = [-1, -1];
  for (const [at, value] of values.entries()) {
    if (value === null) continue;
    if (low === -1 || value < values[low]!) low = at;
    if (high === -1 || value > values[high]!) high = at;
  }
  if (low === -1) return [null, null];
  return low <= high ? [values[low]!, values[high]!] : [values[high]!, values[low]!];
}
