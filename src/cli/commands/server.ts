/** `sqldyno server start|stop|list`: private servers that stay between commands. */
import { ExitCode, UserError } from '../../base/errors.ts';
import {
  listPrivateServers,
  type PrivateServerOptions,
  startPrivateServer,
  stopPrivateServer,
} from '../../lab/server.ts';
import { type Column, tableLines } from '../../report/layout.ts';
import type { Interrupts } from '../interrupts.ts';
import { tellLeftovers } from '../leftovers-text.ts';
import { stopCommand } from '../private-target.ts';
import { jsonText, type Terminal } from '../terminal.ts';

const DEFAULT_NAME = 'default';

export interface ServerWorld {
  readonly terminal: Terminal;
  readonly interrupts: Interrupts;
  readonly storeDirectory: string | undefined;
}

/** A name, and after `--` options of the server. */
export async function startServer(
  words: readonly string[],
  tcp: string | boolean | undefined,
  { terminal, interrupts, storeDirectory }: ServerWorld,
): Promise<ExitCode> {
  const extraArguments = words.filter((word) => word.startsWith('-'));
  const [name = DEFAULT_NAME, ...others] = words.filter((word) => !word.startsWith('-'));
  if (others.length > 0) {
    throw new UserError(`'${others[0]}' is one word too many.`, {
      hint: 'Options of the server follow after --, as in: sqldyno server start -- --innodb-buffer-pool-size=1G',
    });
  }
  const running = (await listPrivateServers(storeDirectory)).find(
    ({ file, state }) => file.name === name && state === 'running',
  );
  if (running !== undefined && extraArguments.length === 0 && tcp === undefined) {
    const { socketPath, flavor, version, server } = running.file;
    return tellRunning({ name, socketPath, flavor, version, pid: server?.pid }, 'runs already', terminal);
  }
  const server = await startPrivateServer({
    keep: true,
    name,
    extraArguments,
    signal: interrupts.signal,
    onNote: (line) => terminal.warn(line),
    ...(storeDirectory === undefined ? {} : { directory: storeDirectory }),
    ...tcpOption(tcp),
  });
  const { socketPath, flavor, version, pid, port, clientFile } = server;
  return tellRunning({ name, socketPath, flavor, version, pid, port, clientFile }, 'runs', terminal);
}

function tcpOption(tcp: string | boolean | undefined): Pick<PrivateServerOptions, 'tcp'> {
  if (tcp === undefined || tcp === false) return {};
  if (tcp === true) return { tcp: true };
  if (/^\d{1,5}$/.test(tcp)) return { tcp: Number(tcp) };
  throw new UserError(`--tcp must be a port, not '${tcp}'.`, { hint: 'Write --tcp alone for any free port.' });
}

interface Running {
  readonly name: string;
  readonly socketPath: string;
  readonly flavor: string;
  readonly version: string;
  readonly pid: number | undefined;
  readonly port?: number | undefined;
  readonly clientFile?: string | undefined;
}

function tellRunning(server: Running, how: string, terminal: Terminal): ExitCode {
  const { name, socketPath, flavor, version, pid, port, clientFile } = server;
  terminal.json(jsonText(server));
  if (terminal.wantsJson) return ExitCode.done;
  const client = flavor === 'mariadb' ? 'mariadb' : 'mysql';
  const load =
    name === DEFAULT_NAME ? 'sqldyno oltp_read_write prepare' : `sqldyno oltp_read_write --server=${name} prepare`;
  terminal.say(`The private server '${name}' ${how}: ${flavor} ${version}, process ${pid}.`);
  terminal.say(`  socket   ${socketPath}`);
  if (port !== undefined) terminal.say(`  tcp      127.0.0.1:${port}, credentials in ${clientFile}`);
  terminal.say(`  connect  ${client} --no-defaults -uroot --socket=${socketPath}`);
  terminal.say(`  load     ${load}`);
  terminal.say(`  stop     ${stopCommand(name)}        (its data stays; with --rm it goes too)`);
  return ExitCode.done;
}

export async function stopServer(
  name: string,
  remove: boolean,
  { terminal, storeDirectory }: ServerWorld,
): Promise<ExitCode> {
  const options = { remove, ...(storeDirectory === undefined ? {} : { directory: storeDirectory }) };
  const wasRunning = await stopPrivateServer(name, options);
  const stopped = wasRunning ? `Stopped the private server '${name}'` : `The private server '${name}' was not running`;
  const data = remove ? 'its data is removed' : 'its data stays for the next start';
  terminal.say(`${stopped}; ${data}.`);
  terminal.json(jsonText({ name, wasRunning, removed: remove }));
  return ExitCode.done;
}

const COLUMNS: readonly Column[] = [
  { heading: 'name', align: 'left' },
  { heading: 'state', align: 'left' },
  { heading: 'version', align: 'left' },
  { heading: 'process', align: 'right' },
  { heading: 'socket', align: 'left' },
];

export async function listServers({ terminal, storeDirectory }: ServerWorld): Promise<ExitCode> {
  await tellLeftovers(storeDirectory, terminal);
  const servers = await listPrivateServers(storeDirectory);
  terminal.json(
    jsonText(
      servers.map(({ directory, file, state }) => {
        const { name, keep, flavor, version, socketPath, port, startedAt, server } = file;
        return { name, state, keep, flavor, version, pid: server?.pid ?? null, socketPath, port, startedAt, directory };
      }),
    ),
  );
  if (terminal.wantsJson) return ExitCode.done;
  if (servers.length === 0) {
    terminal.say('No private servers. To start one: sqldyno server start');
    return ExitCode.done;
  }
  const rows = servers.map(({ file, state }) => [
    file.name,
    file.keep ? state : `${state}, temporary`,
    `${file.flavor} ${file.version}`,
    state === 'running' ? String(file.server?.pid ?? '') : '',
    state === 'running' ? file.socketPath : '',
  ]);
  for (const line of tableLines(COLUMNS, rows)) terminal.say(line.trimStart());
  return ExitCode.done;
}
