/**
 * The stage of a server that runs already and stays: others may use it. Data is prepared there once, or before each
 * run; what a variant sets is noted in a journal, and put back after each run, also by the next program where this one
 * is killed.
 */
import { assert } from '../../base/assert.ts';
import { monotonicMs } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import type { Entered } from '../../model/experiment.ts';
import { connect } from '../../wire/connection.ts';
import { ServerError } from '../../wire/errors.ts';
import type { Connection, ConnectOptions } from '../../wire/types.ts';
import { preflight } from '../../workload/preflight.ts';
import type { ChangedServer } from '../knob-journal.ts';
import { restoreLeftovers } from '../knob-leftovers.ts';
import { identityOfServer, readGlobals, withServer } from '../knob-settings.ts';
import { createDatabase } from '../maintenance.ts';
import { foundServers, serversDirectory } from '../server-directory.ts';
import { type Dataset, datasetOf, maintainDataset } from './dataset.ts';
import { drain } from './drain.ts';
import { changedAtRunTime, driftOf, type Variables } from './effective.ts';
import { type AppliedSettings, applySettings, runTimeChanges } from './run-time-settings.ts';
import type { EnteredStage, OpenedTarget, ResolvedVariant, Stage, StageRequest, StageView } from './stage.ts';

export class ServerStage implements Stage {
  readonly #request: StageRequest;
  readonly #target: string;
  readonly #resolved: readonly ResolvedVariant[];
  readonly #datasets = new Map<string, Dataset>();
  readonly #first = new Map<string, Variables>();
  #opened: OpenedTarget | undefined;
  #servers: readonly { readonly target: ConnectOptions; readonly server: ChangedServer }[] = [];
  #applied: AppliedSettings[] = [];

  constructor(request: StageRequest, target: string, resolved: readonly ResolvedVariant[]) {
    this.#request = request;
    this.#target = target;
    this.#resolved = resolved;
  }

