/** The noise floor of a machine and a workload: taken from experiments that compare a thing with itself, and kept. */
import { isDeepStrictEqual } from 'node:util';
import { nowMs } from '../../base/clock.ts';
import type { Change, ExperimentPlan, Variant } from '../../model/experiment.ts';
import type { RunRecord } from '../../model/run.ts';
import { metricOf } from '../../stats/metrics.ts';
import { type NoiseFloor, noiseFloorOfPairs } from '../../stats/noise-floor.ts';
import { type KeptNoiseFloor, openNoiseFloors } from '../../store/noise-floors.ts';
import { machineKeyOf, workloadKeyOf } from '../../store/run-keys.ts';
import type { PlacedRun } from './placed-run.ts';
import { percent } from './sentences.ts';

/** A variant that differs from the baseline by its name alone; undefined where there is none. */
export function twinOfBaseline({ variants, baseline }: ExperimentPlan): string | undefined {
  const own = variants.find(({ name }) => name === baseline);
  if (own === undefined) return undefined;
  return variants.find((each) => each !== own && isDeepStrictEqual(changeOf(each), changeOf(own)))?.name;
}

function changeOf({ name: _, is: __, levels: ___, pricePerMonth: ____, ...change }: Variant): Change {
  return change;
}

/** For a plan: that it measures a noise floor should be no surprise. */
export function noiseFloorBeforehand(plan: ExperimentPlan): string[] {
  const twin = twinOfBaseline(plan);
  if (twin === undefined) return [];
  return [
    `${plan.baseline} and ${twin} are alike: what they differ by is kept as the noise floor of this machine and ` +
      `workload, if it is of ${FLOOR_PAIRS_MIN} pairs at least and not above ${percent(FLOOR_SHARE_MAX)}.`,
  ];
}

/** Fewer pairs tell too little of how far others would scatter; a verdict takes as many. */
const FLOOR_PAIRS_MIN = 6;
/**
 * A machine on which equal things differ by more was busy with something else: that is no floor, it is no measurement.
 */
const FLOOR_SHARE_MAX = 0.2;

export interface KnownFloor {
  readonly noiseFloor: number;
  /** Where it comes from, and how it is renewed. */
  readonly noiseNote: string;
}

/** Empty where none was measured here for this work, or where this experiment measures it. */
export async function knownNoiseFloor(
  plan: ExperimentPlan,
  runs: readonly PlacedRun[],
  storeDirectory: string | undefined,
): Promise<KnownFloor | undefined> {
  const first = runs.find(({ variant }) => variant === plan.baseline);
  if (first === undefined || twinOfBaseline(plan) !== undefined) return undefined;
  const floors = openNoiseFloors(storeDirectory);
  const kept = await floors.find(machineKeyOf(first.record), workloadKeyOf(first.record));
  const floor = kept?.floors[plan.metric];
  // An older version kept whatever came out.
  if (kept === undefined || floor === undefined || whyNoFloor(floor) !== undefined) return undefined;
  return { noiseFloor: floor.smallestShare, noiseNote: usedNote(kept, floor) };
}

function usedNote(kept: KeptNoiseFloor, floor: NoiseFloor): string {
  const when = kept.measuredAt.slice(0, 10);
  const span = `${kept.runs.length} runs, ${kept.runs[0]} to ${kept.runs.at(-1)}`;
  return (
    `Differences below ${percent(floor.smallestShare)} are not claimed: that is the noise floor of this machine and ` +
    `workload, of ${floor.from.count} pairs of a thing with itself on ${when} (${span}). It is in ${fileOf(kept)}: ` +
    'another such experiment renews it, and without the file there is none.'
  );
}

function fileOf({ machineKey, workloadKey }: Pick<KeptNoiseFloor, 'machineKey' | 'workloadKey'>): string {
  return `noise-floors/${machineKey}/${workloadKey}.json of the store`;
}

/** Undefined where it tells what equal things differ by. */
function whyNoFloor({ from, smallestShare }: NoiseFloor): string | undefined {
  if (from.count < FLOOR_PAIRS_MIN) return `${from.count} pairs are too few, ${FLOOR_PAIRS_MIN} are needed`;
  if (smallestShare <= FLOOR_SHARE_MAX) return undefined;
  return `equal things would be said to differ by up to ${percent(smallestShare)}, and above ${percent(FLOOR_SHARE_MAX)} it says that the runs were disturbed or too short`;
}

/**
 * Of the experiment's own metrics, where it compares a thing with itself. Returns what became of it, in sentences.
 * What scatters too far is not kept: it would silence every later experiment.
 */
export async function keepNoiseFloor(
  plan: ExperimentPlan,
  runs: readonly PlacedRun[],
  storeDirectory: string | undefined,
): Promise<readonly string[]> {
  const twin = twinOfBaseline(plan);
  const first = runs.find(({ variant }) => variant === plan.baseline);
  if (twin === undefined || first === undefined) return [];
  const pairs = pairsOfTwins(plan, twin, runs);
  const measured = [plan.metric, ...plan.secondary].flatMap((name) => {
    const floor = floorOf(name, pairs);
    return floor === undefined ? [] : [{ name, floor, because: whyNoFloor(floor) }];
  });
  const telling = measured.filter(({ because }) => because === undefined);
  const refused = measured.flatMap(({ name, because }) =>
    because === undefined ? [] : [`No noise floor is kept of ${name}: ${because}.`],
  );
  if (measured.length === 0) return ['No noise floor is kept: too few pairs tell a figure.'];
  if (telling.length === 0) return refused;
  const kept: KeptNoiseFloor = {
    machineKey: machineKeyOf(first.record),
    workloadKey: workloadKeyOf(first.record),
    measuredAt: new Date(nowMs()).toISOString(),
    floors: Object.fromEntries(telling.map(({ name, floor }) => [name, floor])),
    runs: pairs.flatMap(({ one, other }) => [one.id, other.id]),
  };
  await openNoiseFloors(storeDirectory).save(kept);
  return [keptNote(kept), ...refused];
}

function keptNote(kept: KeptNoiseFloor): string {
  const shares = Object.entries(kept.floors).map(([name, { smallestShare }]) => `${name} ${percent(smallestShare)}`);
  return (
    `Kept as the noise floor of this machine and workload: ${shares.join(', ')}. Later experiments with the same ` +
    `workload and load claim no smaller difference. It is in ${fileOf(kept)}; this experiment, done again, renews it.`
  );
}

interface TwinPair {
  readonly one: RunRecord;
  readonly other: RunRecord;
}

function pairsOfTwins(plan: ExperimentPlan, twin: string, runs: readonly PlacedRun[]): TwinPair[] {
  return runs
    .filter(({ variant }) => variant === plan.baseline)
    .flatMap((one) => {
      const other = runs.find(({ block, variant }) => block === one.block && variant === twin);
      return other === undefined ? [] : [{ one: one.record, other: other.record }];
    });
}

function floorOf(name: string, pairs: readonly TwinPair[]): NoiseFloor | undefined {
  const { of } = metricOf(name);
  const seen = pairs.flatMap(({ one, other }) => {
    const [a, b] = [of(one), of(other)];
    return a === undefined || b === undefined ? [] : [{ a, b }];
  });
  return noiseFloorOfPairs(
    seen.map(({ a }) => a),
    seen.map(({ b }) => b),
  );
}
