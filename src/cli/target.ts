/**
 * From options to connections. The order for each setting: the command line, the URL, an option file, sysbench's
 * default. An option file is never a target by itself: it fills in what a named target leaves open.
 */
import { UserError } from '../base/errors.ts';
import type { ValuesOf } from '../base/options.ts';
import type { ConnectOptions, SslMode } from '../wire/types.ts';
import { SSL_MODES } from '../wire/types.ts';
import type { ClientOptions } from './option-files.ts';
import { readOptionFile, readUsualOptionFiles } from './option-files.ts';
import { ASK_FOR_IT, NAMES_A_TARGET, type TARGET_OPTIONS } from './target-options.ts';

export type TargetValues = ValuesOf<typeof TARGET_OPTIONS>;

/** What target resolution sees of the machine; tests hand in another one. */
export interface TargetWorld {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly optionFiles: readonly string[];
  /** Where servers usually have their Unix socket. */
  readonly socketPaths: readonly string[];
  exists(path: string): boolean;
  /** Throws where the file cannot be read. */
  readText(path: string): string;
  /** Throws a UserError where there is no terminal. */
  askPassword(prompt: string): Promise<string>;
}

export type Target =
  | { readonly is: 'private'; readonly database: string }
  | {
      readonly is: 'server';
      /** Connections take these in turn. */
      readonly connections: readonly ConnectOptions[];
      readonly createDatabase: boolean;
      /** What was decided for the user: which socket, whose option file. */
      readonly notes: readonly string[];
    };

export const USUAL_SOCKETS = [
  '/run/mysqld/mysqld.sock',
  '/var/run/mysqld/mysqld.sock',
  '/var/lib/mysql/mysql.sock',
  '/run/mysql/mysql.sock',
  '/tmp/mysql.sock',
] as const;

const PORT_MAX = 65_535;

export async function resolveTarget(
  values: TargetValues,
  given: ReadonlySet<string>,
  world: TargetWorld,
): Promise<Target> {
  if (!NAMES_A_TARGET.some((name) => given.has(name))) return { is: 'private', database: values.mysql_db };
  if (given.has('server')) {
    throw new UserError('--server names a private server, and other options name another target.', {
      hint: 'Leave out --server, or everything else that says where the server is.',
    });
  }
  const url = given.has('url') ? readUrl(values.url) : new Map<string, string>();
  const isGiven = (option: string, key: string) => given.has(option) || url.has(key);
  const namedUser = given.has('mysql_user') ? values.mysql_user : url.get('user');
  const file = fromOptionFiles(values, { given, isGiven, namedUser }, world);
  const settings: Settings = {
    pick: (option, key) => (given.has(option) ? undefined : (url.get(key) ?? file.client.get(key))),
    isOpen: (option, key) => !isGiven(option, key) && !file.client.has(key),
  };
  const user = settings.pick('mysql_user', 'user') ?? values.mysql_user;
  const database = settings.pick('mysql_db', 'database') ?? values.mysql_db;
  const places = placesOf(values, settings, given, world);
  const password = await passwordOf(values, settings, given, world, `${user}@${places.shown}`);
  const common = {
    user,
    password,
    database,
    // Without encryption, the key that protects the password is taken from the server, as MariaDB's library does.
    allowPublicKeyRetrieval: true,
    ...timeoutsOf(values, settings),
    ...tlsOf(values, settings, given, world),
  };
  return {
    is: 'server',
    connections: places.places.map((place) => ({ ...common, ...place })),
    createDatabase: values.create_database,
    notes: [...places.notes, ...file.notes],
  };
}

interface Settings {
  /** What URL or file say where the command line says nothing. */
  pick(option: string, key: string): string | undefined;
  /** Nobody says anything about it. */
  isOpen(option: string, key: string): boolean;
}

interface Named {
  readonly given: ReadonlySet<string>;
  isGiven(option: string, key: string): boolean;
  /** The user that command line or URL names. */
  readonly namedUser: string | undefined;
}

/** One URL, as `key -> value` under the names that option files use. */
export function readUrl(text: string): Map<string, string> {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new UserError('The URL is not well-formed.', { hint: URL_HINT });
  }
  if (!['mysql:', 'mariadb:'].includes(url.protocol)) {
    throw new UserError(`A URL must begin with mysql:// or mariadb://, not ${url.protocol}//`, { hint: URL_HINT });
  }
  const settings = new Map<string, string>();
  const set = (key: string, value: string) => value !== '' && settings.set(key, value);
  set('user', decode(url.username));
  set('password', decode(url.password));
  set('host', decode(url.hostname).replace(/^\[(.*)\]$/, '$1'));
  set('port', url.port);
  set('database', decode(url.pathname.slice(1)));
  for (const [name, value] of url.searchParams) {
    const key = name.toLowerCase().replaceAll('_', '-');
    if (!URL_PARAMETERS.includes(key)) {
      throw new UserError(`The URL's parameter ${name} is not known.`, {
        hint: `Known: ${URL_PARAMETERS.join(', ')}.`,
      });
    }
    set(key, value);
  }
  return settings;
}

