/**
 * The bootstrap's decisions: what this machine lacks, and what may be done about it. Pure: facts in, plan out.
 * `main.mjs` gathers the facts and carries the plan out.
 */

/** @typedef {'apt' | 'dnf' | 'zypper' | 'pacman' | 'apk' | 'brew'} PackageManager */
/** @typedef {'root' | 'sudo' | 'none'} Privilege */

/**
 * @typedef {object} ManagerFacts
 * @property {string} command the program that shows that the manager is there
 * @property {readonly string[]} families ID and ID_LIKE of /etc/os-release
 * @property {readonly string[]} refresh brings the lists up to date; empty where installing does that by itself
 * @property {readonly string[]} install the package names follow
 * @property {readonly string[]} unattended what `install` needs where nobody can answer
 * @property {readonly string[]} server the packages that hold mariadbd and mariadb-install-db
 * @property {boolean} installsByItself whether the bootstrap may run it: Homebrew upgrades what it was not asked to
 */

/**
 * None of these starts a service. Debian's `mariadb-server` would: hence the core packages, which hold the programs
 * only. Tried on Debian 12; the other rows follow the manuals of their package managers.
 *
 * @type {Readonly<Record<PackageManager, ManagerFacts>>}
 */
export const MANAGERS = {
  apt: {
    command: 'apt-get',
    families: ['debian', 'ubuntu'],
    refresh: ['apt-get', 'update'],
    install: ['apt-get', 'install', '--no-install-recommends'],
    // --no-remove: where a server package would push out something installed, that is for its owner to decide.
    unattended: ['-y', '--no-remove', '-o', 'DPkg::Lock::Timeout=120'],
    server: ['mariadb-server-core', 'mariadb-client-core'],
    installsByItself: true,
  },
  dnf: {
    command: 'dnf',
    families: ['fedora', 'rhel', 'centos'],
    refresh: [],
    install: ['dnf', 'install'],
    unattended: ['-y'],
    server: ['mariadb-server'],
    installsByItself: true,
  },
  zypper: {
    command: 'zypper',
    families: ['suse', 'opensuse'],
    refresh: [],
    install: ['zypper', 'install'],
    unattended: ['--no-confirm'],
    server: ['mariadb'],
    installsByItself: true,
  },
  pacman: {
    command: 'pacman',
    families: ['arch'],
    refresh: [],
    install: ['pacman', '-S', '--needed'],
    unattended: ['--noconfirm'],
    server: ['mariadb'],
    installsByItself: true,
  },
  apk: {
    command: 'apk',
    families: ['alpine'],
    refresh: [],
    install: ['apk', 'add'],
    unattended: [],
    server: ['mariadb', 'mariadb-client'],
    installsByItself: true,
  },
  brew: {
    command: 'brew',
    families: ['darwin'],
    refresh: [],
    install: ['brew', 'install'],
    unattended: [],
    server: ['mariadb'],
    installsByItself: false,
  },
};

/**
 * @typedef {object} TestProgram
 * @property {string} command as people call it
 * @property {readonly string[]} [files] where it is one of these: no command, or one beyond the PATH of many users
 * @property {string} package as Debian names it
 * @property {boolean} [hasService] the package starts one, and has it started with the system
 * @property {string} without what is not tested then
 */

/**
 * Programs that only tests use. Without one its tests are skipped; with it they must pass.
 *
 * @type {readonly TestProgram[]}
 */
export const TEST_PROGRAMS = [
  { command: 'sysbench', package: 'sysbench', without: 'the interchange with sysbench is not tested' },
  { command: 'openssl', package: 'openssl', without: 'TLS to a real server is not tested' },
  { command: 'strace', package: 'strace', without: 'a slow disk cannot be played' },
  { command: 'ssh', package: 'openssh-client', without: 'hosts over SSH are not tested' },
  {
    command: 'sshd',
    files: ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/bin/sshd'],
    package: 'openssh-server',
    hasService: true,
    without: 'hosts over SSH are not tested',
  },
  {
    command: 'prometheus-node-exporter',
    package: 'prometheus-node-exporter',
    hasService: true,
    without: 'hosts behind a node_exporter are not tested',
  },
  {
    command: 'libgalera_smm.so',
    files: ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'],
    package: 'galera-4',
    without: 'a Galera cluster is not watched',
  },
  {
    command: 'chromium',
    files: ['/usr/bin/chromium-browser', '/usr/bin/google-chrome-stable', '/usr/bin/google-chrome'],
    package: 'chromium',
    without: 'pages are not looked at in a browser',
  },
];

/**
 * What of it may be installed. A package with a service may not where an init system would start that at the next boot:
 * somebody works on such a machine, and did not ask for an SSH server. In containers nothing starts by itself.
 *
 * @param {readonly TestProgram[]} missing
 * @param {Pick<Machine, 'manager' | 'privilege' | 'startsServices'>} machine
 * @returns {readonly TestProgram[]}
 */
export function testProgramsToInstall(missing, { manager, privilege, startsServices }) {
  if (manager !== 'apt' || privilege === 'none') return [];
  return missing.filter(({ hasService }) => hasService !== true || (privilege === 'root' && !startsServices));
}

/**
 * @param {string} osRelease the text of /etc/os-release; empty where there is none
 * @param {string} platform `process.platform`
 * @param {(command: string) => boolean} has whether a command is on this machine
 * @returns {PackageManager | undefined}
 */
export function packageManagerOf(osRelease, platform, has) {
  const families = platform === 'darwin' ? ['darwin'] : familiesOf(osRelease);
  const names = /** @type {PackageManager[]} */ (Object.keys(MANAGERS)).filter((name) => has(MANAGERS[name].command));
  // By family first: a Debian may have dnf installed beside apt, to build packages with.
  return names.find((name) => MANAGERS[name].families.some((family) => families.includes(family))) ?? names[0];
}

