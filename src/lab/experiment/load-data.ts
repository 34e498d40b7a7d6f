/** Loads the data of an experiment once, and keeps it: at rest, and as small as it can be. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '../../wire/connection.ts';
import type { Connection } from '../../wire/types.ts';
import { readVariables } from '../../workload/sql.ts';
import { createDatabase } from '../maintenance.ts';
import { createDataDirectory } from '../server-data.ts';
import { removeTree } from '../server-directory.ts';
import { maintainDataset } from './dataset.ts';
import { demandEngine } from './engine.ts';
import { asArgument } from './option-file.ts';
import { startOwnServer } from './own-server.ts';
import type { PrivateVariant } from './private-variant.ts';
import { dataOfSnapshot, findDamage, findSnapshot, restoreSnapshot, type Snapshot, takeSnapshot } from './snapshot.ts';
import type { StageView } from './stage.ts';

const MIB = 1024 * 1024;

export interface LoadContext {
  readonly storeDirectory: string | undefined;
  readonly view: StageView;
  readonly signal: AbortSignal;
}

export function snapshotDirectory({ place, dataset }: PrivateVariant): string {
  return join(place.directory, dataset.key);
}

/** What is whole and as it was; undefined where it has to be made. Reads all of it. */
export async function takeUpSnapshot(variant: PrivateVariant, context: LoadContext): Promise<Snapshot | undefined> {
  const found = await findSnapshot(snapshotDirectory(variant));
  if (found === undefined) return undefined;
  context.view.onStep('checking the data that is there');
  const damage = await findDamage(dataOfSnapshot(found.directory), found.manifest, checksums(context));
  if (damage === undefined) return found;
  context.view.onNote(`The data in ${found.directory} is not as it was (${damage}): it is made again.`);
  return undefined;
}

/** On another disk: a copy of what is there, so that all begin with the same bytes. */
export async function copySnapshot(from: Snapshot, variant: PrivateVariant, context: LoadContext): Promise<Snapshot> {
  const directory = snapshotDirectory(variant);
  context.view.onStep(`copying the data to ${variant.place.directory}`);
  await removeTree(directory);
  await mkdir(directory, { mode: 0o700 });
  await restoreSnapshot(from, dataOfSnapshot(directory), restoring(context));
  const copied = await takeSnapshot(directory, from.manifest.description, checksums(context));
  if (copied.manifest.fingerprint === from.manifest.fingerprint) return copied;
  throw new Error(`the copy in ${directory} differs from what was copied`);
}

export async function loadSnapshot(variant: PrivateVariant, context: LoadContext): Promise<Snapshot> {
  const { binary, dataset, loadFile, name } = variant;
  const { view, signal, storeDirectory } = context;
  const directory = snapshotDirectory(variant);
  const data = dataOfSnapshot(directory);
  view.onStep(`loading the data of ${dataset.resolved.plan.workload.name}`);
  await removeTree(directory);
  await mkdir(directory, { mode: 0o700 });
  await makeDataDirectory(variant, data, signal);
  const server = await startOwnServer({
    binary,
    data,
    optionFile: loadFile,
    connect: 'socket',
    variant: name,
    storeDirectory,
    signal,
    onNote: view.onNote,
  });
  try {
    const target = { ...server.target, database: variant.database };
    await fill(variant, target, context);
    view.onStep('waiting until the server has written and purged all');
    await using connection = await connect(server.target);
    await shrinkRedo(connection);
  } catch (error) {
    await server.kill();
    throw error;
  }
  await server.shutDown(signal);
  return takeSnapshot(directory, dataset.description, checksums(context));
}

export async function makeDataDirectory(
  { binary, dataset }: PrivateVariant,
  data: string,
  signal: AbortSignal,
): Promise<void> {
  const shaping = Object.entries(dataset.shaping).map(([name, value]) => asArgument(name, value));
  await createDataDirectory(binary, data, shaping, signal);
}

/** Makes the database, and in it what the workload prepares. */
export async function fill(
  { dataset, name }: PrivateVariant,
  target: Parameters<typeof createDatabase>[0],
  { view, signal }: Pick<LoadContext, 'view' | 'signal'>,
): Promise<void> {
  await createDatabase(target);
  if (!dataset.isLoaded) return;
  if (dataset.engine !== undefined) {
    await using connection = await connect(target);
    await demandEngine(connection, dataset.engine, name);
  }
  await maintainDataset('prepare', dataset, [target], { view, signal });
}

/**
 * The redo log holds nothing after the shutdown, and would be copied with each run; a server whose option file wants
 * another size makes it at its start. So every variant begins with a log that is new, whatever its size. MariaDB from
 * 10.9 and MySQL from 8.0.30 can while they run; others keep the log that they have.
 */
async function shrinkRedo(connection: Connection): Promise<void> {
  const names = ['innodb_redo_log_capacity', 'innodb_log_file_size', 'innodb_log_buffer_size'];
  const variables = await readVariables(connection, names);
  const isCapacity = variables.has('innodb_redo_log_capacity');
  const name = isCapacity ? 'innodb_redo_log_capacity' : 'innodb_log_file_size';
  const bytes = isCapacity ? 8 * MIB : Math.max(4 * MIB, Number(variables.get('innodb_log_buffer_size') ?? 0));
  await connection.execute(`SET GLOBAL ${name} = ${bytes}`).catch(() => {});
}

export function restoring({ view, signal }: Pick<LoadContext, 'view' | 'signal'>) {
  return advance('MiB restored', view, signal);
}

function checksums({ view, signal }: LoadContext) {
  return advance('MiB checked', view, signal);
}

function advance(activity: string, view: StageView, signal: AbortSignal) {
  return {
    signal,
    onAdvance: (doneBytes: number, totalBytes: number) =>
      view.onAdvance(activity, Math.round(doneBytes / MIB), Math.max(1, Math.round(totalBytes / MIB))),
  };
}