const URL_PARAMETERS: readonly string[] = [
  'ssl-mode',
  'ssl-ca',
  'ssl-cert',
  'ssl-key',
  'tls-version-min',
  'socket',
  'connect-timeout',
  'read-timeout',
];
const URL_HINT = 'Write it like mysql://user@host:3306/db?ssl-mode=VERIFY_CA';

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UserError('The URL has a % that begins no character.', { hint: 'Write a % as %25.' });
  }
}

/** Location, credentials and encryption are three groups: a file fills only those that the command line leaves open. */
function fromOptionFiles(
  values: TargetValues,
  { given, isGiven, namedUser }: Named,
  world: TargetWorld,
): { client: ClientOptions; notes: string[] } {
  const isNamed = values.defaults_file !== '';
  if (values.no_defaults && !given.has('defaults_file')) return { client: new Map(), notes: [] };
  const read = isNamed
    ? { client: readOptionFile(values.defaults_file), files: [values.defaults_file] }
    : readUsualOptionFiles(world.optionFiles);
  const client = new Map<string, string>();
  const take = (keys: readonly string[]) => {
    for (const key of keys) {
      const value = read.client.get(key);
      if (value !== undefined) client.set(key, value);
    }
  };
  const hasPlace = isGiven('mysql_host', 'host') || isGiven('mysql_port', 'port') || isGiven('mysql_socket', 'socket');
  if (!hasPlace) take(['host', 'port', 'socket']);
  if (namedUser === undefined) take(['user', 'password']);
  // A password of another user is not tried: it would tell it to a server that has no business with it.
  else if ((read.client.get('user') ?? namedUser) === namedUser) take(['password']);
  if (!isGiven('mysql_ssl', 'ssl-mode')) take(['ssl-mode', 'ssl-ca', 'ssl-cert', 'ssl-key']);
  if (isGiven('mysql_password', 'password')) client.delete('password');
  const notes = client.size > 0 ? [`${[...client.keys()].join(', ')} from [client] in ${read.files.join(', ')}`] : [];
  return { client, notes };
}

type Place = { readonly socketPath: string } | { readonly host: string; readonly port: number };

function placesOf(
  values: TargetValues,
  settings: Settings,
  given: ReadonlySet<string>,
  world: TargetWorld,
): { places: readonly Place[]; shown: string; notes: string[] } {
  const socket = settings.pick('mysql_socket', 'socket');
  const isHostGiven = given.has('mysql_host');
  // A socket that only a file names stands for localhost, not for a host that the command line names.
  const sockets = given.has('mysql_socket') || socket === undefined ? values.mysql_socket : isHostGiven ? [] : [socket];
  if (sockets.length > 0) return placed(sockets.map((socketPath) => ({ socketPath })));
  const host = settings.pick('mysql_host', 'host');
  const port = settings.pick('mysql_port', 'port');
  const hosts = host === undefined ? values.mysql_host : [host];
  const ports = (port === undefined ? values.mysql_port : [port]).map(readPort);
  if (hosts.length === 0) throw new UserError('--mysql-host names no host.', { hint: 'Write --mysql-host=HOST' });
  const notes: string[] = [];
  const places = hosts.flatMap((each): Place[] => {
    if (each !== 'localhost') return ports.map((number) => ({ host: each, port: number }));
    const found = settings.isOpen('mysql_port', 'port') ? localSocket(world) : undefined;
    if (found !== undefined) {
      notes.push(`localhost is the Unix socket ${found}; for TCP write --mysql-host=127.0.0.1`);
      return [{ socketPath: found }];
    }
    notes.push(
      `localhost is TCP 127.0.0.1:${ports.join(',')}${given.has('mysql_port') ? '' : ': no Unix socket found'}`,
    );
    return ports.map((number) => ({ host: '127.0.0.1', port: number }));
  });
  return { ...placed(places), notes };
}

function placed(places: readonly Place[]): { places: readonly Place[]; shown: string; notes: string[] } {
  return { places, shown: places.map(addressOf).join(', '), notes: [] };
}

