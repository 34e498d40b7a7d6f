/** Hosts as they really are: this one, this one over a real SSH server, and a real node_exporter where installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryNames, loadEntry } from '../../src/base/catalog.ts';
import { type PrivateServer, startPrivateServer } from '../../src/lab/server.ts';
import type { HostSample, HostSource, HostTarget } from '../../src/observe/host-sample.ts';
import type { Moment, Probe, Reading } from '../../src/observe/probe.ts';
import { probeFactsOf } from '../../src/observe/probe-facts.ts';
import { openLocalHost } from '../../src/observe/sources/local.ts';
import { openNodeExporter } from '../../src/observe/sources/node-exporter.ts';
import { openShell } from '../../src/observe/sources/remote-shell.ts';
import { openSshHost } from '../../src/observe/sources/ssh.ts';
import { descendantsOf, until } from '../support/processes.ts';
import { freePort, hasSshServer, type SshServer, startSshServer } from '../support/ssh-server.ts';

const isLinux = process.platform === 'linux';
const NODE_EXPORTERS = ['prometheus-node-exporter', 'node_exporter'];
const nodeExporter = NODE_EXPORTERS.find((name) => spawnSync(name, ['--version']).status === 0);
const CATALOG = new URL('../../src/observe/catalog/', import.meta.url);

let directory: string;
let server: PrivateServer;
let target: HostTarget;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'sqldyno-test-host-'));
  server = await startPrivateServer({ directory, extraArguments: ['--innodb-buffer-pool-size=16M'] });
  target = { serverPid: server.pid, dataDirectory: directory, clientPids: [process.pid] };
});
afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function readingsOf(source: HostSource): Promise<Record<string, Record<string, Reading> | string>> {
  const facts = { variables: new Map(), flavor: 'mariadb', ...probeFactsOf(await source.facts()) } as const;
  const earlier: Moment = { atMs: 0, host: await source.sample() };
  await burn(250);
  const later: Moment = { atMs: 250, host: await source.sample() };
  const found: Record<string, Record<string, Reading> | string> = {};
  for (const name of entryNames(CATALOG)) {
    const probe = (await loadEntry(CATALOG, name)) as Probe;
    if (probe.source === 'host') found[name] = probe.between(earlier, later, 0.25, facts);
  }
  return found;
}

/** Uses a processor, so that there is something to see. */
async function burn(ms: number): Promise<void> {
  const endMs = Date.now() + ms;
  while (Date.now() < endMs) Math.hypot(3, 4);
}

/** What this kernel must tell of itself, however it is reached. */
function expectWhole(sample: HostSample): void {
  expect(sample).toMatchObject({
    cpu: { user: expect.any(Number), idle: expect.any(Number) },
    memory: { totalBytes: expect.any(Number), availableBytes: expect.any(Number) },
    tcp: { segmentsSent: expect.any(Number) },
    contextSwitches: expect.any(Number),
  });
  expect(sample.cpu?.idle).toBeGreaterThan(0);
  expect(Object.keys(sample.disks ?? {}).length).toBeGreaterThan(0);
}

