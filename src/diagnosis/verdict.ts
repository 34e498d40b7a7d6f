/** The contract of a verdict: one file in `catalog/` with a default export, a rule over the evidence of one run. */
import type { Verdict } from '../model/judgement.ts';
import type { Shares } from './budget.ts';
import type { Evidence } from './evidence.ts';

export interface Case {
  readonly evidence: Evidence;
  readonly shares: Shares;
}

/** Undefined where the evidence does not bear it. `share` decides between several that could each be the bottleneck. */
export type Rule = (it: Case) => Omit<Verdict, 'id'> | undefined;

export function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
}

export function figure(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}
