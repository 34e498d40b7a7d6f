/**
 * A result of another tool in the form of a run of our own, so that it can be kept, shown and compared. What its output
 * does not say cannot be absent from a record: such fields hold zeros or '', and are named in `unknown`.
 */
import { createHash } from 'node:crypto';
import type { Imported } from '../model/imported.ts';
import { type Finding, RUN_FORMAT, type RunRecord, type StatementCount } from '../model/run.ts';
import { bucketOf, TRACKABLE_US_MAX } from '../stats/bucket-layout.ts';
import { Histogram } from '../stats/histogram.ts';
import { toLatencyRecord } from '../stats/latency-record.ts';
import { type Cell, cellsByKey, type MeasuredFacts } from './facts.ts';
import { absent, commandWords, toldLoad } from './told-load.ts';
import { seriesOfFacts } from './told-series.ts';

export interface ImportPlace {
  readonly source: string;
  /** When the test began where somebody knows, else when it was imported. ISO 8601, UTC. */
  readonly startedAt: string;
  readonly isStartKnown: boolean;
  readonly tags: readonly string[];
  /** Of this program. */
  readonly version: string;
  /** The lines of the file, for the result in the tool's own words. */
  readonly lines: readonly string[];
  /** How many results before it in the file are the same to the letter. */
  readonly sameBefore: number;
}

/** No tool says these of itself. */
const NEVER_TOLD = [
  'target',
  'client',
  'crossCheck',
  'totals.setupS',
  'totals.rowsRead',
  'totals.bytes',
  'totals.retries',
  'totals.rollbacks',
  'totals.dropped',
  'totals.unfinished',
  'totals.statements.wasted',
  'totals.statements.writesWithoutEffect',
  'totals.perSession',
  'intervals.retries',
  'intervals.latency',
];
const US_PER_MS = 1_000;
const MS_PER_S = 1_000;
/** A result that is longer than this is a log of days; the file itself has the rest. */
const OWN_LINES_MAX = 1_000;
const HEADING_LINES_MAX = 8;

/** Without its id, which is made of the workload that is found here. */
export function toImportedRun(facts: MeasuredFacts, place: ImportPlace): Omit<RunRecord, 'id'> {
  const { cells } = facts;
  const size = sizeOf(facts);
  const latency = latencyOf(facts);
  const told = toldLoad(facts);
  const unknown = [
    ...NEVER_TOLD,
    ...told.unknown,
    ...absent({
      startedAt: place.isStartKnown ? place.startedAt : undefined,
      'totals.elapsedS': size.elapsedS,
      'totals.transactions': size.transactions,
      'totals.statements': cells.reads?.value,
      'totals.errors': size.errors,
      'totals.reconnects': cells.reconnects?.value,
      'rates.transactionsPerS': size.transactionsPerS,
      'rates.statementsPerS': size.statementsPerS,
      'latency.transactions.all': latency,
    }),
    ...unknownOfIntervals(facts),
  ];
  const series = seriesOfFacts(facts);
  return {
    format: RUN_FORMAT,
    startedAt: place.startedAt,
    endedAt: endOf(place.startedAt, size.elapsedS ?? 0),
    ending: endingOf(facts),
    tags: place.tags,
    seed: told.seed ?? 0,
    sqldyno: { version: place.version },
    command: facts.command === undefined ? [] : commandWords(facts.command),
    workload: { name: workloadOf(facts), options: told.options },
    load: told.load,
    ...NOTHING_TOLD,
    totals: totalsOf(facts, size),
    rates: { transactionsPerS: size.transactionsPerS ?? 0, statementsPerS: size.statementsPerS ?? 0 },
    latency: { transactions: { all: { service: latency ?? toLatencyRecord(new Histogram()) } }, statements: {} },
    intervals: intervalsOf(facts),
    crossCheck: { is: 'impossible', because: `it was measured by ${facts.tool} and imported from ${place.source}.` },
    findings: findingsOf(facts, place),
    ...(series === undefined ? {} : { series }),
    ownTerms: ownLines(facts, place),
    imported: importedOf(facts, place, unknown),
  };
}

