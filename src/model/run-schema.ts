/**
 * `RunRecord` as a check at run time, for records that come from outside, and as the published JSON Schema.
 * The type in run.ts is the definition: this does not compile where it says more or less.
 */
import { z } from 'zod';
import { RUN_FORMAT, type RunRecord } from './run.ts';

const count = z.int().min(0);
const amount = z.number().min(0);
/** With all arrays and fields readonly, as run.ts writes them. */
type Frozen<T> = T extends readonly (infer U)[]
  ? readonly Frozen<U>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** The schema itself; its type is `never` where it does not describe exactly T, optional fields included. */
export function exactly<T>() {
  return <S extends z.ZodType>(schema: Same<Frozen<z.infer<S>>, Frozen<T>> extends true ? S : never): S => schema;
}

/** ISO 8601, UTC. */
const moment = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
const byName = <T extends z.ZodType>(value: T) => z.record(z.string(), value);
const statementKind = z.enum(['read', 'write', 'other']);

const latency = z
  .strictObject({
    count,
    minUs: amount,
    meanUs: amount,
    maxUs: amount,
    sumUs: amount,
    histogram: z
      .string()
      .describe('HdrHistogram, V2 compressed encoding, base64; microseconds, three significant digits.'),
  })
  .meta({ id: 'Latency' });

const transactionLatency = z
  .strictObject({ service: latency, response: z.exactOptional(latency), queue: z.exactOptional(latency) })
  .describe('Closed loop: service only. Open loop: response = intended start to done; queue = response - service.');

const ending = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['time', 'events']) }),
  z.strictObject({ kind: z.literal('interrupted'), cause: z.string() }),
  z.strictObject({ kind: z.literal('forced'), cause: z.string() }),
  z.strictObject({ kind: z.literal('failed'), cause: z.string() }),
]);

const error = z.strictObject({
  code: count.describe('Error code of the server; 0 for errors of the connection itself.'),
  sqlState: z.string(),
  symbol: z.string(),
  count,
  policy: z.enum(['retried', 'skipped', 'reconnected', 'fatal', 'validation']),
  example: z.string(),
});

const statements = z.strictObject({
  read: count,
  write: count,
  other: count,
  wasted: count.describe('Sent in attempts that were rolled back or failed; in no rate.'),
  writesWithoutEffect: count,
  byName: byName(z.strictObject({ kind: statementKind, committed: count, wasted: count })),
});

const totals = z
  .strictObject({
    elapsedS: amount,
    setupS: z.exactOptional(amount),
    transactions: z.strictObject({
      committed: count,
      byName: byName(count),
      rolledBack: z.exactOptional(byName(count)),
    }),
    statements,
    rowsRead: count,
    bytes: z.strictObject({ sent: count, received: count }),
    errors: z.array(error),
    retries: count,
    rollbacks: count,
    reconnects: count,
    dropped: count,
    unfinished: count,
    tallies: z.exactOptional(byName(count)),
    perSession: z.strictObject({ transactions: z.array(count), latencyS: z.array(amount) }),
  })
  .meta({ id: 'Totals' });

const interval = z.strictObject({
  startS: z.number().describe('Seconds since the measured part began; negative during warm-up.'),
  endS: z.number(),
  isWarmup: z.boolean(),
  sessionsActive: count,
  transactions: count,
  statements: z.strictObject({ read: count, write: count, other: count }),
  errors: count,
  retries: count,
  reconnects: count,
  queueLength: z.exactOptional(count),
  concurrency: z.exactOptional(count),
  dropped: z.exactOptional(count),
  latency,
});

