/** Whether runs pass: each of them valid, each requirement met by each, and nothing slower than the baseline. */
import { GATE_FORMAT, type GateReport, type Requirement } from '../../model/gate.ts';
import type { RunRecord } from '../../model/run.ts';
import type { RunGroup } from '../compare/groups.ts';
import { againstBaseline, type BaselineTerms } from './against-baseline.ts';
import { checkRun, judgeRun } from './checks.ts';

export interface GateQuestion {
  readonly requirements: readonly Requirement[];
  readonly groups: readonly RunGroup[];
  /** Absent: nothing is compared. */
  readonly baseline?: { readonly group: RunGroup; readonly terms: BaselineTerms };
}

export function gate({ requirements, groups, baseline }: GateQuestion): GateReport {
  const records = distinct(groups.flatMap(({ runs }) => runs));
  const runs = records.map(judgeRun);
  const checks = records.flatMap((record) => requirements.map((requirement) => checkRun(record, requirement)));
  const { comparisons, notes } =
    baseline === undefined ? { comparisons: [], notes: [] } : againstBaseline(baseline.group, groups, baseline.terms);
  const parts = { runs, checks, comparisons };
  const failures = failuresOf(parts);
  return {
    format: GATE_FORMAT,
    isMet: failures.length === 0 && runs.length > 0,
    is: sentenceOf(parts, failures),
    ...parts,
    isStrict: baseline?.terms.isStrict ?? false,
    notes,
  };
}

type Parts = Pick<GateReport, 'runs' | 'checks' | 'comparisons'>;

function failuresOf({ runs, checks, comparisons }: Parts): string[] {
  const label = (run: string) => (runs.length > 1 ? ` (${run})` : '');
  return [
    ...runs.filter(({ isValid }) => !isValid).map(({ run }) => `a run proves nothing${label(run)}`),
    ...checks.filter(({ isMet }) => !isMet).map(({ requirement, run }) => `${requirement.is}${label(run)}`),
    ...comparisons
      .filter(({ isMet }) => !isMet)
      .map(({ metric, of, baseline, verdict }) => `${metric} of ${of} against ${baseline}: ${verdict}`),
  ];
}

function sentenceOf({ runs, checks, comparisons }: Parts, failures: readonly string[]): string {
  if (runs.length === 0) return 'The gate is not met: there is no run.';
  if (failures.length > 0) return `The gate is not met: ${failures.join('; ')}.`;
  const undecided = comparisons.filter(({ verdict }) => verdict === 'UNDECIDED').length;
  const held = [
    ...(checks.length === 0 ? [] : [`${counted(checks.length, 'requirement')} held`]),
    ...(comparisons.length === 0 ? [] : [`${counted(comparisons.length, 'comparison')} with the baseline passed`]),
  ];
  const doubt = undecided === 0 ? '' : `, ${undecided} of them UNDECIDED`;
  return `The gate is met: ${counted(runs.length, 'run')}, ${held.join(', ')}${doubt}.`;
}

function counted(count: number, of: string): string {
  return `${count} ${of}${count === 1 ? '' : 's'}`;
}

function distinct(records: readonly RunRecord[]): RunRecord[] {
  return [...new Map(records.map((record) => [record.id, record])).values()];
}
