import { describe, expect, test } from 'vitest';

import { startsServices } from './facts.mjs';
import { nodeProblem } from './node-version.mjs';
import {
  commandToShow,
  coreServerPackages,
  installPlan,
  isInstalled,
  MANAGERS,
  packageManagerOf,
  TEST_PROGRAMS,
  testProgramsToInstall,
  whyNpmFailed,
} from './plan.mjs';

const DEBIAN = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\nVERSION_ID="12"\n';
const MINT = 'NAME="Linux Mint"\nID=linuxmint\nID_LIKE="ubuntu debian"\n';
const ROCKY = 'NAME="Rocky Linux"\nID="rocky"\nID_LIKE="rhel centos fedora"\n';
const LEAP = 'NAME="openSUSE Leap"\nID="opensuse-leap"\nID_LIKE="suse opensuse"\n';
const MANJARO = 'NAME="Manjaro Linux"\nID=manjaro\nID_LIKE=arch\n';
const ALPINE = 'NAME="Alpine Linux"\nID=alpine\n';

describe('which Node will do', () => {
  test.each([
    { version: '18.20.4', task: 'quickstart', says: 'needs Node 20.12 or newer; this is Node 18.20.4' },
    { version: '20.11.1', task: 'quickstart', says: 'needs Node 20.12 or newer' },
    { version: '20.12.0', task: 'quickstart', says: '' },
    { version: '20.12.0', task: 'test', says: 'need Node 20.19, 22.12 or newer' },
    { version: '20.19.0', task: 'test', says: '' },
    { version: '21.7.3', task: 'test', says: 'need Node 20.19, 22.12 or newer' },
    { version: '22.11.0', task: 'test', says: 'need Node 20.19, 22.12 or newer' },
    { version: '22.12.0', task: 'test', says: '' },
    { version: '24.0.0', task: 'test', says: '' },
  ])('$version for $task: "$says"', ({ version, task, says }) => {
    const problem = nodeProblem(version, task);
    if (says === '') expect(problem).toBe('');
    else expect(problem).toContain(says);
  });
});

describe('which package manager', () => {
  test.each([
    { osRelease: DEBIAN, platform: 'linux', commands: ['apt-get'], manager: 'apt', because: 'Debian' },
    { osRelease: MINT, platform: 'linux', commands: ['apt-get'], manager: 'apt', because: 'a relative of Debian' },
    {
      osRelease: DEBIAN,
      platform: 'linux',
      commands: ['dnf', 'apt-get'],
      manager: 'apt',
      because: 'family goes first',
    },
    { osRelease: ROCKY, platform: 'linux', commands: ['apt-get', 'dnf'], manager: 'dnf', because: 'quoted IDs' },
    { osRelease: LEAP, platform: 'linux', commands: ['zypper'], manager: 'zypper', because: 'SUSE' },
    { osRelease: MANJARO, platform: 'linux', commands: ['pacman'], manager: 'pacman', because: 'a relative of Arch' },
    { osRelease: ALPINE, platform: 'linux', commands: ['apk'], manager: 'apk', because: 'Alpine' },
    { osRelease: '', platform: 'darwin', commands: ['brew'], manager: 'brew', because: 'macOS has no os-release' },
    {
      osRelease: 'ID=own\n',
      platform: 'linux',
      commands: ['apk'],
      manager: 'apk',
      because: 'an unknown system with a known manager',
    },
    { osRelease: DEBIAN, platform: 'linux', commands: [], manager: undefined, because: 'a container without apt' },
  ])('$manager: $because', ({ osRelease, platform, commands, manager }) => {
    expect(packageManagerOf(osRelease, platform, (command) => commands.some((each) => each === command))).toBe(manager);
  });
});

describe('which packages hold the server', () => {
  test.each([
    {
      known: ['mariadb-server-core', 'mariadb-client-core'],
      packages: ['mariadb-server-core', 'mariadb-client-core'],
      because: 'Debian 12',
    },
    {
      known: ['mariadb-server-core-10.6'],
      packages: ['mariadb-server-core-10.6', 'mariadb-client-core-10.6'],
      because: 'Ubuntu 22.04',
    },
    {
      known: ['mariadb-server-core-10.6', 'mariadb-server-core-10.11'],
      packages: ['mariadb-server-core-10.11', 'mariadb-client-core-10.11'],
      because: '10.11 is newer than 10.6, as numbers',
    },
    {
      known: [] as string[],
      packages: ['mariadb-server-core', 'mariadb-client-core'],
      because: 'no lists yet: the newest naming',
    },
  ])('$because: $packages', ({ known, packages }) => {
    expect(coreServerPackages(known)).toEqual(packages);
  });
});