const NOTHING_TOLD: Pick<RunRecord, 'target' | 'client' | 'checkpoints' | 'host'> = {
  target: {
    flavor: '',
    version: '',
    address: '',
    user: '',
    database: '',
    tls: null,
    isPrivate: false,
    variables: {},
  },
  client: {
    cpuS: 0,
    cpuUsPerStatement: 0,
    eventLoopUtilizationMax: 0,
    eventLoopDelayP99Ms: 0,
    memoryPeakBytes: 0,
    workers: 0,
    node: '',
  },
  checkpoints: [],
  host: {},
};

function importedOf(facts: MeasuredFacts, place: ImportPlace, unknown: readonly string[]): Imported {
  const { tool, toolVersion, firstLine, lastLine, column, cutOff } = facts;
  const { source } = place;
  const version = toolVersion === undefined ? {} : { toolVersion };
  const inTable = column === undefined ? {} : { column };
  const sha256 = hashOf(facts, place);
  return {
    tool,
    ...version,
    source,
    firstLine,
    lastLine,
    ...inTable,
    sha256,
    figures: figuresOf(facts),
    unknown,
    cutOff,
  };
}

/** A command may stand among them. */
const PASSWORD = /(-\S*pass(?:word)?[= ]|\s-p)(?=\S)[^\s-]\S*/gi;

function ownLines(facts: MeasuredFacts, { lines }: ImportPlace): string[] {
  const own = lines.slice(headingOf(facts, lines) - 1, facts.lastLine).slice(0, OWN_LINES_MAX);
  return own.map((line) => line.replace(PASSWORD, '$1***'));
}

/** The heading of a table stands above its first figure, with other rows between. */
function headingOf({ firstLine, column }: MeasuredFacts, lines: readonly string[]): number {
  if (column === undefined) return firstLine;
  for (let line = firstLine - 1; line >= Math.max(1, firstLine - HEADING_LINES_MAX); line--) {
    if (lines[line - 1]?.includes(column) === true) return line;
  }
  return firstLine;
}

/** Two columns of one table stand in the same lines. */
function hashOf({ firstLine, lastLine, command, column }: MeasuredFacts, place: ImportPlace): string {
  const { lines, sameBefore } = place;
  const ofCommand = command === undefined ? [] : lines.slice(command.firstLine - 1, command.lastLine);
  const hash = createHash('sha256');
  for (const line of [...ofCommand, ...lines.slice(firstLine - 1, lastLine)]) hash.update(`${line.trimEnd()}\n`);
  return hash.update(`${column ?? ''} ${sameBefore}`).digest('hex');
}

function figuresOf(facts: MeasuredFacts): Record<string, number> {
  const of = (prefix: string, from: Pick<MeasuredFacts, 'cells' | 'percentiles'>) =>
    [...cellsByKey(from)].map(([name, { value }]) => [prefix + name, value] as const);
  return Object.fromEntries([...of('', facts), ...facts.parts.flatMap((part) => of(`${part.name}.`, part))]);
}

/** A result that was printed is one, whatever a page left out of it. */
function endingOf({ cells, parts, tool, lastLine }: MeasuredFacts): RunRecord['ending'] {
  const hasResult = parts.length > 0 || Object.keys(cells).some((name) => name !== 'threads');
  if (hasResult) return { kind: 'time' };
  return { kind: 'interrupted', cause: `The output of ${tool} ends at line ${lastLine}, before its result.` };
}

