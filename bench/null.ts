/**
 * `npm run bench:null`: the generator's own ceiling. The fake server answers at once from prepared bytes, so what is
 * left is the client. sysbench meets the same server, interleaved.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect } from '../src/wire/connection.ts';
import { gridFromArguments, walk } from './grid.ts';
import { machineLine } from './process-cost.ts';

const TITLE = 'bench:null: sqldyno and sysbench against a server that does nothing.';

async function main(): Promise<void> {
  const grid = gridFromArguments(TITLE, { workloads: 'oltp_point_select', transports: 'socket' });
  if (grid === undefined) return;
  const directory = mkdtempSync(join(tmpdir(), 'sqldyno-null-'));
  const socketPath = join(directory, 's');
  const server = fork(fileURLToPath(new URL('./null-server.js', import.meta.url)), [socketPath]);
  try {
    await once(server, 'message');
    await using observer = await connect({ socketPath, user: 'bench', password: '', sslMode: 'DISABLED' });
    console.log(`${machineLine()}; fake server in one process`);
    const transport = { name: 'socket' as const, options: [`--mysql-socket=${socketPath}`] };
    await walk(grid, [transport], { user: 'bench', password: '' }, observer);
  } finally {
    const ended = once(server, 'exit');
    if (server.connected) server.disconnect();
    else server.kill('SIGKILL');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  }
}

await main();
