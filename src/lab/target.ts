/** What the load was applied to, for the record. */
import type { TargetRecord } from '../model/run.ts';
import { isThisHost } from '../observe/host.ts';
import { readVariables } from '../observe/variables.ts';
import { ServerError } from '../wire/errors.ts';
import type { Connection, ConnectOptions } from '../wire/types.ts';
import type { RunRequest } from './run.ts';

export interface TargetDescription {
  readonly record: TargetRecord;
  /** Client and server share this machine. */
  readonly isHere: boolean;
}

export async function describeTarget(
  connection: Connection,
  { plan, isPrivate }: Pick<RunRequest, 'plan' | 'isPrivate'>,
): Promise<TargetDescription> {
  const { flavor, version, tls } = connection.server;
  const [target] = plan.targets;
  const serverHost = await hostOf(connection);
  const isHere = plan.targets.some(({ socketPath, host }) => isThisHost(socketPath ?? host ?? 'localhost', serverHost));
  const record = {
    flavor,
    version,
    address: [...new Set(plan.targets.map(addressOf))].join(', '),
    user: target?.user ?? '',
    database: target?.database ?? '',
    tls: tls === undefined ? null : `${tls.version} ${tls.cipher}`,
    isPrivate,
    variables: await readVariables(connection),
  };
  return { record, isHere };
}

/** Undefined where it is not told, as by some proxies. */
async function hostOf(connection: Connection): Promise<string | undefined> {
  try {
    const { rows } = await connection.read('SELECT @@hostname');
    return String(rows[0]?.[0] ?? '') || undefined;
  } catch (error) {
    if (error instanceof ServerError) return undefined;
    throw error;
  }
}

export function addressOf({ socketPath, host = 'localhost', port = 3306 }: ConnectOptions): string {
  if (socketPath !== undefined) return socketPath;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