function findingsOf({ tool, toolVersion = '', cutOff }: MeasuredFacts, { source }: ImportPlace): Finding[] {
  const imported: Finding = {
    id: 'imported',
    severity: 'info',
    is: `It was measured by ${`${tool} ${toolVersion}`.trim()}, and not by sqldyno.`,
    because: `It was imported from ${source}: nothing was compared with the server's counters.`,
    remedy: 'Run it with sqldyno to have it checked; sqldyno audit says whether its figures hold together.',
  };
  if (cutOff.length === 0) return [imported];
  return [
    {
      id: 'imported-in-part',
      severity: 'warning',
      is: `The output is not whole. Missing: ${cutOff.join('; ')}.`,
      because: `${source} has the rest of it only: it was cut short, or a page left that out.`,
      remedy: 'Import the whole output where there is one.',
    },
    imported,
  ];
}

/** A time that no clock has is a misprint, and no reason to refuse the rest. */
function endOf(startedAt: string, elapsedS: number): string {
  const end = new Date(Date.parse(startedAt) + elapsedS * MS_PER_S);
  return Number.isNaN(end.getTime()) ? startedAt : end.toISOString();
}

interface Size {
  readonly elapsedS: number | undefined;
  readonly transactions: number | undefined;
  readonly errors: number | undefined;
  readonly transactionsPerS: number | undefined;
  readonly statementsPerS: number | undefined;
}

/** go-tpc counts a kind's errors as a kind of its own. */
const KIND_OF_ERRORS = /_ERR$/;

/**
 * As the output says it, else by what else it says: a count is a rate times a time, and that of all is of its kinds.
 */
function sizeOf(facts: MeasuredFacts): Size {
  const { cells, parts, isBetweenCheckpoints } = facts;
  const kinds = parts.filter((part) => part.cells.transactions !== undefined);
  const sumOf = (of: typeof kinds) => of.reduce((sum, part) => sum + (part.cells.transactions?.value ?? 0), 0);
  const ofKinds = kinds.length === 0 ? undefined : sumOf(kinds.filter(({ name }) => !KIND_OF_ERRORS.test(name)));
  const transactions = (cells.transactions ?? cells.events)?.value ?? ofKinds;
  const statedPerS = (cells.transactionsPerS ?? cells.eventsPerS)?.value;
  // Between checkpoints the time that it says is that of the whole run.
  const stated = isBetweenCheckpoints ? undefined : cells.elapsedS?.value;
  const ofParts = kinds.length === 0 ? undefined : Math.max(...kinds.map((part) => part.cells.elapsedS?.value ?? 0));
  const elapsedS = stated ?? (ofParts || undefined) ?? quotient(transactions, statedPerS);
  return {
    elapsedS,
    transactions,
    errors: cells.ignoredErrors?.value ?? (ofKinds === undefined ? undefined : sumOf(kinds) - ofKinds),
    transactionsPerS: statedPerS ?? quotient(transactions, elapsedS),
    statementsPerS: cells.queriesPerS?.value ?? quotient((cells.queries ?? cells.queriesOfKinds)?.value, elapsedS),
  };
}

function quotient(value: number | undefined, by: number | undefined): number | undefined {
  return value === undefined || by === undefined || !(by > 0) ? undefined : value / by;
}

/** Only a histogram tells of all latencies; without, what is known of them is among the figures. */
function latencyOf({
  histogram,
  cells,
}: MeasuredFacts): RunRecord['latency']['transactions'][string]['service'] | undefined {
  if (histogram.length === 0) return undefined;
  const us = (cell: Cell | undefined, fallback: number) => (cell === undefined ? fallback : cell.value * US_PER_MS);
  const minUs = us(cells.latencyMinMs, (histogram[0]?.valueMs ?? 0) * US_PER_MS);
  const maxUs = us(cells.latencyMaxMs, (histogram.at(-1)?.valueMs ?? 0) * US_PER_MS);
  const counts = new Map<number, number>();
  let sumUs = 0;
  for (const { valueMs, count } of histogram) {
    // The value of a step may lie beyond the least and the most that were measured.
    const valueUs = Math.min(Math.max(valueMs * US_PER_MS, minUs), maxUs, TRACKABLE_US_MAX);
    const bucket = bucketOf(Math.round(valueUs));
    counts.set(bucket, (counts.get(bucket) ?? 0) + count);
    sumUs += valueUs * count;
  }
  const buckets = [...counts.keys()].sort((one, other) => one - other);
  const count = [...counts.values()].reduce((sum, each) => sum + each, 0);
  // Its own minimum, maximum and sum are exact; those of the steps of its histogram are not.
  const built = Histogram.fromSnapshot({
    count,
    minUs,
    maxUs,
    sumUs: us(cells.latencySumMs, sumUs),
    buckets: Uint16Array.from(buckets),
    counts: Float64Array.from(buckets.map((bucket) => counts.get(bucket) ?? 0)),
  });
  return toLatencyRecord(built);
}

