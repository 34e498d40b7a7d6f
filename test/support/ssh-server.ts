/** A real sshd on a loopback port, for this user only, with keys made for it and thrown away. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { descendantsOf, type Process, until } from './processes.ts';

export interface SshServer extends AsyncDisposable {
  readonly port: number;
  readonly user: string;
  /** For `ssh`: the key, and the host's key as one that is known. */
  readonly clientArguments: readonly string[];
  /** What serves the connections: processes of sshd's, shells, what they run. */
  sessions(): Process[];
}

const PROGRAMS = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/bin/sshd'];
/** Where sshd, run by root, keeps nothing; it refuses to start without it. Services make it at boot. */
const ROOT_NEEDS = '/run/sshd';

/** It insists on being called by its whole path. */
export const sshdProgram = PROGRAMS.find(existsSync);
export const hasSshServer =
  sshdProgram !== undefined && spawnSync('ssh', ['-V']).status === 0 && spawnSync('ssh-keygen', ['-?']).status !== null;

export async function startSshServer(directory: string): Promise<SshServer> {
  const user = userInfo().username;
  const file = (name: string) => join(directory, name);
  for (const name of ['host_key', 'user_key']) {
    const { status, stderr } = spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)]);
    if (status !== 0) throw new Error(`ssh-keygen: ${stderr}`);
  }
  spawnSync('cp', [file('user_key.pub'), file('authorized_keys')]);
  chmodSync(file('authorized_keys'), 0o600);
  const made = process.getuid?.() === 0 ? mkdirSync(ROOT_NEEDS, { recursive: true, mode: 0o755 }) : undefined;
  const port = await freePort();
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${file('host_key')}`,
    `PidFile ${file('sshd.pid')}`,
    `AuthorizedKeysFile ${file('authorized_keys')}`,
    `AllowUsers ${user}`,
    'PermitRootLogin prohibit-password',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    // Without PAM, an account whose password is locked is refused, even with a key.
    `UsePAM ${isLocked(user) ? 'yes' : 'no'}`,
    // The directory of a test lies below one that everybody may write to.
    'StrictModes no',
    'LogLevel FATAL',
  ];
  writeFileSync(file('sshd_config'), `${lines.join('\n')}\n`);
  const hostKey = spawnSync('cat', [file('host_key.pub')], { encoding: 'utf8' }).stdout.trim();
  writeFileSync(file('known_hosts'), `[127.0.0.1]:${port} ${hostKey}\n`);
  const known = ['-o', `UserKnownHostsFile=${file('known_hosts')}`, '-o', 'StrictHostKeyChecking=yes'];
  const clientArguments = ['-F', '/dev/null', '-i', file('user_key'), '-o', 'IdentitiesOnly=yes', ...known];
  const sshd = spawn(sshdProgram ?? 'sshd', ['-D', '-e', '-f', file('sshd_config')], { stdio: 'inherit' });
  const ended = new Promise<void>((resolve) => sshd.once('exit', () => resolve()));
  const stop = async () => {
    // One that was stopped by a test could not end.
    for (const { pid } of descendantsOf(sshd.pid ?? 0)) end(pid);
    sshd.kill('SIGKILL');
    await ended;
    if (made !== undefined) rmSync(made, { recursive: true });
  };
  await until('sshd listens', () => isListening(port));
  return {
    port,
    user,
    clientArguments,
    sessions: () => descendantsOf(sshd.pid ?? 0),
    [Symbol.asyncDispose]: stop,
  };
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** As far as we may see; who may not is not root, and then nor is sshd, which then cannot see it either. */
function isLocked(user: string): boolean {
  try {
    return readFileSync('/etc/shadow', 'utf8')
      .split('\n')
      .some((line) => line.startsWith(`${user}:!`));
  } catch {
    return false;
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const settle = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

/** Another may take it before it is used; then the server says so, and the test fails with its words. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}
