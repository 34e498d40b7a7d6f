/**
 * The contract of a check: files in `catalog/` with a default export, a list of checks of one subject. A check is a
 * function of what was collected; it looks at nothing itself. What it cannot see it says, and never passes silently.
 */
import type { CheckLevel, CheckPlace, Remedy } from '../model/checkup.ts';
import type { Collected, HostLook, PlanFacts, ServerLook } from './collected.ts';

export interface Case {
  readonly collected: Collected;
  readonly plan: PlanFacts | undefined;
}

export interface Opinion {
  readonly level: CheckLevel;
  /** A sentence. */
  readonly is: string;
  readonly because?: string;
  readonly remedy?: Remedy;
}

interface CheckBase {
  /** Of the 35, as docs and people count them. */
  readonly number: number;
  /** Stable, for programs. */
  readonly id: string;
  readonly title: string;
}

/** Where what it looks at could not be seen at all, it is not asked: that is said for it. */
export type Check = CheckBase &
  (
    | { readonly of: 'server'; examine(server: ServerLook, it: Case): Opinion }
    | { readonly of: 'plan'; examine(plan: PlanFacts, it: Case): Opinion }
    /** `each host`: that of the server and that of the client, once where they are one. */
    | {
        readonly of: Exclude<CheckPlace, 'server' | 'plan'> | 'each host';
        examine(host: HostLook, it: Case): Opinion;
      }
  );

export function defineChecks(checks: readonly Check[]): readonly Check[] {
  return checks;
}

export function ok(is: string): Opinion {
  return { level: 'ok', is };
}

export function unseen(is: string, remedy?: Remedy): Opinion {
  return { level: 'unseen', is, ...(remedy === undefined ? {} : { remedy }) };
}

interface Reasons {
  readonly because: string;
  readonly remedy: Remedy;
}

export function info(is: string, reasons: Partial<Reasons> = {}): Opinion {
  return { level: 'info', is, ...reasons };
}

export function warning(is: string, reasons: Reasons): Opinion {
  return { level: 'warning', is, ...reasons };
}

export function block(is: string, reasons: Reasons): Opinion {
  return { level: 'block', is, ...reasons };
}

/** Undefined where the host does not tell, or tells something else than a number. */
export function numberOf(host: HostLook, fact: string): number | undefined {
  const value = host.facts[fact];
  return typeof value === 'number' ? value : undefined;
}

export function textOf(host: HostLook, fact: string): string | undefined {
  const value = host.facts[fact];
  return typeof value === 'string' ? value : undefined;
}

export function flagOf(host: HostLook, fact: string): boolean | undefined {
  const value = host.facts[fact];
  return typeof value === 'boolean' ? value : undefined;
}

/** Of a server: a variable or a status value that is a number. */
export function numberIn(values: ReadonlyMap<string, string>, ...names: readonly string[]): number | undefined {
  const text = names.map((name) => values.get(name)).find((value) => value !== undefined && value !== '');
  return text === undefined || !Number.isFinite(Number(text)) ? undefined : Number(text);
}

export function isOn(values: ReadonlyMap<string, string>, name: string): boolean {
  return /^(?:on|1|yes)$/i.test(values.get(name) ?? '');
}
