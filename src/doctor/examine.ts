/** All checks over what was collected, and what is made of their results: findings of a run, commands that remedy. */
import { entryNames, loadEntry } from '../base/catalog.ts';
import type { CheckPlace, CheckResult, Fix, Remedy } from '../model/checkup.ts';
import type { Finding } from '../model/run.ts';
import { type Case, type Check, type Opinion, unseen } from './check.ts';
import type { Collected, HostLook, PlanFacts, Seen } from './collected.ts';

const CATALOG = new URL('./catalog/', import.meta.url);

/** In the order of their numbers. */
export async function loadChecks(): Promise<readonly Check[]> {
  const lists = await Promise.all(
    entryNames(CATALOG).map(async (name) => (await loadEntry(CATALOG, name)) as readonly Check[]),
  );
  return lists.flat().sort((one, other) => one.number - other.number);
}

/** `accepted`: ids of checks whose blocks and warnings the user has heard of. */
export async function preflightChecks(
  collected: Collected,
  plan: PlanFacts | undefined,
  accepted: readonly string[] = [],
): Promise<readonly CheckResult[]> {
  const it: Case = { collected, plan };
  const results = (await loadChecks()).flatMap((check) => resultsOf(check, it));
  return results.map((result) => (accepted.includes(result.check) ? acceptedResult(result) : result));
}

function acceptedResult(result: CheckResult): CheckResult {
  if (result.level !== 'block' && result.level !== 'warning') return result;
  return { ...result, level: 'info', is: `${result.is} (Accepted.)` };
}

function resultsOf(check: Check, it: Case): CheckResult[] {
  const { collected, plan } = it;
  switch (check.of) {
    case 'server':
      return [
        result(
          check,
          'server',
          opinionOf(collected.server, (server) => check.examine(server, it)),
        ),
      ];
    case 'plan': {
      const opinion = plan === undefined ? unseen('No load was named.') : check.examine(plan, it);
      return [result(check, 'plan', opinion)];
    }
    case 'server host':
      return [ofHost(check, 'server host', it)];
    case 'client host':
      return [ofHost(check, 'client host', it)];
    case 'each host': {
      const places: HostPlace[] =
        collected.serverHost === collected.clientHost ? ['server host'] : ['server host', 'client host'];
      return places.map((place) => ofHost(check, place, it));
    }
  }
}

type HostPlace = Extract<CheckPlace, 'server host' | 'client host'>;
type HostCheck = Extract<Check, { examine(host: HostLook, it: Case): Opinion }>;

function ofHost(check: HostCheck, place: HostPlace, it: Case): CheckResult {
  const host = place === 'server host' ? it.collected.serverHost : it.collected.clientHost;
  const at = host.is === 'seen' ? host.value.description : undefined;
  return result(
    check,
    place,
    opinionOf(host, (value) => check.examine(value, it)),
    at,
  );
}

function opinionOf<T>(look: Seen<T>, examine: (value: T) => Opinion): Opinion {
  return look.is === 'seen' ? examine(look.value) : unseen(look.because);
}

function result({ id, number, title }: Check, of: CheckPlace, opinion: Opinion, at?: string): CheckResult {
  return { check: id, number, title, of, ...(at === undefined ? {} : { at }), ...opinion };
}

/** Blocks and warnings for the record of a run that is made all the same. Ids: `doctor-governor`. */
export function asFindings(results: readonly CheckResult[]): Finding[] {
  return results
    .filter(({ level }) => level === 'block' || level === 'warning')
    .map(({ check, of, is, because, remedy }) => ({
      // Both hosts may have the same to say: then they are told apart.
      id: `doctor-${check}${of === 'client host' ? '-client' : ''}`,
      severity: 'warning',
      is,
      because: because ?? '',
      remedy: remedy === undefined ? '' : remedyText(remedy),
    }));
}

/** In one line, commands and statements included. */
export function remedyText({ is, shell = [], sql = [] }: Remedy): string {
  const commands = [...shell, ...sql.map((statement) => `${statement};`)];
  return commands.length === 0 ? is : `${is.replace(/[.:]$/, '')}: ${commands.join(' ')}`;
}

/** What blocks and warns first; nothing of it is carried out by anybody here. */
export function fixesOf(results: readonly CheckResult[]): Fix[] {
  const fixes = new Map<string, { where: string; kind: Fix['kind']; commands: Map<string, string[]> }>();
  const add = (where: string, kind: Fix['kind'], command: string, title: string) => {
    const key = `${kind} ${where}`;
    const fix = fixes.get(key) ?? { where, kind, commands: new Map<string, string[]>() };
    fixes.set(key, fix);
    const titles = fix.commands.get(command) ?? [];
    if (!titles.includes(title)) titles.push(title);
    fix.commands.set(command, titles);
  };
  const wanted = (['block', 'warning', 'info'] as const).flatMap((level) =>
    results.filter((each) => each.level === level),
  );
  for (const { at, title, remedy } of wanted) {
    for (const command of remedy?.shell ?? []) add(at ?? 'this machine', 'shell', command, title);
    for (const statement of remedy?.sql ?? []) add('the server', 'sql', `${statement};`, title);
  }
  return [...fixes.values()].map(({ where, kind, commands }) => ({
    where,
    kind,
    commands: [...commands].map(([command, titles]) => ({ command, for: titles })),
  }));
}
