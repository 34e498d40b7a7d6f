/**
 * What the doctor says: `sqldyno.checkup/1`, one result for each check and place. Plain data, as `doctor --json` prints
 * it.
 */

export const CHECKUP_FORMAT = 'sqldyno.checkup/1';

export const PLACES = ['server', 'server host', 'client host', 'plan'] as const;
export type CheckPlace = (typeof PLACES)[number];

/**
 * block: what is measured would not be valid. warning: it would be worth less. info: good to know. unseen: it could not
 * be looked at, which is no good news and no bad.
 */
export const LEVELS = ['block', 'warning', 'info', 'unseen', 'ok'] as const;
export type CheckLevel = (typeof LEVELS)[number];

export interface Remedy {
  /** What to do, as a sentence. */
  readonly is: string;
  /** Commands for a shell on that host. */
  readonly shell?: readonly string[];
  /** Statements for the server, without their semicolons. */
  readonly sql?: readonly string[];
}

export interface CheckResult {
  /** Stable, for programs: `transparent-hugepages`. */
  readonly check: string;
  /** As docs and people count them, 1 to 35. */
  readonly number: number;
  readonly title: string;
  readonly of: CheckPlace;
  /** Of a host, which one: `this machine`, `ssh dba@db1`. */
  readonly at?: string;
  readonly level: CheckLevel;
  readonly is: string;
  /** What was measured, and why it matters. With every block and warning. */
  readonly because?: string;
  /** With every block and warning. */
  readonly remedy?: Remedy;
}

/** Commands that would remedy, by host. */
export interface Fix {
  /** `this machine`, `ssh dba@db1`, `the server`. */
  readonly where: string;
  readonly kind: 'shell' | 'sql';
  /** Each command once, with the titles of the checks that it is for. */
  readonly commands: readonly { readonly command: string; readonly for: readonly string[] }[];
}

export interface Checkup {
  readonly format: typeof CHECKUP_FORMAT;
  readonly sqldyno: { readonly version: string };
  /** Null: no server was named and no private one ran; no load was named. */
  readonly examined: { readonly server: string | null; readonly workload: string | null };
  readonly tookS: number;
  readonly counts: Readonly<Record<CheckLevel, number>>;
  readonly checks: readonly CheckResult[];
  /** What blocks and warns first. */
  readonly fixes: readonly Fix[];
}
