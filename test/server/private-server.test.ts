/** Private servers, with the server that is installed: who gets in, what is left, and what a failure says. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { identityOf, type ProcessIdentity, stateOf } from '../../src/lab/process-identity.ts';
import {
  listPrivateServers,
  type PrivateServerOptions,
  startPrivateServer,
  stopPrivateServer,
} from '../../src/lab/server.ts';

const SMALL = ['--innodb-buffer-pool-size=64M'];
const isRoot = process.geteuid?.() === 0;

let scratch: string;
/** The lab compiled to JavaScript, for programs that run it outside this process. */
let built: string;
let store: string;

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'sqldyno-test-'));
  chmodSync(scratch, 0o755);
  process.env['XDG_CACHE_HOME'] = join(scratch, 'cache');
  built = join(scratch, 'built');
  compileLab(built);
});

afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

beforeEach(() => {
  store = mkdtempSync(join(scratch, 'store-'));
});

function start(options: PrivateServerOptions = {}) {
  return startPrivateServer({ directory: store, extraArguments: SMALL, ...options });
}

function leftovers(): string[] {
  const servers = join(store, 'servers');
  return existsSync(servers) ? readdirSync(servers) : [];
}

async function whoAmI(
  options: { socketPath: string } | { host: string; port: number; password?: string },
): Promise<string> {
  const connection = await createConnection({ user: 'root', ...options });
  try {
    const [rows] = await connection.query({ sql: 'SELECT CURRENT_USER()', rowsAsArray: true });
    return String((rows as unknown[][])[0]?.[0]);
  } finally {
    connection.destroy();
  }
}

describe('a private server', () => {
  test('lets its owner in through the socket and leaves nothing behind', async () => {
    const server = await start();
    const process_ = need(identityOf(server.pid));
    expect(await whoAmI({ socketPath: server.socketPath })).toBe('root@localhost');
    expect(server.port).toBeUndefined();
    expect((await listPrivateServers(store)).map(({ file, state }) => [file.name, state])).toEqual([
      [server.name, 'running'],
    ]);
    await server.stop();
    await server.stop();
    expect(stateOf(process_)).toBe('gone');
    expect(leftovers()).toEqual([]);
  });

  test('takes a password over TCP, and nothing else', async () => {
    await using server = await start({ tcp: true });
    const tcp = need(server.tcp);
    expect(await whoAmI(tcp)).toBe('root@127.0.0.1');
    const place = { host: '127.0.0.1', port: tcp.port };
    await expect(whoAmI(place)).rejects.toThrow(/Access denied/);
    await expect(whoAmI({ ...place, password: 'wrong' })).rejects.toThrow(/Access denied/);
    expect(await whoAmI({ socketPath: server.socketPath })).toBe('root@localhost');
    expect(existsSync(join(server.directory, 'init.sql'))).toBe(false);
  });

  test('runs beside another one', async () => {
    await using one = await start({ tcp: true });
    await using other = await start({ tcp: true });
    expect(other.name).not.toBe(one.name);
    expect(other.port).not.toBe(one.port);
    expect(await whoAmI(need(one.tcp))).toBe('root@127.0.0.1');
    expect(await whoAmI(need(other.tcp))).toBe('root@127.0.0.1');
  });

  test('finds a short place for its socket where the store has a long path', async () => {
    const deep = join(store, 'long '.repeat(30).trim());
    const server = await start({ directory: deep });
    expect(Buffer.byteLength(server.socketPath)).toBeLessThan(104);
    expect(await whoAmI({ socketPath: server.socketPath })).toBe('root@localhost');
    await server.stop();
    expect(readdirSync(join(deep, 'servers'))).toEqual([]);
    expect(existsSync(join(server.socketPath, '..'))).toBe(false);
  });
});

