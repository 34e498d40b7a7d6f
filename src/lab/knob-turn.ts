/**
 * Turns a knob to and fro, and puts everything back: what is changed on the server is noted in a journal before it is
 * changed, and the journal goes when all is as it was.
 */
import { assert, unreachable } from '../base/assert.ts';
import { ExitCode, UserError } from '../base/errors.ts';
import type { LoadPlan } from '../load/plan.ts';
import type { ConnectOptions } from '../wire/types.ts';
import type { FoundWorkload } from '../workload/find.ts';
import type { Knob, SettingChange } from './knob.ts';
import { type ChangedServer, type OpenJournal, openJournal, refuseSecond, restoringSql } from './knob-journal.ts';
import { ensureSettable, readSetting, setSettings, withServer } from './knob-settings.ts';
import { type MaintenanceView, maintain } from './maintenance.ts';
import { dropMadeDatabase, makeOwnDatabase, noteTables } from './own-database.ts';

export type Side = 'A' | 'B';

export interface Turner {
  /** Resolves when the server is so; with what a run on this side does otherwise. */
  to(side: Side): Promise<Partial<LoadPlan>>;
  /** As the server made it, where that is not what was asked; each a sentence. */
  readonly notes: readonly string[];
  /** Everything is as it was. May be called again where it failed. */
  back(): Promise<void>;
}

export interface TurnerRequest {
  readonly knob: Knob;
  /** The load on side A. */
  readonly plan: LoadPlan;
  readonly found: FoundWorkload;
  readonly server: ChangedServer;
  readonly storeDirectory?: string;
  /** For data that is made for side B. */
  readonly openMaintenance: () => MaintenanceView & Disposable;
}

const PROBE_DATABASE = 'sqldyno_probe';

/** Throws where the knob cannot be turned: nothing has been changed then. */
export async function openTurner(request: TurnerRequest, signal: AbortSignal): Promise<Turner> {
  const { turn } = request.knob;
  switch (turn.is) {
    case 'load':
      return { to: async (side) => (side === 'A' ? {} : turn.plan), notes: [], back: async () => {} };
    case 'settings':
      return settingsTurner(turn.changes, request);
    case 'data':
      return dataTurner(turn.options, request, signal);
    default:
      return unreachable(turn);
  }
}

function onlyTarget({ targets }: LoadPlan): ConnectOptions {
  const [target, ...others] = targets;
  assert(target !== undefined, 'a plan has a target');
  if (others.length === 0) return target;
  throw new UserError('The load goes to several servers, and an experiment changes one.', {
    hint: 'Name one of them.',
  });
}

async function settingsTurner(changes: readonly SettingChange[], request: TurnerRequest): Promise<Turner> {
  const target = onlyTarget(request.plan);
  const { server, storeDirectory } = request;
  await refuseSecond(server, storeDirectory);
  await withServer(target, (connection) => ensureSettable(connection, changes));
  const journal = openJournal(storeDirectory);
  const notes: string[] = [];
  let is: 'untouched' | Side | 'back' = 'untouched';
  const set = (side: Side) => {
    const wanted = changes.map(({ name, before, asked }) => ({ name, value: side === 'A' ? before : asked }));
    return withServer(target, (connection) => setSettings(connection, side === 'A' ? wanted.reverse() : wanted));
  };
  return {
    notes,
    to: async (side) => {
      if (side === 'B' && is !== 'B') {
        const isFirst = is === 'untouched';
        if (isFirst) await journal.write({ server, changes });
        is = 'B';
        const effective = await set('B');
        if (isFirst) {
          const known = changes.map((change) => ({
            ...change,
            effective: Number(effective.get(change.name) ?? change.asked),
          }));
          await journal.write({ server, changes: known });
          notes.push(...whatCameOfIt(known));
        }
      }
      if (side === 'A' && is === 'B') {
        await set('A');
        is = 'A';
      }
      return {};
    },
    back: async () => {
      if (is === 'untouched' || is === 'back') return;
      await putBack(journal, { changes }, async () => {
        await set('A');
        await ensureBack(target, changes);
      });
      is = 'back';
    },
  };
}

/** Throws where the server kept the value as it was: there is nothing to compare. */
function whatCameOfIt(changes: readonly (SettingChange & { readonly effective: number })[]): string[] {
  const kept = changes.find(({ before, effective }) => effective === before);
  if (kept !== undefined) {
    throw new UserError(`The server keeps ${kept.name} at ${kept.before}, and takes ${kept.asked} for it.`, {
      hint: 'Set it in its configuration, start the server again, and run again: in turn with and without it.',
      exitCode: ExitCode.targetUnavailable,
    });
  }
  return changes
    .filter(({ asked, effective }) => effective !== asked)
    .map(({ name, asked, effective }) => `The server made ${effective} of ${name} = ${asked}.`);
}

async function ensureBack(target: ConnectOptions, changes: readonly SettingChange[]): Promise<void> {
  await withServer(target, async (connection) => {
    for (const { name, before } of changes) {
      const value = await readSetting(connection, name);
      if (value !== before) throw new Error(`${name} is ${value}, and was ${before}`);
    }
  });
}

async function putBack(
  journal: OpenJournal,
  content: Parameters<typeof restoringSql>[0],
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (cause) {
    throw new UserError(
      `What the experiment changed on the server could not be put back: ${(cause as Error).message}.`,
      {
        hint: `Run there: ${restoringSql(content).join('; ')}. ${journal.path} remembers it, and the next diagnose with this target does it.`,
        exitCode: ExitCode.runFailed,
        cause,
      },
    );
  }
  await journal.remove();
}

async function dataTurner(
  options: Readonly<Record<string, unknown>>,
  request: TurnerRequest,
  signal: AbortSignal,
): Promise<Turner> {
  const { plan, server, storeDirectory } = request;
  const target = { ...onlyTarget(plan), database: PROBE_DATABASE };
  const database = { name: PROBE_DATABASE, dropsOthers: false };
  await refuseSecond(server, storeDirectory);
  const journal = openJournal(storeDirectory);
  let is: 'untouched' | 'made' | 'filled' | 'back' = 'untouched';
  return {
    notes: [],
    to: async (side) => {
      if (side === 'A') return {};
      if (is === 'untouched') {
        await journal.write({ server, changes: [], database: PROBE_DATABASE });
        // One of this name that somebody else has made is refused, and must not be dropped afterwards either.
        await makeOwnDatabase(target, database).catch((error) => forgotten(error, journal));
        is = 'made';
        await fill(target, options, request, signal);
        await noteTables(target, database);
        is = 'filled';
      }
      return { targets: [target], workload: { ...plan.workload, options } };
    },
    back: async () => {
      if (is === 'untouched' || is === 'back') return;
      await putBack(journal, { changes: [], database: PROBE_DATABASE }, () => dropMadeDatabase(target, database));
      is = 'back';
    },
  };
}

async function forgotten(error: unknown, journal: OpenJournal): Promise<never> {
  await journal.remove();
  throw error;
}

async function fill(
  target: ConnectOptions,
  options: Readonly<Record<string, unknown>>,
  { plan, found, openMaintenance }: TurnerRequest,
  signal: AbortSignal,
): Promise<void> {
  using view = openMaintenance();
  const request = {
    targets: [target],
    workload: found.workload,
    workloadName: found.name,
    workloadOptions: options,
    threads: Math.min(plan.threads, THREADS_OF_PREPARE),
    seed: plan.seed,
    rand: plan.rand,
    preparedStatements: plan.preparedStatements,
  };
  await maintain('prepare', request, view, signal);
}

/** More load no faster. */
const THREADS_OF_PREPARE = 8;