/**
 * @param {string} osRelease
 * @returns {string[]}
 */
function familiesOf(osRelease) {
  const lines = osRelease.split('\n').filter((line) => line.startsWith('ID=') || line.startsWith('ID_LIKE='));
  return lines.flatMap((line) =>
    line
      .slice(line.indexOf('=') + 1)
      .replaceAll(/["']/g, '')
      .trim()
      .split(/\s+/),
  );
}

/**
 * Older releases carry the version in the package's name (`mariadb-server-core-10.6`).
 *
 * @param {readonly string[]} known names of packages that this system offers
 * @returns {string[]} the packages that hold the server's programs
 */
export function coreServerPackages(known) {
  if (known.includes('mariadb-server-core')) return ['mariadb-server-core', 'mariadb-client-core'];
  const versions = known
    .map((name) => /^mariadb-server-core-(\d+)\.(\d+)$/.exec(name))
    .filter((match) => match !== null)
    .map((match) => ({ major: Number(match[1]), minor: Number(match[2]) }))
    .sort((a, b) => b.major - a.major || b.minor - a.minor);
  const newest = versions[0];
  if (newest === undefined) return ['mariadb-server-core', 'mariadb-client-core'];
  const version = `${newest.major}.${newest.minor}`;
  return [`mariadb-server-core-${version}`, `mariadb-client-core-${version}`];
}

/**
 * @typedef {object} Machine
 * @property {PackageManager | undefined} manager
 * @property {Privilege} privilege
 * @property {boolean} hasSudo
 * @property {boolean} startsServices an init system runs, which starts what is installed
 * @property {readonly string[]} knownPackages what apt knows by the names that matter; empty before a first update
 */

/**
 * @typedef {{ is: 'run', commands: string[][] } | { is: 'ask', command: string | undefined }} InstallPlan
 *   `run`: argument vectors, in order. `ask`: the one command that the person can run, where this system has one.
 */

/**
 * @param {Machine} machine
 * @param {readonly string[]} packages
 * @returns {InstallPlan}
 */
export function installPlan(machine, packages) {
  if (machine.manager === undefined) return { is: 'ask', command: undefined };
  const { refresh, install, unattended, installsByItself } = MANAGERS[machine.manager];
  if (installsByItself && machine.privilege !== 'none') {
    const commands = [refresh, [...install, ...unattended, ...packages]].filter((command) => command.length > 0);
    return { is: 'run', commands: commands.map((command) => asRoot(machine, command)) };
  }
  return { is: 'ask', command: commandToShow(machine, packages) };
}

/**
 * @param {Machine} machine
 * @param {readonly string[]} command
 * @returns {string[]}
 */
function asRoot(machine, command) {
  // `env` because sudo drops variables; without this one apt may stop to ask.
  const withEnvironment =
    machine.manager === 'apt' ? ['env', 'DEBIAN_FRONTEND=noninteractive', ...command] : [...command];
  return machine.privilege === 'sudo' ? ['sudo', '-n', ...withEnvironment] : withEnvironment;
}

/**
 * The same, for a person, who can answer for herself.
 *
 * @param {Machine} machine
 * @param {readonly string[]} packages
 * @returns {string | undefined}
 */
export function commandToShow(machine, packages) {
  if (machine.manager === undefined) return undefined;
  const { refresh, install } = MANAGERS[machine.manager];
  const command = [...install, ...packages].join(' ');
  if (machine.manager === 'brew') return command;
  const needsRefresh = machine.manager === 'apt' && machine.knownPackages.length === 0;
  const whole = needsRefresh ? `${refresh.join(' ')} && ${command}` : command;
  if (machine.privilege === 'root') return whole;
  if (!machine.hasSudo) return `su -c '${whole}'`;
  return needsRefresh ? `sudo sh -c '${whole}'` : `sudo ${whole}`;
}

/**
 * @typedef {{ version?: string, optional?: boolean, devOptional?: boolean }} LockedPackage
 * @typedef {{ packages?: Record<string, LockedPackage> }} Lock
 */

/**
 * Whether node_modules holds what the lock file asks for. By content, since a clone or a copy changes file times.
 *
 * @param {Lock} lock package-lock.json
 * @param {Lock | undefined} installed node_modules/.package-lock.json, which npm writes last
 * @param {(path: string) => boolean} isThere whether its files are: an npm that was ended may have listed more
 * @returns {boolean}
 */
export function isInstalled(lock, installed, isThere) {
  const present = installed?.packages;
  if (present === undefined) return false;
  return Object.entries(lock.packages ?? {}).every(([path, wanted]) => {
    // Optional ones are binaries for other systems. The entry '' is the project itself.
    if (path === '' || wanted.optional === true || wanted.devOptional === true) return true;
    return present[path]?.version === wanted.version && isThere(path);
  });
}

/**
 * What npm's complaint means for the person at the terminal.
 *
 * @param {string} output of `npm ci`
 * @returns {string}
 */
export function whyNpmFailed(output) {
  if (/EACCES|EPERM|EROFS/.test(output)) {
    return 'A folder cannot be written: clone the project into a folder of your own, as the user who runs it.';
  }
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|CERT|certificate/.test(output)) {
    return 'The npm registry cannot be reached: check the network, or name a proxy with `npm config set proxy URL`.';
  }
  if (/ENOSPC/.test(output)) return 'The disk is full.';
  return "See npm's own words above; `npm ci` repeats them.";
}