describe('a start that fails', () => {
  test('shows the end of the log, says what to do, and leaves nothing', async () => {
    const attempt = start({ extraArguments: [...SMALL, '--no-such-option=1'] });
    await expect(attempt).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringMatching(/did not start[\s\S]*no-such-option=1/),
      hint: expect.stringContaining('server option'),
      exitCode: 2,
    });
    expect(leftovers()).toEqual([]);
  });

  test.each([
    { options: { extraArguments: ['--bind-address=0.0.0.0'] }, because: 'it would be open to the network' },
    { options: { extraArguments: ['--skip_grant_tables'] }, because: 'it would be open to everybody' },
    { options: { extraArguments: ['--sock=/tmp/x'] }, because: 'the server takes abbreviations' },
    { options: { extraArguments: ['--skip-name-resolve=0'] }, because: 'root@localhost would work over TCP' },
    { options: { extraArguments: ['max_connections=5'] }, because: 'it is no option' },
    { options: { name: '../x' }, because: 'a name is no path' },
    { options: { tcp: 70_000 }, because: 'there is no such port' },
  ])('refuses $options: $because', async ({ options }) => {
    await expect(start(options)).rejects.toMatchObject({ name: 'UserError', exitCode: 1 });
    expect(leftovers()).toEqual([]);
  });

  test('says so where the very port is in use', async () => {
    const occupant = createServer();
    await new Promise<void>((resolve) => occupant.listen(0, '127.0.0.1', resolve));
    const { port } = occupant.address() as { port: number };
    try {
      await expect(start({ tcp: port })).rejects.toMatchObject({
        message: expect.stringContaining(String(port)),
        exitCode: 2,
      });
      expect(leftovers()).toEqual([]);
    } finally {
      occupant.close();
    }
  });

  test('is given up on demand', async () => {
    const giveUp = new AbortController();
    const attempt = start({ signal: giveUp.signal });
    giveUp.abort();
    await expect(attempt).rejects.toMatchObject({ name: 'AbortError' });
    expect(leftovers()).toEqual([]);
  });

  test('says which program is missing', async () => {
    await expect(start({ binary: '/nowhere/mariadbd' })).rejects.toMatchObject({ name: 'UserError', exitCode: 1 });
  });
});

describe('when its program ends', () => {
  test('by exit without stop, it goes with it', async () => {
    const program = run('await start(); process.exit(7);');
    expect(await endOf(program.child)).toBe(7);
    expect(leftovers()).toEqual([]);
  });

  test('by kill -9, the next start ends and deletes it', async () => {
    const program = run('const server = await start(); console.log(server.pid); setInterval(() => {}, 1000);');
    const orphan: ProcessIdentity = need(identityOf(Number(await program.firstLine)));
    program.child.kill('SIGKILL');
    await endOf(program.child);
    expect((await listPrivateServers(store)).map(({ state }) => state)).toEqual(['orphaned']);
    expect(stateOf(orphan)).toBe('running');

    const notes: string[] = [];
    await using next = await start({ onNote: (line) => notes.push(line) });
    expect(stateOf(orphan)).toBe('gone');
    expect(leftovers()).toEqual([next.name]);
    expect(notes).toEqual([expect.stringContaining('Removed the private server')]);
  });

  test('while the data is being made, the next start deletes it', async () => {
    const program = run('await start();', { env: { XDG_CACHE_HOME: join(store, 'cache') } });
    while (leftovers().every((name) => name.startsWith('.'))) await sleep(5);
    program.child.kill('SIGKILL');
    await endOf(program.child);
    expect((await listPrivateServers(store)).map(({ state }) => state)).toEqual(['orphaned']);
    await (await start()).stop();
    expect(leftovers()).toEqual([]);
  });

  test('a directory that is not ours is left alone', async () => {
    mkdirSync(join(store, 'servers', 'mine'), { recursive: true });
    writeFileSync(join(store, 'servers', 'mine', 'server.json'), '{"format":"another/1"}');
    await (await start()).stop();
    expect(leftovers()).toEqual(['mine']);
  });
});

