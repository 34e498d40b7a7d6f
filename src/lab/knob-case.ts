/** Looks at the server for all that the choice of a knob depends on. Changes nothing. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { assert } from '../base/assert.ts';
import type { LoadPlan } from '../load/plan.ts';
import type { RunRecord } from '../model/run.ts';
import { isThisHost } from '../observe/host.ts';
import { readVariables } from '../observe/variables.ts';
import type { ConnectOptions } from '../wire/types.ts';
import type { KnobCase } from './knob.ts';
import type { ChangedServer } from './knob-journal.ts';
import { identityOfServer, readGlobals, withServer } from './knob-settings.ts';
import { usableMemoryBytes } from './server-settings.ts';

export interface CaseRequest {
  readonly record: RunRecord;
  readonly plan: LoadPlan;
  readonly address: string;
  /** Of a private server. */
  readonly private?: ChangedServer['private'];
}

export interface LookedAt {
  readonly it: KnobCase;
  readonly server: ChangedServer;
  /** Settings that matter and have become others since the run, each as `name: then, now`. */
  readonly changedSince: readonly string[];
}

export async function lookAtCase({ record, plan, address, private: own }: CaseRequest): Promise<LookedAt> {
  const [target] = plan.targets;
  assert(target !== undefined, 'a plan has a target');
  const seen = await withServer(target, async (connection) => ({
    flavor: connection.server.flavor,
    variables: await readGlobals(connection),
    identity: await identityOfServer(connection),
    now: await readVariables(connection),
  }));
  const { flavor, variables, identity, now } = seen;
  const isHere = isThisHost(target.socketPath ?? target.host ?? 'localhost', variables.get('hostname'));
  const it: KnobCase = {
    record,
    plan,
    flavor,
    variables,
    isPrivate: own !== undefined,
    socket: isHere
      ? await socketOf(target, variables, identity)
      : { because: 'The server is on another machine, and its socket cannot be reached from here.' },
    cores: availableParallelism(),
    memoryBytes: isHere ? usableMemoryBytes() : memoryIn(record),
  };
  return {
    it,
    server: { identity, address, user: target.user, ...(own === undefined ? {} : { private: own }) },
    changedSince: differences(record.target.variables, now),
  };
}

type Variables = Readonly<Record<string, string>>;

function differences(then: Variables, now: Variables): string[] {
  return Object.entries(then)
    .filter(([name, value]) => now[name] !== undefined && now[name] !== value)
    .map(([name, value]) => `${name}: ${value} then, ${now[name]} now`);
}

function memoryIn({ environment }: RunRecord): number | undefined {
  const bytes = environment?.host['memory.totalBytes'];
  return typeof bytes === 'number' ? bytes : undefined;
}

/** The file of that name may be another server's: of the host, where this one is in a container. */
async function socketOf(
  target: ConnectOptions,
  variables: ReadonlyMap<string, string>,
  identity: string,
): Promise<KnobCase['socket']> {
  const path = variables.get('socket') ?? '';
  if (!path.startsWith('/') || !existsSync(path)) {
    return { because: 'The server has no Unix socket that could be reached from here.' };
  }
  try {
    const found = await withServer({ ...target, socketPath: path }, identityOfServer);
    return found === identity ? { path } : { because: `${path} is the socket of another server.` };
  } catch (error) {
    return { because: `The Unix socket ${path} does not let this user in: ${(error as Error).message}.` };
  }
}