export function addressOf(place: { socketPath?: string; host?: string; port?: number }): string {
  if (place.socketPath !== undefined) return place.socketPath;
  const host = place.host?.includes(':') ? `[${place.host}]` : place.host;
  return `${host}:${place.port}`;
}

/** libmysqlclient takes its socket for localhost, whatever the port; only where no port is named do we follow it. */
function localSocket(world: TargetWorld): string | undefined {
  const named = world.environment['MYSQL_UNIX_PORT'];
  return [...(named ? [named] : []), ...world.socketPaths].find((path) => world.exists(path));
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= PORT_MAX) return port;
  throw new UserError(`--mysql-port must be a whole number from 1 to ${PORT_MAX}, not '${text}'.`);
}

async function passwordOf(
  values: TargetValues,
  settings: Settings,
  given: ReadonlySet<string>,
  world: TargetWorld,
  whose: string,
): Promise<string> {
  if (values.ask_password || values.mysql_password === ASK_FOR_IT) return world.askPassword(`Password of ${whose}: `);
  if (values.mysql_password_file !== '') return firstLine(values.mysql_password_file, world);
  if (given.has('mysql_password')) return values.mysql_password;
  const written = settings.pick('mysql_password', 'password');
  return written ?? world.environment['MYSQL_PWD'] ?? '';
}

function firstLine(path: string, world: TargetWorld): string {
  return readNamedFile(path, '--mysql-password-file', world).split(/\r?\n/)[0] ?? '';
}

function readNamedFile(path: string, option: string, world: TargetWorld): string {
  try {
    return world.readText(path);
  } catch (error) {
    throw new UserError(`${option}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? error}).`, {
      hint: 'Give the path of a file that you may read.',
      cause: error,
    });
  }
}

function timeoutsOf(values: TargetValues, settings: Settings): { connectTimeoutMs: number; readTimeoutMs: number } {
  const seconds = (key: 'connect_timeout' | 'read_timeout') => {
    const written = settings.pick(key, key.replace('_', '-'));
    const value = written === undefined ? values[key] : Number(written);
    if (Number.isFinite(value) && value >= 0) return value;
    throw new UserError(`${key.replace('_', '-')} must be a number of seconds, not '${written}'.`);
  };
  return { connectTimeoutMs: seconds('connect_timeout') * 1000, readTimeoutMs: seconds('read_timeout') * 1000 };
}

type Tls = Pick<ConnectOptions, 'sslMode' | 'sslCa' | 'sslCert' | 'sslKey' | 'tlsVersionMin'>;

function tlsOf(values: TargetValues, settings: Settings, given: ReadonlySet<string>, world: TargetWorld): Tls {
  const pem = (option: 'mysql_ssl_ca' | 'mysql_ssl_cert' | 'mysql_ssl_key', key: string) => {
    const path = settings.pick(option, key) ?? values[option];
    return path === '' ? undefined : readNamedFile(path, `--${option.replaceAll('_', '-')}`, world);
  };
  const sslCa = pem('mysql_ssl_ca', 'ssl-ca');
  const sslCert = pem('mysql_ssl_cert', 'ssl-cert');
  const sslKey = pem('mysql_ssl_key', 'ssl-key');
  // Who names an authority wants the server checked against it, and who names a key wants to use it.
  const implied = sslCa !== undefined ? 'VERIFY_CA' : sslCert !== undefined ? 'REQUIRED' : undefined;
  const asked = settings.pick('mysql_ssl', 'ssl-mode') ?? (given.has('mysql_ssl') ? values.mysql_ssl : undefined);
  const sslMode = asked === undefined ? (implied ?? 'DISABLED') : readSslMode(asked);
  const tlsVersionMin = settings.pick('tls_version_min', 'tls-version-min') ?? values.tls_version_min;
  if (tlsVersionMin !== 'TLSv1.2' && tlsVersionMin !== 'TLSv1.3') {
    throw new UserError(`tls-version-min must be TLSv1.2 or TLSv1.3, not '${tlsVersionMin}'.`);
  }
  return {
    sslMode,
    tlsVersionMin,
    ...(sslCa === undefined ? {} : { sslCa }),
    ...(sslCert === undefined ? {} : { sslCert }),
    ...(sslKey === undefined ? {} : { sslKey }),
  };
}

function readSslMode(text: string): SslMode {
  const mode = text.toUpperCase().replaceAll('-', '_');
  if (mode === 'ON') return 'REQUIRED';
  if (mode === 'OFF') return 'DISABLED';
  const known = SSL_MODES.find((each) => each === mode);
  if (known === undefined) throw new UserError(`ssl-mode must be one of ${SSL_MODES.join(', ')}, not '${text}'.`);
  return known;
}
