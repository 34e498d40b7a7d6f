/** `sqldyno gate RUN...`: whether runs are as good as is required, and no slower than a baseline; exit 99 where not. */
import { appendFileSync, readFileSync } from 'node:fs';
import { ExitCode, UserError } from '../../base/errors.ts';
import type { RunGroup } from '../../lab/compare/groups.ts';
import type { BaselineTerms } from '../../lab/gate/against-baseline.ts';
import { gate } from '../../lab/gate/gate.ts';
import { parseRequirement, parseThresholds } from '../../lab/gate/requirement.ts';
import type { Requirement } from '../../model/gate.ts';
import { gateJunit } from '../../report/gate-junit.ts';
import { gateMarkdown } from '../../report/gate-markdown.ts';
import { gateText } from '../../report/gate-text.ts';
import { metricOf } from '../../stats/metrics.ts';
import { marginOf } from '../margin.ts';
import { type NamedGroups, openGroups } from '../run-groups.ts';
import { jsonText, type Terminal, writeReport } from '../terminal.ts';

export interface GateLine {
  readonly references: readonly string[];
  /** As written: `p99 < 20ms`. */
  readonly require?: readonly string[];
  /** Files with one a line. */
  readonly thresholds?: readonly string[];
  readonly baseline?: string;
  /** By comma. */
  readonly metric?: string;
  readonly margin?: string;
  readonly strict: boolean;
  readonly anyway: boolean;
  /** Files. */
  readonly junit?: string;
  readonly github: boolean;
}

const METRIC = 'transactions/s';
const MARGIN_SHARE = 0.02;

export interface GateWorld {
  readonly terminal: Terminal;
  readonly storeDirectory: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

export async function gateCommand(line: GateLine, world: GateWorld): Promise<ExitCode> {
  const { terminal, storeDirectory, environment } = world;
  // Whatever is mistyped must not cost the reading of a hundred runs.
  const requirements = requirementsOf(line);
  const metrics = metricsOf(line);
  const marginShare = line.margin === undefined ? undefined : marginOf(line.margin);
  if (requirements.length === 0 && line.baseline === undefined) {
    throw new UserError('Nothing is required of these runs.', {
      hint: "Add --require='p99(transaction) < 20ms', --thresholds=FILE or --baseline=RUN.",
    });
  }
  const named = await openEach(line.references, storeDirectory);
  const baseline = line.baseline === undefined ? undefined : await openGroups([line.baseline], storeDirectory);
  const declared = baseline?.of ?? named.find(({ of }) => of !== undefined)?.of;
  const terms: BaselineTerms = {
    metrics: metrics.length > 0 ? metrics : [declared?.metric ?? METRIC],
    marginShare: marginShare ?? declared?.marginShare ?? MARGIN_SHARE,
    isStrict: line.strict,
    anyway: line.anyway,
  };
  // Of an experiment, the variant that is its own baseline stands first.
  const [group] = baseline?.groups ?? [];
  const report = gate({
    requirements,
    groups: groupsOf(line.references, named, group),
    ...(group === undefined ? {} : { baseline: { group, terms } }),
  });
  terminal.json(jsonText(report));
  if (!terminal.wantsJson) terminal.say(gateText(report).trimEnd());
  if (line.junit !== undefined) writeReport(line.junit, gateJunit(report));
  if (line.github) tellGithub(gateMarkdown(report), environment['GITHUB_STEP_SUMMARY'], terminal);
  return report.isMet ? ExitCode.done : ExitCode.gateNotMet;
}

function requirementsOf({ require: written = [], thresholds = [] }: GateLine): Requirement[] {
  const inFiles = thresholds.flatMap((path) => parseThresholds(readText(path), path));
  const all = [...inFiles, ...written.map(parseRequirement)];
  return [...new Map(all.map((requirement) => [requirement.is, requirement])).values()];
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UserError(`--thresholds: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`, {
      hint: "Give a file with one requirement a line, as 'p99(transaction) < 20ms'.",
      cause: error,
    });
  }
}

function metricsOf({ metric = '' }: GateLine): string[] {
  const names = metric.split(',').map((name) => name.trim());
  return names.filter((name) => name !== '').map((name) => metricOf(name).name);
}

async function openEach(references: readonly string[], storeDirectory: string | undefined): Promise<NamedGroups[]> {
  const found: NamedGroups[] = [];
  for (const reference of references) found.push(await openGroups([reference], storeDirectory));
  return found;
}

/**
 * Runs and tags are one side together; variants of an experiment stand each for itself. The baseline is none of them.
 */
function groupsOf(references: readonly string[], named: readonly NamedGroups[], baseline?: RunGroup): RunGroup[] {
  const variants = named.filter(({ of }) => of !== undefined).flatMap(({ groups }) => groups);
  const others = named.flatMap(({ of, groups }) => (of === undefined ? groups.flatMap(({ runs }) => runs) : []));
  const isBaseline = ({ runs }: RunGroup) => {
    const known = new Set(baseline?.runs.map(({ id }) => id));
    return runs.length > 0 && runs.every(({ id }) => known.has(id));
  };
  const name = references.length === 1 ? (references[0] ?? '') : 'these runs';
  const together: RunGroup[] = others.length === 0 ? [] : [{ name, runs: others, change: {} }];
  return [...together, ...variants.filter((group) => !isBaseline(group))];
}

function tellGithub(text: string, path: string | undefined, terminal: Terminal): void {
  if (path === undefined || path === '') {
    terminal.warn('Note: --github writes the summary of a job, and $GITHUB_STEP_SUMMARY is not set here.');
    return;
  }
  try {
    appendFileSync(path, text);
  } catch (error) {
    terminal.warn(`Note: the summary of the job cannot be written: ${(error as Error).message}`);
  }
}