describe('a kept server', () => {
  test('survives its program, keeps its data, and goes when told to', async () => {
    const program = run("const server = await start({ keep: true, name: 'lasting' }); console.log(server.socketPath);");
    const socketPath = await program.firstLine;
    expect(await endOf(program.child)).toBe(0);
    expect(await whoAmI({ socketPath })).toBe('root@localhost');
    await expect(start({ keep: true, name: 'lasting' })).rejects.toThrow(/exists already/);
    await statement(socketPath, 'CREATE DATABASE still_here');

    expect(await stopPrivateServer('lasting', { directory: store })).toBe(true);
    expect((await listPrivateServers(store)).map(({ state }) => state)).toEqual(['stopped']);
    expect(await stopPrivateServer('lasting', { directory: store })).toBe(false);

    const again = await start({ keep: true, name: 'lasting' });
    await statement(again.socketPath, 'USE still_here');
    await again.stop();
    expect(leftovers()).toEqual(['lasting']);
    await stopPrivateServer('lasting', { directory: store, remove: true });
    expect(leftovers()).toEqual([]);
    await expect(stopPrivateServer('lasting', { directory: store })).rejects.toThrow(/no private server named/);
  });

  test('that failed to start again keeps its data', async () => {
    await (await start({ keep: true })).stop();
    await expect(start({ keep: true, extraArguments: ['--no-such-option'] })).rejects.toThrow(/did not start/);
    expect(leftovers()).toEqual(['default']);
    await (await start({ keep: true })).stop();
  });
});

/** Where the tests run as root: the same as an ordinary user, who may be no member of anything. */
const NOBODY = 65_534;
const nodeIsForAll = (() => {
  try {
    execFileSync('setpriv', [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', process.execPath, '-e', '0']);
    return true;
  } catch {
    return false;
  }
})();

test.runIf(isRoot && nodeIsForAll)('works as an ordinary user', async () => {
  chownSync(store, NOBODY, NOBODY);
  const program = run(
    "const server = await start(); console.log(server.pid); await server.stop(); console.log('stopped');",
    {
      uid: NOBODY,
      env: { HOME: '/nonexistent', XDG_CACHE_HOME: '' },
    },
  );
  expect(Number(await program.firstLine)).toBeGreaterThan(0);
  expect(await endOf(program.child)).toBe(0);
  expect(leftovers()).toEqual([]);
});

test.runIf(isRoot && nodeIsForAll)('keeps other users out', async () => {
  chmodSync(store, 0o755);
  await using server = await start();
  const knock = `import('node:net').then(({ connect }) => connect(${JSON.stringify(server.socketPath)})
    .on('error', ({ code }) => console.log(code)).on('connect', () => { console.log('in'); process.exit(); }))`;
  const asRoot = execFileSync(process.execPath, ['-e', knock], { encoding: 'utf8' });
  const asNobody = execFileSync(process.execPath, ['-e', knock], { encoding: 'utf8', uid: NOBODY, gid: NOBODY });
  expect([asRoot.trim(), asNobody.trim()]).toEqual(['in', 'EACCES']);
});

function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('expected a value');
  return value;
}

async function statement(socketPath: string, sql: string): Promise<void> {
  const connection = await createConnection({ user: 'root', socketPath });
  await connection.query(sql);
  connection.destroy();
}

/** A program of its own that has `start` as above. */
function run(script: string, as: { uid?: number; env?: Record<string, string> } = {}) {
  const file = join(store, 'program.mjs');
  const lab = JSON.stringify(join(built, 'src/lab/server.js'));
  const defaults = JSON.stringify({ directory: store, extraArguments: SMALL });
  writeFileSync(
    file,
    `import { startPrivateServer } from ${lab};
const start = (options) => startPrivateServer({ ...${defaults}, ...options });
${script}\n`,
  );
  const child = spawn(process.execPath, [file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...as.env },
    ...(as.uid === undefined ? {} : { uid: as.uid, gid: as.uid }),
  });
  const firstLine = new Promise<string>((resolve) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
  });
  return { child, firstLine };
}

function endOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)));
}

function compileLab(outDir: string): void {
  const project = join(import.meta.dirname, '../..');
  const config = join(scratch, 'tsconfig.json');
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(project, 'tsconfig.json'),
      compilerOptions: { noEmit: false, outDir, rootDir: project, typeRoots: [join(project, 'node_modules/@types')] },
      files: [join(project, 'src/lab/server.ts')],
      include: [],
    }),
  );
  execFileSync(join(project, 'node_modules/.bin/tsc'), ['-p', config], { stdio: 'inherit' });
  writeFileSync(join(outDir, 'package.json'), '{"type":"module"}');
  accessSync(join(outDir, 'src/lab/server.js'));
}
