/**
 * The stage of private servers. Data is loaded once and kept; before each run the variant's server is started anew, by
 * an option file of its own, on a copy of that data. One server runs at a time.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assert } from '../../base/assert.ts';
import { monotonicMs } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { formatBytes, formatDuration } from '../../base/units.ts';
import type { Entered } from '../../model/experiment.ts';
import { replaceDurably } from '../../store/durable.ts';
import { connect } from '../../wire/connection.ts';
import type { Connection, ConnectOptions } from '../../wire/types.ts';
import { readGlobals } from '../knob-settings.ts';
import { removeTree, serversDirectory, sweepOrphans } from '../server-directory.ts';
import { ownPlace, removePlaces } from './data-place.ts';
import { maintainDataset } from './dataset.ts';
import { drain } from './drain.ts';
import { changedAtRunTime, driftOf, effectiveOf, type Variables } from './effective.ts';
import {
  copySnapshot,
  fill,
  loadSnapshot,
  makeDataDirectory,
  restoring,
  snapshotDirectory,
  takeUpSnapshot,
} from './load-data.ts';
import { checkOptionFile } from './option-check.ts';
import { type OwnServer, startOwnServer } from './own-server.ts';
import { type PrivateVariant, settleVariant } from './private-variant.ts';
import { runTimeChanges, setAtRunTime } from './run-time-settings.ts';
import { findDamage, restoreSnapshot, type Snapshot } from './snapshot.ts';
import type { EnteredStage, ResolvedVariant, Stage, StageRequest, StageView } from './stage.ts';
import { demandSpace, type StageWorld } from './stage-world.ts';

const MIB = 1024 * 1024;
/** A data directory that has just been made, its undo and temporary tablespaces included. */
const EMPTY_SERVER_BYTES = 256 * MIB;
/** By which a run may make the data grow. */
const GROWTH_SHARE = 0.2;

export class PrivateStage implements Stage {
  readonly #request: StageRequest;
  readonly #resolved: readonly ResolvedVariant[];
  readonly #world: StageWorld;
  readonly #variants = new Map<string, PrivateVariant>();
  /** By their directories. */
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #first = new Map<string, Variables>();
  #current: { readonly server: OwnServer; readonly variant: PrivateVariant } | undefined;

  constructor(request: StageRequest, resolved: readonly ResolvedVariant[], world: StageWorld) {
    this.#request = request;
    this.#resolved = resolved;
    this.#world = world;
  }

