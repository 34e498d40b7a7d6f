/** The private server that an experiment has at a time: started on data that is there, and ended in one of two ways. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../../base/clock.ts';
import { ExitCode, UserError } from '../../base/errors.ts';
import { connect } from '../../wire/connection.ts';
import type { ConnectOptions } from '../../wire/types.ts';
import { StartFailure } from '../launch.ts';
import { identityOf, stateOf } from '../process-identity.ts';
import { type PrivateServer, startPrivateServer } from '../server.ts';
import type { ServerBinary } from '../server-binary.ts';
import { endProcess, pathsOf } from '../server-directory.ts';
import { refuse } from './option-check.ts';

export interface OwnServerRequest {
  readonly binary: ServerBinary;
  readonly data: string;
  readonly optionFile: string;
  readonly connect: 'socket' | 'tcp';
  /** For errors. */
  readonly variant: string;
  readonly storeDirectory: string | undefined;
  readonly signal: AbortSignal;
  readonly onNote: (line: string) => void;
}

export interface OwnServer {
  /** Without a database. */
  readonly target: ConnectOptions;
  /** What it said while it started. */
  readonly log: string;
  /** At once: of what is in memory nothing is kept. */
  kill(): Promise<void>;
  /** Its data is whole and at rest: purged, all pages written. Throws where that takes too long, or is cut off. */
  shutDown(signal?: AbortSignal): Promise<void>;
}

/** Purging and writing all of a pool of many GiB to a slow disk takes its time; longer than this it hangs. */
const SHUT_DOWN_DEADLINE_MS = 1_800_000;
const POLL_MS = 20;

export async function startOwnServer(request: OwnServerRequest): Promise<OwnServer> {
  const { binary, data, optionFile, storeDirectory, signal, onNote } = request;
  try {
    const server = await startPrivateServer({
      binary: binary.path,
      data,
      optionFile,
      tcp: request.connect === 'tcp',
      signal,
      onNote,
      ...(storeDirectory === undefined ? {} : { directory: storeDirectory }),
    });
    return handleOf(server, request);
  } catch (error) {
    if (error instanceof StartFailure) refuse(error.log, optionFile, request.variant);
    throw error;
  }
}

function handleOf(server: PrivateServer, request: OwnServerRequest): OwnServer {
  const identity = identityOf(server.pid);
  const readLog = () => readFileSync(pathsOf(server.directory).errorLog, 'utf8');
  return {
    target: request.connect === 'tcp' ? tcpTarget(server) : server.target,
    log: readLog(),
    kill: async () => {
      if (identity !== undefined) await endProcess(identity, 0);
      await server.stop();
    },
    shutDown: async (signal) => {
      try {
        await orderShutDown(server.target);
        const startMs = monotonicMs();
        while (identity !== undefined && stateOf(identity) === 'running') {
          if (monotonicMs() - startMs > SHUT_DOWN_DEADLINE_MS) throw hangs();
          signal?.throwIfAborted();
          await sleep(POLL_MS);
        }
        if (!/Shutdown complete/i.test(readLog())) throw notInOrder();
      } finally {
        await server.stop();
      }
    },
  };
}

/**
 * 0 purges all old versions of rows before it ends; with 1, the default, each start on the copy would purge them in the
 * background of a run. Pages are written with either.
 */
async function orderShutDown(target: ConnectOptions): Promise<void> {
  await using connection = await connect(target);
  await connection.execute('SET GLOBAL innodb_fast_shutdown = 0');
  // It may end before it has answered.
  await connection.execute('SHUTDOWN').catch(() => {});
}

function tcpTarget({ tcp, target }: PrivateServer): ConnectOptions {
  if (tcp === undefined) throw new Error('a server that was asked to listen has a port');
  const { host, port, user, password } = tcp;
  const { socketPath: _, ...rest } = target;
  // The password goes over loopback only, and MySQL would have it encrypted by a key that it is asked for.
  return { ...rest, host, port, user, password, allowPublicKeyRetrieval: true };
}

function hangs(): UserError {
  return new UserError(`The private server has not ended within ${SHUT_DOWN_DEADLINE_MS / 60_000} min.`, {
    hint: 'Its disk may be too slow for so much data: take less, or another disk.',
    exitCode: ExitCode.runFailed,
  });
}

function notInOrder(): UserError {
  return new UserError('The private server ended without having finished its shutdown: its data cannot be kept.', {
    hint: 'Run it again. Where it stays so, the server may have been killed for want of memory: see dmesg.',
    exitCode: ExitCode.runFailed,
  });
}