describe('what may be installed', () => {
  const packages = ['mariadb-server-core', 'mariadb-client-core'];
  const known = packages;
  const install = ['apt-get', 'install', '--no-install-recommends', ...MANAGERS.apt.unattended, ...packages];
  const quiet = ['env', 'DEBIAN_FRONTEND=noninteractive'];

  test('root installs, lists first', () => {
    const plan = installPlan(
      { manager: 'apt', privilege: 'root', hasSudo: false, startsServices: false, knownPackages: [] },
      packages,
    );
    expect(plan).toEqual({
      is: 'run',
      commands: [
        [...quiet, 'apt-get', 'update'],
        [...quiet, ...install],
      ],
    });
  });

  test('sudo without a password installs, and never asks', () => {
    const plan = installPlan(
      { manager: 'apt', privilege: 'sudo', hasSudo: true, startsServices: true, knownPackages: known },
      packages,
    );
    expect(plan).toEqual({
      is: 'run',
      commands: [
        ['sudo', '-n', ...quiet, 'apt-get', 'update'],
        ['sudo', '-n', ...quiet, ...install],
      ],
    });
  });

  test.each([
    {
      manager: 'apt',
      hasSudo: true,
      knownPackages: known,
      command: 'sudo apt-get install --no-install-recommends mariadb-server-core mariadb-client-core',
    },
    {
      manager: 'apt',
      hasSudo: true,
      knownPackages: [],
      command:
        "sudo sh -c 'apt-get update && apt-get install --no-install-recommends mariadb-server-core mariadb-client-core'",
    },
    {
      manager: 'apt',
      hasSudo: false,
      knownPackages: known,
      command: "su -c 'apt-get install --no-install-recommends mariadb-server-core mariadb-client-core'",
    },
    { manager: undefined, hasSudo: true, knownPackages: [], command: undefined },
  ] as const)('an ordinary user is told one command: $command', ({ manager, hasSudo, knownPackages, command }) => {
    const plan = installPlan({ manager, privilege: 'none', hasSudo, startsServices: true, knownPackages }, packages);
    expect(plan).toEqual({ is: 'ask', command });
  });

  test.each([
    { manager: 'dnf', packages: ['mariadb-server'], command: 'sudo dnf install mariadb-server' },
    { manager: 'zypper', packages: ['mariadb'], command: 'sudo zypper install mariadb' },
    { manager: 'pacman', packages: ['mariadb'], command: 'sudo pacman -S --needed mariadb' },
    { manager: 'apk', packages: ['mariadb', 'mariadb-client'], command: 'sudo apk add mariadb mariadb-client' },
    { manager: 'brew', packages: ['mariadb'], command: 'brew install mariadb' },
  ] as const)('$manager: $command', ({ manager, packages: names, command }) => {
    expect(
      commandToShow({ manager, privilege: 'none', hasSudo: true, startsServices: true, knownPackages: [] }, names),
    ).toBe(command);
  });

  test('Homebrew is never run, not even where it could be', () => {
    const plan = installPlan(
      { manager: 'brew', privilege: 'sudo', hasSudo: true, startsServices: true, knownPackages: [] },
      ['mariadb'],
    );
    expect(plan).toEqual({ is: 'ask', command: 'brew install mariadb' });
  });
});

describe('what tests use besides', () => {
  const namesOf = (machine: Parameters<typeof testProgramsToInstall>[1]) =>
    testProgramsToInstall(TEST_PROGRAMS, machine).map((program) => program.package);
  const WITH_SERVICE = ['openssh-server', 'prometheus-node-exporter'];

  test.each([
    { manager: 'apt', privilege: 'root', startsServices: false, all: true, because: 'a container' },
    { manager: 'apt', privilege: 'root', startsServices: true, all: false, because: 'its services would start' },
    { manager: 'apt', privilege: 'sudo', startsServices: false, all: false, because: 'it takes root to forbid starts' },
  ] as const)('$privilege, services start: $startsServices. All: $all, $because', ({ all, ...machine }) => {
    const names = namesOf(machine);
    expect(names).toEqual(expect.arrayContaining(['sysbench', 'openssl', 'strace', 'openssh-client', 'galera-4']));
    expect(WITH_SERVICE.filter((name) => names.includes(name))).toEqual(all ? WITH_SERVICE : []);
  });

  test.each([
    { manager: 'apt', privilege: 'none', startsServices: false },
    { manager: 'dnf', privilege: 'root', startsServices: false },
    { manager: undefined, privilege: 'root', startsServices: false },
  ] as const)('nothing is installed by $manager as $privilege', (machine) => {
    expect(namesOf(machine)).toEqual([]);
  });

  test('what is there already is not installed', () => {
    const machine = { manager: 'apt', privilege: 'root', startsServices: false } as const;
    expect(testProgramsToInstall([], machine)).toEqual([]);
  });

  test.each([
    { first: 'systemd\n', starts: true },
    { first: 'init\n', starts: true },
    { first: 'bash\n', starts: false },
    { first: 'tini\n', starts: false },
    { first: '', starts: true },
  ])('process 1 is "$first": services start with the system: $starts', ({ first, starts }) => {
    expect(startsServices(first)).toBe(starts);
  });
});

describe('whether node_modules is what the lock file asks for', () => {
  const lock = {
    packages: {
      '': { version: '1.0.0' },
      'node_modules/a': { version: '1.2.3' },
      'node_modules/a-for-windows': { version: '1.2.3', optional: true },
    },
  };
  test.each([
    { installed: undefined, is: false, because: 'nothing is installed' },
    { installed: {}, is: false, because: 'npm has not finished' },
    { installed: { packages: {} }, is: false, because: 'a package is missing' },
    { installed: { packages: { 'node_modules/a': { version: '1.2.2' } } }, is: false, because: 'another version' },
    {
      installed: { packages: { 'node_modules/a': { version: '1.2.3' } } },
      is: true,
      because: 'only an optional one is absent',
    },
  ])('$is: $because', ({ installed, is }) => {
    expect(isInstalled(lock, installed, () => true)).toBe(is);
  });

  test('false: a package is listed, and its files are not there', () => {
    const installed = { packages: { 'node_modules/a': { version: '1.2.3' } } };
    expect(isInstalled(lock, installed, (path) => path !== 'node_modules/a')).toBe(false);
  });
});

test.each([
  { output: 'npm error code EACCES', says: 'folder of your own' },
  { output: 'npm error code EAI_AGAIN', says: 'registry cannot be reached' },
  { output: 'npm error code ENOSPC', says: 'disk is full' },
  { output: 'npm error code ERESOLVE', says: 'npm ci' },
])('npm says "$output": $says', ({ output, says }) => {
  expect(whyNpmFailed(output)).toContain(says);
});