function workloadOf({ tool, command }: MeasuredFacts): string {
  return command?.script ?? command?.program ?? tool;
}

function totalsOf({ cells, parts }: MeasuredFacts, size: Size): RunRecord['totals'] {
  const count = (kind: StatementCount['kind'], value: number | undefined): Record<string, StatementCount> =>
    value === undefined ? {} : { [kind]: { kind, committed: value, wasted: 0 } };
  const { reads, writes, others, reconnects } = cells;
  const { errors = 0 } = size;
  const byName = Object.fromEntries(
    parts.flatMap(({ name, cells: { transactions } }) =>
      transactions === undefined || KIND_OF_ERRORS.test(name) ? [] : [[name, transactions.value]],
    ),
  );
  const example = 'not told: the tool only counts them';
  return {
    elapsedS: size.elapsedS ?? 0,
    transactions: { committed: size.transactions ?? 0, byName },
    statements: {
      read: reads?.value ?? 0,
      write: writes?.value ?? 0,
      other: others?.value ?? 0,
      wasted: 0,
      writesWithoutEffect: 0,
      byName: { ...count('read', reads?.value), ...count('write', writes?.value), ...count('other', others?.value) },
    },
    rowsRead: 0,
    bytes: { sent: 0, received: 0 },
    errors: errors === 0 ? [] : [{ code: 0, sqlState: '', symbol: '', count: errors, policy: 'retried', example }],
    retries: 0,
    rollbacks: 0,
    reconnects: reconnects?.value ?? 0,
    dropped: 0,
    unfinished: 0,
    perSession: { transactions: [], latencyS: [] },
  };
}

/** A line that leaves one out leaves it out of all. */
function unknownOfIntervals({ progress }: MeasuredFacts): string[] {
  const all = (of: (line: MeasuredFacts['progress'][number]) => unknown) =>
    progress.every((line) => of(line) !== undefined) ? true : undefined;
  return absent({
    'intervals.sessionsActive': all(({ threads }) => threads),
    'intervals.statements': all(({ readsPerS }) => readsPerS),
    'intervals.statements.other': all(({ othersPerS }) => othersPerS),
    'intervals.errors': all(({ errorsPerS }) => errorsPerS),
    'intervals.reconnects': all(({ reconnectsPerS }) => reconnectsPerS),
  });
}

/** Rates over the time since the line before, made counts again. */
function intervalsOf({ progress }: MeasuredFacts): RunRecord['intervals'] {
  const empty = toLatencyRecord(new Histogram());
  return progress.map((line, at) => {
    const startS = progress[at - 1]?.endS ?? 0;
    const lengthS = line.endS - startS;
    const counted = (perS: number | undefined) => Math.max(0, Math.round((perS ?? 0) * lengthS));
    return {
      startS,
      endS: line.endS,
      isWarmup: false,
      sessionsActive: line.threads ?? 0,
      transactions: counted(line.transactionsPerS),
      statements: { read: counted(line.readsPerS), write: counted(line.writesPerS), other: counted(line.othersPerS) },
      errors: counted(line.errorsPerS),
      retries: 0,
      reconnects: counted(line.reconnectsPerS),
      latency: empty,
    };
  });
}