  /** What an experiment that was cut off has changed there is put back first: that needs no consent. */
  async check(view: StageView, signal: AbortSignal): Promise<void> {
    const { allows, openTarget } = this.#request;
    view.onStep(`connecting to ${this.#target}`);
    const opened = await openTarget(this.#target, signal);
    this.#opened = opened;
    await this.#look(view);
    for (const { variant } of this.#resolved) {
      if (runTimeChanges(variant).length > 0 && !opened.isPrivate && !allows.settings) throw needsConsent(variant.name);
    }
    for (const { target, server } of this.#servers) {
      const variables = await withServer(target, readGlobals);
      for (const { variant } of this.#resolved) {
        const unknown = runTimeChanges(variant).find(({ name }) => !variables.has(name));
        if (unknown !== undefined) throw knowsNoVariable(variant.name, unknown.name, server.address);
      }
    }
  }

  async prepare(view: StageView, signal: AbortSignal): Promise<void> {
    const { plan } = this.#request;
    if (this.#opened === undefined) await this.check(view, signal);
    for (const resolved of this.#resolved) {
      this.#datasets.set(resolved.variant.name, datasetOf(resolved, undefined, {}));
    }
    const keys = new Set([...this.#datasets.values()].map(({ key }) => key));
    if (plan.start.data === 'prepared') return;
    if (keys.size > 1) throw needsSeveral(this.#target);
    const [dataset] = this.#datasets.values();
    assert(dataset !== undefined, 'a stage has a variant');
    await this.#makeData(dataset, view, signal);
  }

  async enter(name: string, view: StageView, signal: AbortSignal): Promise<EnteredStage> {
    const { plan, storeDirectory } = this.#request;
    const resolved = this.#resolved.find(({ variant }) => variant.name === name);
    const dataset = this.#datasets.get(name);
    const opened = this.#opened;
    assert(resolved !== undefined && dataset !== undefined && opened !== undefined, 'the stage has been prepared');
    const data = await this.#layData(dataset, view, signal);
    const notes: string[] = [];
    if (plan.start.cache === 'warm') {
      if (dataset.resolved.workload.prewarm === undefined) notes.push('The workload has no prewarm.');
      else await maintainDataset('prewarm', dataset, opened.connections, { view, signal });
    }
    const seen = await this.#lookAt(name);
    const changes = runTimeChanges(resolved.variant);
    for (const { target, server } of this.#servers) {
      const store = storeDirectory === undefined ? {} : { storeDirectory };
      this.#applied.push(await applySettings(target, server, { changes, ...store }));
    }
    const drained = await this.#drain(signal);
    const entered: Entered = {
      adjusted: this.#applied.flatMap(({ adjusted }) => adjusted),
      drift: seen,
      data,
      drainedS: drained.elapsedS,
      notes: [...notes, ...new Set(this.#applied.flatMap((applied) => applied.notes)), ...drained.notes],
    };
    return { targets: opened.connections, isPrivate: opened.isPrivate, entered };
  }

  async leave(): Promise<void> {
    const failures: unknown[] = [];
    for (const applied of this.#applied.reverse()) await applied.putBack().catch((error) => failures.push(error));
    this.#applied = [];
    if (failures.length > 0) throw failures[0];
  }

  /** Data stays: it lies in a database of the user's. */
  async close(): Promise<void> {
    await this.leave();
  }

  /** Which servers these are, and whether an earlier experiment has left something changed there. */
  async #look(view: StageView): Promise<void> {
    const { storeDirectory } = this.#request;
    const servers: { target: ConnectOptions; server: ChangedServer }[] = [];
    for (const target of this.#connections()) {
      const identity = await withServer(target, identityOfServer);
      servers.push({ target, server: { identity, address: addressOf(target), user: target.user, ...this.#private() } });
      for (const { is, address, notes } of await restoreLeftovers(storeDirectory, { target, identity })) {
        if (is === 'restored')
          view.onNote(`What an experiment that was cut off had changed on ${address} is put back.`);
        for (const note of notes) view.onNote(note);
      }
    }
    this.#servers = servers;
  }

  #connections(): readonly ConnectOptions[] {
    return this.#opened?.connections ?? [];
  }

  /** With the process of a private server its settings go, too. */
  #private(): Pick<ChangedServer, 'private'> {
    const name = /^private:(.+)$/.exec(this.#target)?.[1];
    const servers = name === undefined ? [] : foundServers(serversDirectory(this.#request.storeDirectory));
    const process = servers.find(({ file }) => file.name === name)?.file.server ?? undefined;
    return name === undefined || process === undefined ? {} : { private: { name, process } };
  }

  async #makeData(dataset: Dataset, view: StageView, signal: AbortSignal): Promise<void> {
    const [target] = this.#connections();
    if (!dataset.isLoaded || target === undefined) return;
    if (await isReady(target, dataset)) {
      view.onNote('The data is there: it is used as it is.');
      return;
    }
    view.onStep(`loading the data of ${dataset.resolved.plan.workload.name}`);
    await createDatabase(target);
    await maintainDataset('prepare', dataset, this.#connections(), { view, signal });
  }

  async #layData(dataset: Dataset, view: StageView, signal: AbortSignal): Promise<Entered['data']> {
    const fingerprint = `request:${dataset.key}`;
    if (this.#request.plan.start.data !== 'prepared') return { how: 'kept', elapsedS: 0, fingerprint };
    const [target] = this.#connections();
    const startMs = monotonicMs();
    if (dataset.isLoaded && target !== undefined) {
      view.onStep('dropping the data, and loading it again');
      await createDatabase(target);
      const doing = { view, signal };
      if (dataset.resolved.workload.cleanup !== undefined) {
        await maintainDataset('cleanup', dataset, this.#connections(), doing);
      }
      await maintainDataset('prepare', dataset, this.#connections(), doing);
    }
    return { how: 'prepared', elapsedS: (monotonicMs() - startMs) / 1000, fingerprint };
  }

  /** What differs from the first run of the variant, and what somebody has set since the server was started. */
  async #lookAt(variant: string): Promise<string[]> {
    const [target] = this.#connections();
    assert(target !== undefined, 'a target has a connection');
    return withServer(target, async (connection) => {
      const variables = await readGlobals(connection);
      const before = this.#first.get(variant);
      if (before === undefined) this.#first.set(variant, variables);
      // What variants set is put back, and counts as set at run time from then on.
      const own = new Set(
        this.#resolved.flatMap((resolved) => runTimeChanges(resolved.variant)).map(({ name }) => name),
      );
      const atRunTime = (await changedAtRunTime(connection)).filter((name) => !own.has(name));
      return [...driftOf(before, variables), ...atRunTime.map((name) => `${name} was set while the server ran.`)];
    });
  }

  /** Others may use it: it is waited for, and not hurried. */
  async #drain(signal: AbortSignal): Promise<Awaited<ReturnType<typeof drain>>> {
    const each = this.#connections().map((target) =>
      withServer(target, (connection: Connection) => drain(connection, { forces: false, signal })),
    );
    const drained = await Promise.all(each);
    return {
      elapsedS: Math.max(...drained.map(({ elapsedS }) => elapsedS)),
      notes: [...new Set(drained.flatMap(({ notes }) => notes))],
    };
  }
}

async function isReady(target: ConnectOptions, { resolved, options }: Dataset): Promise<boolean> {
  const { workload, plan } = resolved;
  const { threads, preparedStatements } = plan;
  try {
    await using connection = await connect(target);
    const problems = await preflight(connection, workload, options, {
      threads,
      isPrepareRun: false,
      preparedStatements,
    });
    return problems.every(({ severity }) => severity !== 'stop');
  } catch (error) {
    if (error instanceof ServerError && error.code === ER_BAD_DB_ERROR) return false;
    throw error;
  }
}

const ER_BAD_DB_ERROR = 1049;

function addressOf({ socketPath, host = 'localhost', port = 3306 }: ConnectOptions): string {
  return socketPath ?? `${host}:${port}`;
}

function knowsNoVariable(variant: string, name: string, address: string): UserError {
  return new UserError(`Variant '${variant}' sets ${name}, and the server on ${address} has no such variable.`, {
    hint: 'Correct the name: variables differ between servers and versions.',
  });
}

function needsConsent(variant: string): UserError {
  return new UserError(`Variant '${variant}' changes settings of a server that others may use.`, {
    hint: 'They are put back after each run. If that is meant, say so with --allow-settings; or take a private server.',
  });
}

function needsSeveral(target: string): UserError {
  return new UserError(`The variants need different data, and ${target} has one database for it.`, {
    hint: 'Say `start: {data: prepared}`: it is dropped and loaded before each run. Or take a private server.',
  });
}
