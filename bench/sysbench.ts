/**
 * `npm run bench:sysbench`: sqldyno beside sysbench on one private server, interleaved.
 * With --floor also the C program of floor.c, built on the spot with `cc`.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type PrivateServer, startPrivateServer } from '../src/lab/server.ts';
import { connect } from '../src/wire/connection.ts';
import type { Connection } from '../src/wire/types.ts';
import { type Grid, gridFromArguments, type Transport, walk } from './grid.ts';
import { machineLine } from './process-cost.ts';

const TITLE = 'bench:sysbench: sqldyno beside sysbench on a private server. --floor adds the C program.';

/** CPU-bound on purpose: the question is what the client costs, so the server must not wait for a disk. */
const SERVER_ARGUMENTS = [
  '--innodb-buffer-pool-size=1G',
  '--innodb-flush-log-at-trx-commit=2',
  '--max-connections=3000',
  '--max-prepared-stmt-count=1000000',
];

function observe(server: PrivateServer): Promise<Connection> {
  return connect({ ...server.target, multiStatements: true });
}

/** An account of the bench's own: with a password over TCP, without over the socket (floor.c knows no password). */
async function createAccount(observer: Connection, user: string, password: string): Promise<void> {
  await observer.readAll(
    `CREATE DATABASE sbtest;
     CREATE USER ${user}@'127.0.0.1' IDENTIFIED BY '${password}'; GRANT ALL ON sbtest.* TO ${user}@'127.0.0.1';
     CREATE USER ${user}@localhost IDENTIFIED BY '${password}'; GRANT ALL ON sbtest.* TO ${user}@localhost;
     CREATE USER floor@localhost IDENTIFIED BY ''; GRANT SELECT ON sbtest.* TO floor@localhost`,
  );
}

function prepareTables(grid: Grid, transport: Transport, user: string, password: string): void {
  execFileSync('sysbench', [
    'oltp_read_write',
    ...transport.options,
    `--mysql-user=${user}`,
    `--mysql-password=${password}`,
    `--tables=${grid.tables}`,
    `--table-size=${grid.rows}`,
    '--threads=2',
    'prepare',
  ]);
}

function runFloor(grid: Grid, socketPath: string): void {
  const directory = mkdtempSync(join(tmpdir(), 'sqldyno-floor-'));
  try {
    const program = join(directory, 'floor');
    execFileSync('cc', ['-O2', '-o', program, fileURLToPath(new URL('../../bench/floor.c', import.meta.url))]);
    console.log('\n### The floor (floor.c), point select, socket\n');
    for (const connections of grid.connections) {
      const settings = [String(connections), String(grid.windowS), String(grid.tables), String(grid.rows)];
      const line = execFileSync(program, [socketPath, 'floor', ...settings], { encoding: 'utf8' });
      console.log(`${connections} connections: ${line.trim()}`);
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const withFloor = process.argv.includes('--floor');
  process.argv = process.argv.filter((argument) => argument !== '--floor');
  const grid = gridFromArguments(TITLE, { workloads: 'oltp_point_select,oltp_read_write', transports: 'socket,tcp' });
  if (grid === undefined) return;
  await using server = await startPrivateServer({ extraArguments: SERVER_ARGUMENTS, tcp: true });
  await using observer = await observe(server);
  const account = { user: 'bench', password: randomBytes(12).toString('hex') };
  await createAccount(observer, account.user, account.password);
  const socket: Transport = { name: 'socket', options: [`--mysql-socket=${server.socketPath}`] };
  const tcp: Transport = { name: 'tcp', options: ['--mysql-host=127.0.0.1', `--mysql-port=${server.port}`] };
  prepareTables(grid, socket, account.user, account.password);
  const sysbench = execFileSync('sysbench', ['--version'], { encoding: 'utf8' }).trim();
  console.log(`${machineLine()}; ${observer.server.flavor} ${observer.server.version}; ${sysbench}`);
  if (withFloor) runFloor(grid, server.socketPath);
  await walk(grid, [socket, tcp], account, observer);
}

await main();