  async check(view: StageView): Promise<void> {
    const { id, plan, storeDirectory } = this.#request;
    for (const { variant } of this.#resolved) demandFolder(variant);
    // A server that was left by kill -9 may still use the data that is about to be copied over.
    await sweepOrphans(serversDirectory(storeDirectory), view.onNote);
    const own = ownPlace(id, storeDirectory);
    for (const resolved of this.#resolved) {
      const settled = await settleVariant(resolved, plan, { id, own });
      await checkOptionFile(settled.binary, settled.optionFile, settled.name);
      this.#variants.set(settled.name, settled);
    }
  }

  async prepare(view: StageView, signal: AbortSignal): Promise<void> {
    if (this.#variants.size === 0) await this.check(view);
    if (this.#request.plan.start.data === 'prepared') return;
    for (const variant of this.#variants.values()) await this.#makeSnapshot(variant, view, signal);
    await this.#tryOut(view, signal);
  }

  async enter(name: string, view: StageView, signal: AbortSignal): Promise<EnteredStage> {
    const variant = this.#variants.get(name);
    assert(variant !== undefined, `variant ${name} is of this stage, and prepared`);
    await this.#endServer(view);
    try {
      return await this.#enter(variant, view, signal);
    } catch (error) {
      await this.#endServer(view);
      throw error;
    }
  }

  async leave(view: StageView): Promise<void> {
    await this.#endServer(view);
  }

  async close({ keepsData }: { readonly keepsData: boolean }, view: StageView): Promise<void> {
    const { id, storeDirectory, plan } = this.#request;
    await this.#endServer(view);
    if (!keepsData) return removePlaces(id, storeDirectory);
    if (plan.start.data === 'kept') return;
    for (const variant of this.#variants.values()) await removeTree(liveDirectory(variant));
  }

  async #makeSnapshot(variant: PrivateVariant, view: StageView, signal: AbortSignal): Promise<void> {
    const { storeDirectory } = this.#request;
    const directory = snapshotDirectory(variant);
    if (this.#snapshots.has(directory)) return;
    const context = { storeDirectory, view, signal };
    const found = await takeUpSnapshot(variant, context);
    if (found !== undefined) {
      this.#snapshots.set(directory, found);
      return;
    }
    const { place, dataset, redoBytes } = variant;
    const bytes = dataset.bytesMin + redoBytes + EMPTY_SERVER_BYTES;
    await demandSpace(this.#world, place.directory, { bytes, what: 'the data' });
    const twin = [...this.#variants.values()].find(
      (other) => other.dataset.key === dataset.key && this.#snapshots.has(snapshotDirectory(other)),
    );
    const there = twin === undefined ? undefined : this.#snapshots.get(snapshotDirectory(twin));
    const made =
      there === undefined ? await loadSnapshot(variant, context) : await copySnapshot(there, variant, context);
    this.#snapshots.set(directory, made);
  }

  /** Each restored once, and read back whole: what it takes is known, and that it works. */
  async #tryOut(view: StageView, signal: AbortSignal): Promise<void> {
    for (const [directory, snapshot] of this.#snapshots) {
      const users = [...this.#variants.values()].filter((each) => snapshotDirectory(each) === directory);
      const [first] = users;
      assert(first !== undefined, 'a snapshot is of a variant');
      const live = liveDirectory(first);
      if (this.#request.plan.start.data === 'kept' && existsSync(inUseFile(first))) continue;
      view.onStep('trying out how the data is restored');
      const { bytes } = snapshot.manifest;
      await demandSpace(this.#world, first.place.directory, { bytes: this.#bytesOfRun(users, bytes), what: 'a run' });
      const restored = await restoreSnapshot(snapshot, live, restoring({ view, signal }));
      const damage = await findDamage(live, snapshot.manifest, { signal, onAdvance: () => {} });
      if (damage !== undefined) throw new Error(`the restored data is not what was kept: ${damage}`);
      const how = restored.how === 'reflink' ? 'by sharing blocks (reflink)' : 'by copying';
      view.onNote(
        `${formatBytes(bytes)} of data are restored in ${formatDuration(restored.elapsedS)} ${how}; checksums agree.`,
      );
      await removeTree(live);
    }
  }

  #bytesOfRun(variants: readonly PrivateVariant[], dataBytes: number): number {
    const redoBytes = Math.max(...variants.map((variant) => variant.redoBytes));
    return dataBytes * (1 + GROWTH_SHARE) + redoBytes + EMPTY_SERVER_BYTES;
  }

  async #enter(variant: PrivateVariant, view: StageView, signal: AbortSignal): Promise<EnteredStage> {
    const { start } = this.#request.plan;
    const notes: string[] = [];
    const startMs = monotonicMs();
    let data = await this.#layData(variant, view, signal);
    if (start.cache === 'cold' && start.data !== 'prepared') await this.#coolDown(notes);
    let server = await this.#start(variant, view, signal);
    if (start.data === 'prepared') {
      await fill(variant, targetOf(server, variant), { view, signal });
      data = { ...data, elapsedS: (monotonicMs() - startMs) / 1000 };
      if (start.cache === 'cold') {
        await this.#shutDown();
        await this.#coolDown(notes);
        server = await this.#start(variant, view, signal);
      }
    }
    const target = targetOf(server, variant);
    if (start.cache === 'warm') await this.#warmUp(variant, target, { view, signal, notes });
    await using connection = await connect(server.target);
    const seen = await this.#lookAt(variant, server, connection);
    const set = await setAtRunTime(connection, runTimeChanges(variant.resolved.variant));
    const drained = await drain(connection, { forces: true, signal });
    const entered: Entered = {
      adjusted: [...seen.adjusted, ...set.adjusted],
      drift: seen.drift,
      data,
      drainedS: drained.elapsedS,
      notes: [...seen.notes, ...set.notes, ...notes, ...drained.notes],
    };
    return { targets: [target], isPrivate: true, entered };
  }

  async #layData(variant: PrivateVariant, view: StageView, signal: AbortSignal): Promise<Entered['data']> {
    const { data } = this.#request.plan.start;
    const live = liveDirectory(variant);
    const snapshot = this.#snapshots.get(snapshotDirectory(variant));
    if (data === 'prepared') {
      view.onStep('making a data directory');
      await removeTree(live);
      await makeDataDirectory(variant, live, signal);
      return { how: 'prepared', elapsedS: 0, fingerprint: `request:${variant.dataset.key}` };
    }
    assert(snapshot !== undefined, 'data has been made before a variant is entered');
    const { fingerprint, bytes } = snapshot.manifest;
    if (data === 'kept' && existsSync(inUseFile(variant))) return { how: 'kept', elapsedS: 0, fingerprint };
    await removeTree(live);
    view.onStep('restoring the data');
    await demandSpace(this.#world, variant.place.directory, {
      bytes: this.#bytesOfRun([variant], bytes),
      what: 'a run',
    });
    const restored = await restoreSnapshot(snapshot, live, restoring({ view, signal }));
    if (data === 'kept') await writeFile(inUseFile(variant), '');
    return { ...restored, fingerprint };
  }

  async #coolDown(notes: string[]): Promise<void> {
    if (await this.#world.dropPageCache()) return;
    notes.push('The server was started again, but the page cache could not be emptied (only root may): it stays warm.');
  }

  async #start(variant: PrivateVariant, view: StageView, signal: AbortSignal): Promise<OwnServer> {
    view.onStep(`starting the server of ${variant.name}`);
    const server = await startOwnServer({
      binary: variant.binary,
      data: liveDirectory(variant),
      optionFile: variant.optionFile,
      connect: variant.resolved.variant.connect ?? 'socket',
      variant: variant.name,
      storeDirectory: this.#request.storeDirectory,
      signal,
      onNote: view.onNote,
    });
    this.#current = { server, variant };
    return server;
  }

  async #warmUp(
    { dataset }: PrivateVariant,
    target: ConnectOptions,
    { view, signal, notes }: { readonly view: StageView; readonly signal: AbortSignal; readonly notes: string[] },
  ): Promise<void> {
    if (dataset.resolved.workload.prewarm === undefined) {
      notes.push(`${dataset.resolved.plan.workload.name} has no prewarm: the pool is as it is after a start.`);
      return;
    }
    view.onStep('reading the tables into memory');
    await maintainDataset('prewarm', dataset, [target], { view, signal });
  }

  /** Before anything is set at run time: what differs from the file then was not by us. */
  async #lookAt(
    variant: PrivateVariant,
    server: OwnServer,
    connection: Connection,
  ): Promise<Pick<Entered, 'adjusted' | 'drift' | 'notes'>> {
    const variables = await readGlobals(connection);
    const { adjusted, notes } = effectiveOf(variant.asked, variables, server.log);
    const atRunTime = await changedAtRunTime(connection);
    const before = await this.#firstOf(variant, variables);
    const drift = [
      ...driftOf(before, variables),
      ...atRunTime.map((name) => `${name} was set after the server had started.`),
    ];
    return { adjusted, drift, notes };
  }

  /** Also of an earlier program, whose experiment this one has taken up. */
  async #firstOf(variant: PrivateVariant, variables: Variables): Promise<Variables | undefined> {
    const known = this.#first.get(variant.name);
    if (known !== undefined) return known;
    this.#first.set(variant.name, variables);
    const folder = join(ownPlace(this.#request.id, this.#request.storeDirectory).directory, 'variables');
    const path = join(folder, `${encodeURIComponent(variant.name)}.json`);
    try {
      const before: Variables = new Map(JSON.parse(await readFile(path, 'utf8')) as [string, string][]);
      this.#first.set(variant.name, before);
      return before;
    } catch {
      await mkdir(folder, { recursive: true });
      await replaceDurably(path, JSON.stringify([...variables]));
      return undefined;
    }
  }

  /** Where its data is thrown away, nothing of it need be written. */
  async #endServer(view: StageView): Promise<void> {
    if (this.#request.plan.start.data === 'kept') {
      // One that has died is recovered by its next start, and the run has told of it.
      return this.#shutDown().catch((error: Error) => view.onNote(error.message));
    }
    const current = this.#current;
    this.#current = undefined;
    await current?.server.kill();
  }

  async #shutDown(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    await current?.server.shutDown();
  }
}

function liveDirectory({ place, dataset }: PrivateVariant): string {
  return join(place.directory, `live-${dataset.key}`);
}

/** A file that is there when runs have used the data: no copy that was being made when the program was killed. */
function inUseFile(variant: PrivateVariant): string {
  return `${liveDirectory(variant)}.in-use`;
}

function targetOf(server: OwnServer, { database }: PrivateVariant): ConnectOptions {
  return { ...server.target, database };
}

/** A folder that is made by mistake would be on the disk of the system: what is measured then is not what was meant. */
function demandFolder({ name, dataDirectory }: ResolvedVariant['variant']): void {
  if (dataDirectory === undefined || existsSync(dataDirectory)) return;
  throw new UserError(`Variant '${name}': there is no folder ${dataDirectory}.`, {
    hint: 'Is its disk mounted? Make the folder where it should be, or correct dataDirectory.',
  });
}
