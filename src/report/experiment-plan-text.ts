/** What an experiment is going to do, for `experiment plan`: nothing of it has been done yet. */
import { formatBytes, formatDuration } from '../base/units.ts';
import type { ExperimentPlan, PlannedRun, Variant } from '../model/experiment.ts';
import type { ExperimentEstimate } from '../model/experiment-estimate.ts';
import { planFacts } from './experiment-tables.ts';
import { hangingLines, noteLines, valueLines } from './layout.ts';

export interface ShownPlan {
  readonly plan: ExperimentPlan;
  /** In the order in which they will be done. */
  readonly runs: readonly PlannedRun[];
  readonly estimate: ExperimentEstimate;
  /** What can be said before the first run, beside the plan's own notes. */
  readonly beforehand: readonly string[];
}

export function planText({ plan, runs, estimate, beforehand }: ShownPlan): string {
  const title = plan.question === undefined ? plan.name : `${plan.name}: ${plan.question}`;
  const notes = [...new Set([...plan.notes, ...beforehand])];
  const paragraphs = [
    hangingLines('Experiment ', title),
    notes.length === 0 ? [] : ['To be known beforehand:', ...notes.flatMap((note) => hangingLines('  - ', note))],
    ['What will be done:', ...planFacts(plan).flatMap(([name, value]) => valueLines(name, value))],
    ['In this order:', ...orderLines(plan, runs)],
    ['What is changed, and put back:', ...changeLines(plan)],
    ['A run does not count, and is done again, where:', ...invalidLines(plan)],
    [`How long it takes: about ${formatDuration(estimate.totalS)}`, ...estimateLines(estimate)],
  ];
  const shown = paragraphs.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${shown.join('\n\n')}\n`;
}

/** Rows of blocks are long, and letters short. */
function orderLines({ variants }: ExperimentPlan, runs: readonly PlannedRun[]): string[] {
  const letters = new Map(variants.map(({ name }, index) => [name, letterOf(index)]));
  const blocks = new Map<number, string[]>();
  for (const { block, variant } of runs) {
    blocks.set(block, [...(blocks.get(block) ?? []), letters.get(variant) ?? variant]);
  }
  const isLong = variants.length > LETTERS_MAX;
  const orders = [...blocks.values()].map((order) => order.join(isLong ? ' ' : ''));
  return [
    ...noteLines(orders.join(isLong ? ', ' : ' ')),
    ...variants.flatMap(({ name }) => valueLines(letters.get(name) ?? '', name)),
    ...noteLines('Each group is a block: every variant once, and all of them with the same seed.'),
  ];
}

const LETTERS_MAX = 26;

function letterOf(index: number): string {
  return index < LETTERS_MAX
    ? String.fromCharCode('A'.charCodeAt(0) + index)
    : `${letterOf(Math.floor(index / LETTERS_MAX) - 1)}${letterOf(index % LETTERS_MAX)}`;
}

function changeLines(plan: ExperimentPlan): string[] {
  const { variants, target, settings } = plan;
  const targets = new Set(variants.map((variant) => variant.target ?? target));
  const isOption = (variant: Variant) => variant.settings !== undefined;
  const lines = [
    targets.has('private') ? 'A server of its own is started, and removed with its data at the end.' : undefined,
    Object.keys(settings).length > 0 || variants.some(isOption)
      ? 'Settings stand in the option file of that server, which is started again with each change.'
      : undefined,
    named(
      'SET GLOBAL',
      variants,
      ({ global }) => global,
      'put back after each run, and after a crash of this program.',
    ),
    named('SET PERSIST', variants, ({ persist }) => persist, 'reset afterwards.'),
    ...commands(variants),
    targets.has('private') && targets.size === 1
      ? undefined
      : 'On a server that is named, tables of the workload are made where they are not there, and stay.',
  ];
  return lines.filter((line) => line !== undefined).flatMap((line) => hangingLines('  - ', line));
}

function named(
  what: string,
  variants: readonly Variant[],
  of: (variant: Variant) => Readonly<Record<string, string>> | undefined,
  then: string,
): string | undefined {
  const names = new Set(variants.flatMap((variant) => Object.keys(of(variant) ?? {})));
  return names.size === 0 ? undefined : `${what} of ${[...names].join(', ')}: ${then}`;
}

function commands(variants: readonly Variant[]): string[] {
  return variants.flatMap(({ name, enter, leave }) => {
    if (enter === undefined) return [];
    const undone = leave === undefined ? 'nothing undoes it' : `afterwards: ${inLine(leave)}`;
    return [`Before the runs of ${name}: ${inLine(enter)}; ${undone}.`];
  });
}

function inLine(command: string): string {
  return command.trim().replaceAll('\n', '; ');
}

function invalidLines({ invalid }: ExperimentPlan): string[] {
  const percent = (share: number) => `${Number((share * 100).toFixed(1))} %`;
  const rules = [
    'it ends early, or its own checks find it invalid',
    `a hypervisor gives more than ${percent(invalid.stealShareMax)} of the processors' time to others`,
    `more than ${percent(invalid.errorShareMax)} of its statements fail, counted by committed transactions`,
    ...(invalid.swap ? ['the host swaps'] : []),
    ...(invalid.throttle ? ['the processors are slowed down'] : []),
  ];
  return [
    ...rules.flatMap((rule) => hangingLines('  - ', rule)),
    ...noteLines(`After ${invalid.attemptsMax} attempts the experiment stops, and can be taken up again.`),
  ];
}

function estimateLines({ parts, diskBytes, assumed }: ExperimentEstimate): string[] {
  return [
    ...parts.flatMap(({ name, is, elapsedS }) => valueLines(name, `${formatDuration(elapsedS)}: ${is}`)),
    ...(diskBytes === undefined ? [] : valueLines('disk', `about ${formatBytes(diskBytes)}`)),
    ...assumed.flatMap((sentence) => noteLines(sentence)),
  ];
}
