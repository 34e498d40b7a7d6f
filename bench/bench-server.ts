/** The private server that a bench loads, with accounts that sysbench and floor.c can use too. */
import { randomBytes } from 'node:crypto';
import { type PrivateServer, startPrivateServer } from '../src/lab/server.ts';
import { connect } from '../src/wire/connection.ts';
import type { Connection } from '../src/wire/types.ts';
import type { Account, Transport } from './grid.ts';

/** CPU-bound on purpose: the question is what the client costs, so the server must not wait for a disk. */
const SERVER_ARGUMENTS = ['--innodb-buffer-pool-size=1G', '--innodb-flush-log-at-trx-commit=2'];

export interface BenchServer extends AsyncDisposable {
  readonly server: PrivateServer;
  readonly observer: Connection;
  readonly account: Account;
  readonly socket: Transport;
  readonly tcp: Transport;
}

export async function startBenchServer(): Promise<BenchServer> {
  const server = await startPrivateServer({ extraArguments: SERVER_ARGUMENTS, tcp: true });
  const observer = await connect({ ...server.target, multiStatements: true });
  const account = { user: 'bench', password: randomBytes(12).toString('hex') };
  await createAccounts(observer, account);
  return {
    server,
    observer,
    account,
    socket: { name: 'socket', options: [`--mysql-socket=${server.socketPath}`] },
    tcp: { name: 'tcp', options: ['--mysql-host=127.0.0.1', `--mysql-port=${server.port}`] },
    async [Symbol.asyncDispose]() {
      await observer.close();
      await server.stop();
    },
  };
}

/** The program of floor.c knows no password; its account is good for the socket only, which others cannot reach. */
async function createAccounts(observer: Connection, { user, password }: Account): Promise<void> {
  await observer.readAll(
    `CREATE DATABASE sbtest;
     CREATE USER ${user}@'127.0.0.1' IDENTIFIED BY '${password}'; GRANT ALL ON sbtest.* TO ${user}@'127.0.0.1';
     CREATE USER ${user}@localhost IDENTIFIED BY '${password}'; GRANT ALL ON sbtest.* TO ${user}@localhost;
     CREATE USER floor@localhost IDENTIFIED BY ''; GRANT SELECT ON sbtest.* TO floor@localhost`,
  );
}