const load = z.strictObject({
  mode: z.enum(['closed', 'open', 'terminals']),
  threads: count,
  workers: count,
  timeS: amount.describe('0: no limit.'),
  events: count.describe('0: no limit.'),
  eventsPerThread: z.exactOptional(count),
  warmupS: amount,
  isWarmupAuto: z.exactOptional(z.boolean()),
  terminals: z.exactOptional(count),
  terminalTimeFactor: z.exactOptional(amount),
  ratePerS: z.exactOptional(amount),
  arrivals: z.exactOptional(z.enum(['poisson', 'even'])),
  percentiles: z.array(z.number().min(0).max(100)),
  randType: z.string(),
  rand: z.record(z.string(), z.number()),
  errorPolicy: z.strictObject({
    ignore: z.union([z.array(z.number()), z.literal('all')]),
    attemptsMax: z.number(),
    lostConnection: z.enum(['stop', 'resume']),
    reconnectEveryEvents: z.number(),
  }),
  preparedStatements: z.boolean(),
});

const target = z.strictObject({
  flavor: z.string(),
  version: z.string(),
  address: z.string(),
  user: z.string(),
  database: z.string(),
  tls: z.string().nullable(),
  isPrivate: z.boolean(),
  variables: byName(z.string()),
});

const client = z.strictObject({
  cpuS: amount,
  cpuUsPerStatement: amount,
  eventLoopUtilizationMax: amount,
  eventLoopDelayP99Ms: amount,
  scheduleLagP99Ms: z.exactOptional(amount),
  memoryPeakBytes: count,
  workers: count,
  node: z.string(),
});

const crossCheck = z.discriminatedUnion('is', [
  z.strictObject({
    is: z.literal('done'),
    ok: z.boolean(),
    rows: z.array(
      z.strictObject({
        counter: z.string(),
        during: z.exactOptional(z.literal('set-up')),
        client: z.number(),
        server: z.number(),
      }),
    ),
    note: z.exactOptional(z.string()),
  }),
  z.strictObject({ is: z.literal('impossible'), because: z.string() }),
]);

const finding = z.strictObject({
  id: z.string(),
  severity: z.enum(['invalid', 'warning', 'info']),
  is: z.string(),
  because: z.string(),
  remedy: z.string(),
});

const conformanceLine = z.strictObject({
  is: z.string(),
  measured: z.string(),
  wanted: z.string(),
  conforms: z.enum(['yes', 'no', 'deviates', 'unknown']),
  note: z.exactOptional(z.string()),
});

const partCost = z.strictObject({
  part: z.string(),
  elapsedS: amount,
  cpuS: z.exactOptional(amount),
  clientCpuS: amount,
  fsyncs: z.exactOptional(count),
});

const facts = byName(z.union([z.string(), z.number(), z.boolean()]));

const series = z.strictObject({
  atS: z.array(z.number()),
  values: byName(z.strictObject({ unit: z.string(), points: z.array(z.number().nullable()) })),
  measured: byName(z.number()),
});

const observation = z.strictObject({
  intervalS: amount,
  samples: count,
  missed: count,
  sources: z.exactOptional(
    z.array(z.strictObject({ of: z.enum(['server', 'host', 'client']), answers: count, missed: count, seenS: amount })),
  ),
  isLinked: z.exactOptional(z.boolean()),
  host: z.exactOptional(z.string()),
  isClientHost: z.exactOptional(z.boolean()),
  cost: z.strictObject({
    clientCpuS: amount,
    serverStatements: count,
    serverBytes: count,
    hostCpuS: z.exactOptional(amount),
  }),
  unseen: z.array(z.strictObject({ what: z.string(), because: z.string() })),
});

const eventAccounts = z.array(z.strictObject({ event: z.string(), count, timeS: amount }));

const serverAccount = z.strictObject({
  elapsedS: amount,
  statements: z.array(
    z.strictObject({
      of: z.enum(['text', 'prepared', 'prepared-any', 'rest']),
      text: z.exactOptional(z.string()),
      database: z.exactOptional(z.string()),
      count,
      timeS: amount,
      errors: count,
      rowsExamined: count,
      rowsSent: count,
      temporaryTables: count,
      temporaryDiskTables: count,
    }),
  ),
  waits: eventAccounts,
  stages: eventAccounts,
});

const environment = z.strictObject({
  server: facts,
  host: facts,
  client: facts,
  roundTripUs: z.exactOptional(z.strictObject({ p50: amount, p99: amount, mean: z.exactOptional(amount) })),
});

