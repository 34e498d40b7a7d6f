/** The way to another host: its address, a shell there, files through it. A local `sh` is as good as a remote one. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { until } from '../../../test/support/processes.ts';
import { scratchDirectories } from '../../../test/support/scratch.ts';
import { localFiles } from './local-files.ts';
import { quoted, remoteFiles } from './remote-files.ts';
import { openShell, type RemoteShell } from './remote-shell.ts';
import { parseDestination } from './ssh.ts';

/** Far more than it takes. */
const DEADLINE_MS = 15_000;
const scratch = scratchDirectories();

async function withShell<T>(use: (shell: RemoteShell) => Promise<T>): Promise<T> {
  const shell = openShell('sh', []);
  try {
    return await use(shell);
  } finally {
    await shell.close();
  }
}

describe('an address', () => {
  test.each([
    { text: 'db1', destination: { host: 'db1' } },
    { text: 'dba@db1', destination: { host: 'db1', user: 'dba' } },
    { text: 'dba@db1.example.com:2222', destination: { host: 'db1.example.com', user: 'dba', port: 2222 } },
    { text: 'ssh://dba@db1:22/', destination: { host: 'db1', user: 'dba', port: 22 } },
    { text: 'dba@[fe80::1%eth0]:2222', destination: { host: 'fe80::1%eth0', user: 'dba', port: 2222 } },
  ])('$text', ({ text, destination }) => {
    expect(parseDestination(text)).toEqual(destination);
  });

  test.each(['', '-oProxyCommand=touch', 'a@-b', 'a b', 'db1:0', 'db1:99999', '@db1', 'db1:x', 'a@b@c'])(
    "'%s' is none",
    (text) => {
      expect(() => parseDestination(text)).toThrow('is no host to connect to over SSH');
    },
  );
});

describe('a shell', () => {
  test('answers one question after another, also those asked at once', async () => {
    await withShell(async (shell) => {
      const answers = [1, 2, 3].map((number) => shell.ask(`echo ${number}; echo é`, DEADLINE_MS));
      expect(await Promise.all(answers)).toEqual(['1\né\n', '2\né\n', '3\né\n']);
      expect(await shell.ask('printf no-line-break', DEADLINE_MS)).toBe('no-line-break');
      expect(await shell.ask(':', DEADLINE_MS)).toBe('');
    });
  });

  test('takes large answers', async () => {
    await withShell(async (shell) => {
      const answer = await shell.ask('i=0; while [ $i -lt 20000 ]; do echo "line $i"; i=$((i+1)); done', DEADLINE_MS);
      expect(answer.split('\n')).toHaveLength(20_001);
    });
  });

  test('an answer that comes late belongs to nobody, and the next is the right one', async () => {
    await withShell(async (shell) => {
      await expect(shell.ask('kill -STOP $$; echo late', 50)).rejects.toThrow('no answer within 0.05 s');
      await expect(shell.ask('echo refused', DEADLINE_MS)).rejects.toThrow('has not answered for');
      process.kill(shell.processId ?? 0, 'SIGCONT');
      const next = () => shell.ask('echo next', DEADLINE_MS).catch(() => undefined);
      expect(await until('it answers again', next)).toBe('next\n');
    });
  });

  test('its end is told with its last words, to all who wait', async () => {
    const shell = openShell('sh', ['-c', 'read line; echo "Permission denied (publickey)." >&2; exit 255']);
    const answers = [shell.ask('a', DEADLINE_MS), shell.ask('b', DEADLINE_MS)];
    for (const answer of answers) await expect(answer).rejects.toThrow('Permission denied (publickey)');
    expect(await shell.ended).toBe('Permission denied (publickey)');
    await expect(shell.ask('c', DEADLINE_MS)).rejects.toThrow('ended');
  });

  test('a program that does not exist', async () => {
    const shell = openShell('sqldyno-no-such-program', []);
    await expect(shell.ask('a', DEADLINE_MS)).rejects.toThrow('ENOENT');
    await shell.close();
  });
});

describe.skipIf(process.platform !== 'linux')('files of a Linux through a shell', () => {
  test('read, matched and resolved as they are from here', async () => {
    const folder = scratch();
    mkdirSync(join(folder, 'a b'));
    writeFileSync(join(folder, 'a b', 'one'), '1\n');
    writeFileSync(join(folder, 'two'), 'no line break');
    writeFileSync(join(folder, "it's $HOME; `x` \\"), 'odd\n');
    writeFileSync(join(folder, 'empty'), '');
    symlinkSync(join(folder, 'a b'), join(folder, 'link'));
    const patterns = [`${folder}/*`, `${folder}/tw[a-z]`, `${folder}/none*`, `${folder}/two`, `${folder}/none`];
    const paths = [
      `${folder}/a b/one`,
      `${folder}/two`,
      `${folder}/none`,
      `${folder}/it's $HOME; \`x\` \\`,
      `${folder}/*/one`,
      '/proc/sys/kernel/osrelease',
    ];
    await withShell(async (shell) => {
      const remote = await remoteFiles((commands) => shell.ask(commands, DEADLINE_MS));
      const texts = await remote.read(paths);
      expect(Object.fromEntries(texts)).toEqual(Object.fromEntries(await localFiles.read(paths)));
      expect(texts.get(`${folder}/it's $HOME; \`x\` \\`)).toBe('odd\n');
      expect(texts.get(`${folder}/*/one`)).toBe('1\n1\n');
      const matches = await remote.match(patterns);
      expect([...matches].sort()).toEqual([...(await localFiles.match(patterns))].sort());
      for (const name of ['link', 'two', 'none', '']) {
        expect(await remote.resolve(join(folder, name))).toBe(await localFiles.resolve(join(folder, name)));
      }
      expect(await remote.match([])).toEqual([]);
      expect(await remote.read([])).toEqual(new Map());
    });
  });

  test('a host that is no Linux is said so', async () => {
    await expect(remoteFiles(async () => '')).rejects.toThrow('no Linux');
  });

  test('a word of the shell keeps its patterns, and nothing else', () => {
    expect(quoted('/proc/[0-9]*/stat')).toBe('/proc/[0-9]*/stat');
    expect(quoted('/a;b')).toBe('/a\\;b');
    expect(() => quoted('/a\nb')).toThrow('line break');
  });
});
