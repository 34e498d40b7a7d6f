/**
 * How long an experiment takes, and how much of a disk: from the plan, and from what was measured before, if anything.
 */

import type { ExperimentPlan } from '../../model/experiment.ts';
import type { EstimatedPart, ExperimentEstimate } from '../../model/experiment-estimate.ts';
import { dataBytesOf } from './data-size.ts';
import { datasetOf } from './dataset.ts';
import type { ResolvedVariant } from './stage.ts';

/** What is known of the machine; each has a cautious default. */
export interface EstimateFacts {
  /** Loading data, with its indexes. */
  readonly loadBytesPerS?: number;
  readonly copyBytesPerS?: number;
  /** The file system makes copies that share their blocks. */
  readonly canReflink?: boolean;
  /** Of a run that ends when its work is done, not by a clock. */
  readonly workS?: number;
}

/** Two slow cores, or a network in between. */
const LOAD_BYTES_PER_S = 20e6;
/** A SATA disk; NVMe does ten times as much. */
const COPY_BYTES_PER_S = 250e6;
/** From the page cache or from the same disk. */
const READ_BYTES_PER_S = 250e6;
const REFLINK_S = 0.2;
/** Clean stop, start, and waiting until pages and history are written and purged. */
const RESTART_S = 4;
/** Making a data directory for a server of its own. */
const BOOTSTRAP_S = 6;
/** Preflight, connecting, the dry run, and saving. */
const AROUND_RUN_S = 2;
const WORK_S = 30;
/** A data directory without data: system tables, undo, the redo log. */
const EMPTY_DIRECTORY_BYTES = 400e6;
/** What is asked for where `--warmup=auto` ends by itself. */
const WARMUP_AUTO_S = 60;

export function estimate(
  plan: ExperimentPlan,
  resolved: readonly ResolvedVariant[],
  facts: EstimateFacts = {},
): ExperimentEstimate {
  const sets = dataSetsOf(plan, resolved);
  const parts = [
    prepare(plan, sets, facts),
    ...restoring(plan, resolved, facts),
    starting(plan, resolved),
    warmingUp(plan, resolved),
    measuring(plan, resolved, facts),
  ].filter(({ elapsedS }) => elapsedS > 0);
  const bytes = sets.map(dataBytesOf);
  const isKnown = bytes.every((size) => size !== undefined);
  return {
    totalS: parts.reduce((sum, { elapsedS }) => sum + elapsedS, 0),
    parts,
    ...(isKnown ? { diskBytes: diskBytesOf(plan, sets, facts) } : {}),
    dataSets: sets.length,
    assumed: assumptions(resolved, facts, isKnown),
  };
}

/** Variants that need the same data, on the same server, share it. */
function dataSetsOf(plan: ExperimentPlan, resolved: readonly ResolvedVariant[]): ResolvedVariant[] {
  return [...new Map(resolved.map((each) => [dataKey(plan, each), each])).values()];
}

function dataKey(plan: ExperimentPlan, resolved: ResolvedVariant): string {
  const { target = plan.target, server, dataDirectory, settings } = resolved.variant;
  const { key } = datasetOf(resolved, undefined, { ...plan.settings, ...settings });
  return JSON.stringify([target, server, dataDirectory, key]);
}

function prepare(plan: ExperimentPlan, sets: readonly ResolvedVariant[], facts: EstimateFacts): EstimatedPart {
  const perS = facts.loadBytesPerS ?? LOAD_BYTES_PER_S;
  const elapsedS = sum(sets.map((set) => (isPrivate(plan, set) ? BOOTSTRAP_S : 0) + (dataBytesOf(set) ?? 0) / perS));
  const what = sets.length === 1 ? 'the data, once' : `${sets.length} different sets of data, once each`;
  return { name: 'prepare', is: `loading ${what}`, elapsedS };
}

