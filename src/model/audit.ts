/** What an audit says: `sqldyno.audit/1`. Plain data, as printed by `sqldyno audit --json`. */

export const AUDIT_FORMAT = 'sqldyno.audit/1';

export interface AuditCell {
  readonly label: string;
  /** Of a table. */
  readonly column?: string;
  /** Of the text, from 1. */
  readonly line: number;
  /** The digits as they stand there. */
  readonly written: string;
}

export const AUDIT_OUTCOMES = ['passes', 'fails', 'cannot tell'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

export interface AuditCheck {
  /** 'R1' to 'R20'. */
  readonly rule: string;
  readonly outcome: AuditOutcome;
  /** What was checked: 'Table 6, gp2', 'lines 19 to 40', or 'the text'. */
  readonly of: string;
  /** A sentence; where it cannot be told, why. */
  readonly is: string;
  /** The reckoning, line by line. */
  readonly arithmetic: readonly string[];
  readonly cells: readonly AuditCell[];
}

export interface AuditRule {
  readonly id: string;
  readonly title: string;
}

export interface AuditedResult {
  readonly name: string;
  readonly tool: string;
  readonly toolVersion?: string;
  readonly firstLine: number;
  readonly lastLine: number;
  /** How many figures of it could be read. */
  readonly figures: number;
}

export interface AuditReport {
  readonly format: typeof AUDIT_FORMAT;
  /** The file's name, or '-'. */
  readonly source: string;
  /** A sentence. */
  readonly verdict: string;
  readonly results: readonly AuditedResult[];
  readonly rules: readonly AuditRule[];
  readonly checks: readonly AuditCheck[];
  readonly notes: readonly string[];
}