describe.skipIf(!isLinux)('this machine, a Linux', () => {
  test('tells of itself, of the server, and of others', async () => {
    await using source = await openLocalHost(target);
    const sample = await source.sample();
    expectWhole(sample);
    expect(sample.networks).toHaveProperty(['lo', 'receivedBytes']);
    expect(sample.server).toMatchObject({ pid: server.pid, residentBytes: expect.any(Number) });
    expect(sample.server?.residentBytes).toBeGreaterThan(1_000_000);
    expect(sample.others?.some(({ pid }) => pid === process.pid)).toBe(false);
    expect(sample.clientCpuS).toBeGreaterThan(0);
  });

  test('finds the server by its pid file', async () => {
    const pidFile = join(directory, 'the.pid');
    writeFileSync(pidFile, `${server.pid}\n`);
    await using source = await openLocalHost({ clientPids: [], pidFile });
    expect((await source.sample()).server?.pid).toBe(server.pid);
  });

  test('does without a server that has ended', async () => {
    await using source = await openLocalHost({ clientPids: [], serverPid: 2 ** 30 });
    expect((await source.sample()).server).toBeUndefined();
  });

  test('names the file system and the disk of the data directory', async () => {
    await using source = await openLocalHost(target);
    const facts = await source.facts();
    const { stdout } = spawnSync('stat', ['-f', '-c', '%T', directory], { encoding: 'utf8' });
    // stat's word for ext2 to ext4 is one.
    const filesystem = String(facts['datadir.filesystem']);
    expect(
      stdout
        .trim()
        .split('/')
        .some((word) => filesystem.startsWith(word.slice(0, 3))),
    ).toBe(true);
    expect(facts).toMatchObject({
      'kernel.release': expect.any(String),
      'virtualization.container': expect.any(String),
    });
    const disk = facts['disk.name'];
    if (disk !== undefined) expect((await source.sample()).disks).toHaveProperty([String(disk)]);
  });

  test('every fact it tells is in docs/probes.md', async () => {
    await using source = await openLocalHost(target);
    const page = readFileSync(new URL('../../docs/probes.md', import.meta.url), 'utf8');
    const general = (name: string) =>
      name.replace(/^cpu\.flag\..+/, 'cpu.flag.NAME').replace(/^network\.[^.]+\./, 'network.NAME.');
    const names = Object.keys(await source.facts()).map(general);
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  test('gives every probe of hosts its figures', async () => {
    await using source = await openLocalHost(target);
    const readings = await readingsOf(source);
    expect(readings['cpu']).toMatchObject({ busy: { unit: 'ratio' }, iowait: { unit: 'ratio' } });
    expect(readings['server_process']).toMatchObject({ cpu_cores: { unit: 'cores' } });
    expect(readings['other_processes']).toMatchObject({ cores: { unit: 'cores' } });
  });
});

describe.skipIf(!hasSshServer || !isLinux)('over SSH, with openssh-server installed', () => {
  let sshd: SshServer;
  beforeAll(async () => {
    sshd = await startSshServer(mkdtempSync(join(directory, 'ssh-')));
  });
  afterAll(() => sshd[Symbol.asyncDispose]());

  const open = (options: { sampleDeadlineMs?: number; to?: HostTarget } = {}) =>
    openSshHost(`${sshd.user}@127.0.0.1:${sshd.port}`, options.to ?? target, {
      extraArguments: sshd.clientArguments,
      ...(options.sampleDeadlineMs === undefined ? {} : { sampleDeadlineMs: options.sampleDeadlineMs }),
    });
  const remoteShells = () => sshd.sessions().filter(({ name }) => name === 'sh');
  const clients = () => descendantsOf(process.pid).filter(({ name }) => name === 'ssh');
  const sampled = (source: HostSource) => () => source.sample().catch(() => undefined);

  test('tells what the machine itself tells', async () => {
    await using remote = await open();
    await using local = await openLocalHost(target);
    expect(await remote.facts()).toEqual(await local.facts());
    const [overThere, here] = [await remote.sample(), await local.sample()];
    expectWhole(overThere);
    expect(Object.keys(overThere).sort()).toEqual(Object.keys(here).sort());
    expect(Object.keys(overThere.disks ?? {})).toEqual(Object.keys(here.disks ?? {}));
    expect(overThere.server).toMatchObject({ pid: server.pid, name: here.server?.name });
    expect(remote.description).toBe(`ssh ${sshd.user}@127.0.0.1:${sshd.port}`);
  });

  test('gives every probe of hosts its figures, and says what that costs', async () => {
    await using source = await open();
    const readings = await readingsOf(source);
    expect(readings['cpu']).toMatchObject({ busy: { unit: 'ratio' } });
    expect(readings['server_process']).toMatchObject({ cpu_cores: { unit: 'cores' } });
    expect(source.cost).toMatchObject({ samples: 2, clientCpuS: expect.any(Number), hostCpuS: expect.any(Number) });
    expect(source.cost.clientCpuS).toBeGreaterThan(0);
  });

  test('leaves no process behind, here or there', async () => {
    const source = await open();
    await source.sample();
    expect(clients()).toHaveLength(1);
    expect(remoteShells()).toHaveLength(1);
    await source[Symbol.asyncDispose]();
    expect(clients()).toEqual([]);
    await until('no session is left', () => sshd.sessions().length === 0);
    await expect(source.sample()).rejects.toThrow('closed');
  });

  test('drops a sample that is late, and takes the next when the host answers again', async () => {
    await using source = await open({ sampleDeadlineMs: 500 });
    await source.sample();
    const [shell] = remoteShells();
    process.kill(shell?.pid ?? 0, 'SIGSTOP');
    await expect(source.sample()).rejects.toThrow('no answer within 0.5 s');
    await expect(source.sample()).rejects.toThrow('has not answered for');
    process.kill(shell?.pid ?? 0, 'SIGCONT');
    expectWhole(await until('it answers again', sampled(source)));
    expect(remoteShells().map(({ pid }) => pid)).toEqual([shell?.pid]);
    expect(source.troubles).toEqual([]);
  });

  test('gives up a connection that hangs, and makes another', async () => {
    await using source = await open({ sampleDeadlineMs: 500 });
    await source.sample();
    const hung = sshd.sessions();
    for (const { pid } of hung) process.kill(pid, 'SIGSTOP');
    await expect(source.sample()).rejects.toThrow('no answer within 0.5 s');
    expectWhole(await until('another connection answers', sampled(source)));
    expect(source.troubles).toMatchObject([{ is: expect.stringMatching(/was lost: no answer for \d+ s\.$/) }]);
    expect(clients()).toHaveLength(1);
    for (const { pid } of hung) process.kill(pid, 'SIGCONT');
    await until('the hung session is gone', () =>
      sshd.sessions().every(({ pid }) => hung.every((old) => old.pid !== pid)),
    );
  });

  test('notices a connection that is cut, and makes another', async () => {
    await using source = await open();
    await source.sample();
    for (const { pid } of sshd.sessions()) process.kill(pid, 'SIGKILL');
    await expect(until('the loss is noticed', () => source.sample().then(() => false))).rejects.toThrow(
      `ssh ${sshd.user}@127.0.0.1:${sshd.port}: `,
    );
    expectWhole(await until('another connection answers', sampled(source)));
    expect(source.troubles).toHaveLength(1);
    expect(source.cost.samples).toBe(2);
  });

  test('a host that cannot be reached is said so, with a way to see why', async () => {
    const to = `${sshd.user}@127.0.0.1:${await freePort()}`;
    await expect(openSshHost(to, target, { extraArguments: sshd.clientArguments })).rejects.toMatchObject({
      message: expect.stringMatching(/cannot be read: .*Connection refused/),
      hint: expect.stringContaining('BatchMode=yes'),
    });
    expect(clients()).toEqual([]);
  });

  test('a host that lets nobody in without a password is said so, and nothing waits for one', async () => {
    const withoutKey = ['-F', '/dev/null', '-o', 'IdentityFile=none', '-o', 'IdentitiesOnly=yes'];
    const known = sshd.clientArguments.slice(-4);
    const to = `${sshd.user}@127.0.0.1:${sshd.port}`;
    await expect(openSshHost(to, target, { extraArguments: [...withoutKey, ...known] })).rejects.toThrow(
      'Permission denied',
    );
  });

  test('finds the only server there is, or none', async () => {
    await using source = await open({ to: { clientPids: [] } });
    const found = (await source.sample()).server;
    // Other tests may run servers at the same time: then nobody can tell which is meant.
    if (found !== undefined) expect(found.name).toMatch(/^(?:mariadbd|mysqld)$/);
  });
});

test('a shell that ignores the end of its input is ended by signals', async () => {
  const shell = openShell('sh', ['-c', 'trap "" TERM; while :; do read line || sleep 0.05; done']);
  await shell.close();
  expect(await shell.ended).toBe('it was closed');
  expect(descendantsOf(process.pid).some(({ pid }) => pid === shell.processId)).toBe(false);
});

describe.skipIf(nodeExporter === undefined || !isLinux)(
  'through node_exporter, with prometheus-node-exporter installed',
  () => {
    let exporter: ChildProcess;
    let address: string;
    beforeAll(async () => {
      address = `127.0.0.1:${await freePort()}`;
      exporter = spawn(nodeExporter ?? '', [`--web.listen-address=${address}`], { stdio: 'ignore' });
      await until('it answers', () => fetch(`http://${address}/`).catch(() => undefined));
    });
    afterAll(async () => {
      exporter.kill();
      await until('it has ended', () => exporter.exitCode !== null || exporter.signalCode !== null);
    });

    test('tells what the machine itself tells, as far as it goes', async () => {
      await using remote = await openNodeExporter(address, target);
      await using local = await openLocalHost(target);
      const [there, here] = [await remote.sample(), await local.sample()];
      expectWhole(there);
      expect(there.cores).toHaveLength(here.cores?.length ?? 0);
      expect(there.memory?.totalBytes).toBe(here.memory?.totalBytes);
      expect(Object.keys(there.pressure ?? {})).toEqual(Object.keys(here.pressure ?? {}));
      // Both since boot: what passes between the two samples is little beside that.
      expect(there.cpu?.user).toBeCloseTo(here.cpu?.user ?? 0, -1);
      const [facts, ownFacts] = [await remote.facts(), await local.facts()];
      for (const name of ['kernel.release', 'cpu.threads', 'disk.name', 'datadir.filesystem', 'clock.source']) {
        expect({ [name]: facts[name] }).toEqual({ [name]: ownFacts[name] });
      }
      expect(there.server).toBeUndefined();
    });

    test('the disks agree with the kernel to the request, once they are still', async () => {
      await using remote = await openNodeExporter(address, target);
      await using local = await openLocalHost(target);
      const agreed = await until('both see the same', async () => {
        const [before, there, after] = [await local.sample(), await remote.sample(), await local.sample()];
        if (JSON.stringify(before.disks) !== JSON.stringify(after.disks)) return undefined;
        return { there: there.disks ?? {}, here: after.disks ?? {} };
      });
      expect(Object.keys(agreed.there).length).toBeGreaterThan(0);
      for (const [name, counters] of Object.entries(agreed.there)) expect(counters).toEqual(agreed.here[name]);
    });

    test('says what it costs, and gives the probes their figures', async () => {
      await using source = await openNodeExporter(`http://${address}/metrics`, target);
      const readings = await readingsOf(source);
      expect(readings['cpu']).toMatchObject({ busy: { unit: 'ratio' }, steal: { unit: 'ratio' } });
      expect(readings['server_process']).toMatch(/could be found/);
      expect(source.cost).toMatchObject({ samples: 2, hostCpuS: expect.any(Number) });
    });
  },
);

describe('a page that is none', () => {
  async function answering(listener: RequestListener) {
    const http = createServer(listener);
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const stop = async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    };
    return { address: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, [Symbol.asyncDispose]: stop };
  }
  const PAGE = 'node_cpu_seconds_total{cpu="0",mode="idle"} 12.5\nnode_scrape_collector_success{collector="cpu"} 1\n';

  test('nobody there', async () => {
    const address = `127.0.0.1:${await freePort()}`;
    await expect(openNodeExporter(address, target)).rejects.toMatchObject({
      message: expect.stringContaining('could not be read'),
      hint: expect.stringContaining('node_exporter'),
    });
  });

  test.each([
    { name: 'another program', body: '<html><body>It works!</body></html>', says: 'not like a node_exporter' },
    { name: 'noise', body: Buffer.from([0, 255, 13, 10, 123, 125, 34, 0]), says: 'not like a node_exporter' },
    { name: 'nothing', body: '', says: 'not like a node_exporter' },
  ])('$name', async ({ body, says }) => {
    await using http = await answering((_, response) => response.end(body));
    await expect(openNodeExporter(http.address, target)).rejects.toThrow(says);
  });

  test('a refusal', async () => {
    await using http = await answering((_, response) => {
      response.statusCode = 503;
      response.end('busy');
    });
    await expect(openNodeExporter(http.address, target)).rejects.toThrow('it answered 503 Service Unavailable');
  });

  test('one that hangs costs its sample only', async () => {
    let isHung = false;
    await using http = await answering((_, response) => {
      response.write(PAGE);
      if (!isHung) response.end();
    });
    await using source = await openNodeExporter(http.address, target, { deadlineMs: 300 });
    expect((await source.sample()).cpu?.idle).toBe(12.5);
    isHung = true;
    await expect(source.sample()).rejects.toThrow('no answer within 0.3 s');
    isHung = false;
    expect((await source.sample()).cpu?.idle).toBe(12.5);
    expect(source.cost.samples).toBe(2);
  });

  test('one that dies in the middle costs its sample only', async () => {
    let isDying = false;
    await using http = await answering((_, response) => {
      response.write(PAGE);
      if (isDying) response.destroy();
      else response.end();
    });
    await using source = await openNodeExporter(http.address, target);
    isDying = true;
    await expect(source.sample()).rejects.toThrow('could not be read');
    isDying = false;
    expect((await source.sample()).cpu?.idle).toBe(12.5);
  });

  test('one without an end is not waited for, nor kept', async () => {
    await using http = await answering((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(`node_x ${'1'.repeat(60_000)}\n`));
      };
      response.on('drain', more);
      more();
    });
    await expect(openNodeExporter(http.address, target, { deadlineMs: 30_000 })).rejects.toThrow('has no end');
  });

  test('asks for what it uses only, and a password stays out of sight', async () => {
    const asked: { url: string | undefined; authorization: string | undefined }[] = [];
    await using http = await answering((request, response) => {
      asked.push({ url: request.url, authorization: request.headers.authorization });
      response.end(PAGE);
    });
    await using source = await openNodeExporter(http.address.replace('//', '//me:secret@'), target);
    await source.sample();
    expect(source.description).toBe(`${http.address}/metrics`);
    const authorization = `Basic ${Buffer.from('me:secret').toString('base64')}`;
    expect(asked).toEqual([
      { url: '/metrics', authorization },
      { url: '/metrics?collect%5B%5D=cpu', authorization },
    ]);
  });
});