const phase = z.strictObject({
  name: z.enum(['prepare', 'connect', 'warm-up', 'measure', 'drain']),
  startS: z.number(),
  endS: z.number(),
});

const diagnosis = z.strictObject({
  is: z.string(),
  isDetermined: z.boolean(),
  budget: z.exactOptional(z.strictObject({ sessionS: amount, shares: byName(z.number()) })),
  ceilings: z.array(z.strictObject({ of: z.string(), perS: amount, how: z.string() })),
  verdicts: z.array(
    z.strictObject({
      id: z.string(),
      role: z.enum(['bottleneck', 'contributes', 'alarm']),
      is: z.string(),
      share: z.exactOptional(z.number()),
      evidence: z.array(z.string()),
      confirmBy: z.string(),
      advice: z.string(),
    }),
  ),
});

const steadiness = z.strictObject({
  is: z.enum(['steady', 'unsteady', 'too-short']),
  signs: z.array(z.string()),
  cutS: amount,
  beginning: z.enum(['like the rest', 'slower', 'faster']),
  drift: z.number(),
});

const imported = z.strictObject({
  tool: z.string(),
  toolVersion: z.exactOptional(z.string()),
  source: z.string(),
  firstLine: z.int().min(1),
  lastLine: z.int().min(1),
  column: z.exactOptional(z.string()),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  figures: byName(z.number()),
  unknown: z.array(z.string()).describe('Paths of fields that hold nothing: zeros and empty texts there say nothing.'),
  cutOff: z.array(z.string()),
});

export const runSchema = exactly<RunRecord>()(
  z.strictObject({
    format: z.literal(RUN_FORMAT),
    id: z.string(),
    startedAt: moment,
    endedAt: moment,
    ending,
    tags: z.array(z.string()),
    experiment: z.exactOptional(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        variant: z.string(),
        block: z.int().min(1),
        number: z.int().min(1),
        attempt: z.int().min(1),
      }),
    ),
    seed: count,
    sqldyno: z.strictObject({ version: z.string() }),
    command: z.array(z.string()),
    workload: z.strictObject({ name: z.string(), options: byName(z.unknown()) }),
    load,
    target,
    totals,
    rates: z.strictObject({ transactionsPerS: amount, statementsPerS: amount }),
    latency: z.strictObject({ transactions: byName(transactionLatency), statements: byName(latency) }),
    intervals: z.array(interval),
    checkpoints: z.array(z.strictObject({ atS: amount, totals, latency })),
    client,
    host: byName(z.union([z.string(), z.number()])),
    crossCheck,
    findings: z.array(finding),
    serverCost: z.exactOptional(z.strictObject({ parts: z.array(partCost) })),
    series: z.exactOptional(byName(series)),
    observation: z.exactOptional(observation),
    serverAccount: z.exactOptional(serverAccount),
    environment: z.exactOptional(environment),
    phases: z.exactOptional(z.array(phase)),
    events: z.exactOptional(z.array(z.strictObject({ atS: z.number(), id: z.string(), is: z.string() }))),
    steadiness: z.exactOptional(steadiness),
    diagnosis: z.exactOptional(diagnosis),
    grade: z.exactOptional(z.strictObject({ is: z.enum(['A', 'B', 'C']), because: z.array(z.string()) })),
    durability: z.exactOptional(
      z.strictObject({ is: z.enum(['D0', 'D1', 'D2', 'D3', 'D4', 'unknown']), because: z.string() }),
    ),
    conformance: z.exactOptional(z.array(conformanceLine)),
    ownTerms: z.exactOptional(z.array(z.string())),
    imported: z.exactOptional(imported),
  }),
);

/** The JSON Schema (draft 2020-12) of a record, as published in schema/run.schema.json. */
export function runJsonSchema(): unknown {
  return {
    $id: 'urn:sqldyno:run:1',
    title: 'A run of sqldyno (sqldyno.run/1)',
    ...z.toJSONSchema(runSchema, { target: 'draft-2020-12' }),
  };
}