function restoring(plan: ExperimentPlan, resolved: readonly ResolvedVariant[], facts: EstimateFacts): EstimatedPart[] {
  const { data } = plan.start;
  if (data === 'kept') return [];
  const isCopy = data === 'restored';
  const perS = isCopy ? (facts.copyBytesPerS ?? COPY_BYTES_PER_S) : (facts.loadBytesPerS ?? LOAD_BYTES_PER_S);
  const each = (variant: ResolvedVariant) => {
    if (isCopy && facts.canReflink === true) return REFLINK_S;
    return ((dataBytesOf(variant) ?? 0) + (isCopy ? EMPTY_DIRECTORY_BYTES : 0)) / perS;
  };
  const is = isCopy ? 'putting the data back before each run' : 'making the data anew before each run';
  return [{ name: 'restore', is, elapsedS: plan.blocks * sum(resolved.map(each)) }];
}

function starting(plan: ExperimentPlan, resolved: readonly ResolvedVariant[]): EstimatedPart {
  const restarted = resolved.filter((each) => isPrivate(plan, each)).length;
  return {
    name: 'start',
    is: `${restarted > 0 ? 'starting servers, ' : ''}waiting until nothing is left to write, and checking`,
    elapsedS: plan.blocks * (restarted * RESTART_S + resolved.length * AROUND_RUN_S),
  };
}

function isPrivate(plan: ExperimentPlan, { variant }: ResolvedVariant): boolean {
  return (variant.target ?? plan.target) === 'private';
}

function warmingUp(plan: ExperimentPlan, resolved: readonly ResolvedVariant[]): EstimatedPart {
  const each = ({ plan: load, ...variant }: ResolvedVariant) => {
    const readS = plan.start.cache === 'warm' ? (dataBytesOf({ plan: load, ...variant }) ?? 0) / READ_BYTES_PER_S : 0;
    return readS + (load.isWarmupAuto ? Math.min(load.warmupS, WARMUP_AUTO_S) : load.warmupS);
  };
  return {
    name: 'warm-up',
    is: plan.start.cache === 'warm' ? 'reading the tables, and load that is not measured' : 'load that is not measured',
    elapsedS: plan.blocks * sum(resolved.map(each)),
  };
}

function measuring(plan: ExperimentPlan, resolved: readonly ResolvedVariant[], facts: EstimateFacts): EstimatedPart {
  const each = ({ plan: { timeS } }: ResolvedVariant) => (timeS > 0 ? timeS : (facts.workS ?? WORK_S));
  const runs = plan.blocks * resolved.length;
  return {
    name: 'measure',
    is: `${runs} runs: ${plan.blocks} of ${resolved.length === 1 ? 'one variant' : `each of ${resolved.length} variants`}`,
    elapsedS: plan.blocks * sum(resolved.map(each)),
  };
}

/** The originals, and one copy that is being worked on. */
function diskBytesOf(plan: ExperimentPlan, sets: readonly ResolvedVariant[], facts: EstimateFacts): number {
  const sizes = sets.map((set) => (dataBytesOf(set) ?? 0) + (isPrivate(plan, set) ? EMPTY_DIRECTORY_BYTES : 0));
  const hasCopy = plan.start.data === 'restored' && facts.canReflink !== true;
  return sum(sizes) + (hasCopy ? Math.max(0, ...sizes) : 0);
}

function assumptions(resolved: readonly ResolvedVariant[], facts: EstimateFacts, isSizeKnown: boolean): string[] {
  const byWork = resolved.some(({ plan: { timeS } }) => timeS === 0);
  return [
    ...(isSizeKnown ? [] : ['How large the data is, this workload does not tell: loading and copying are not in it.']),
    ...(byWork && facts.workS === undefined
      ? [`Its runs end when their work is done: ${WORK_S} s for each is a guess.`]
      : []),
    ...(facts.loadBytesPerS === undefined || facts.copyBytesPerS === undefined
      ? ['Speeds of loading and copying are cautious guesses; after the first block the time left is measured.']
      : []),
    ...(resolved.some(({ variant: { enter } }) => enter !== undefined)
      ? ['What the commands of the variants take is not in it.']
      : []),
    ...(resolved.some(({ plan: { isWarmupAuto } }) => isWarmupAuto)
      ? [`Warming up ends by itself: ${WARMUP_AUTO_S} s is a guess.`]
      : []),
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
