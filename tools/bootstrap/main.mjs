/** From a fresh clone to a running program: packages, build, a server's program, then what was asked for. */
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { build, isBuilt } from './build.mjs';
import { hasCommand, machine } from './facts.mjs';
import {
  coreServerPackages,
  installPlan,
  isInstalled,
  MANAGERS,
  TEST_PROGRAMS,
  testProgramsToInstall,
  whyNpmFailed,
} from './plan.mjs';
import { Interrupted, runInForeground, runQuietly } from './run.mjs';
import { withoutStartingServices } from './services.mjs';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** As the command line's own: the target cannot be had. */
const EXIT_CANNOT_PREPARE = 2;
const EXIT_BUILD_FAILED = 1;
/** The end of a failed program's output says why; the beginning is its small talk. */
const LINES_SHOWN_MAX = 25;

/**
 * @typedef {object} Task
 * @property {readonly string[]} runs the program and its first arguments; those of the command line follow
 * @property {boolean} [server] needs a MariaDB or MySQL server program
 * @property {boolean} [testPrograms] takes what else the tests can use
 * @property {boolean} [counts] ends with a line of counts, also when it cannot begin
 */

/** @type {Readonly<Record<string, Task>>} */
const TASKS = {
  build: { runs: [] },
  quickstart: { runs: ['dist/src/cli/main.js', 'quickstart'], server: true },
  test: { runs: ['dist/tools/verify.js'], server: true, testPrograms: true, counts: true },
  check: { runs: ['dist/tools/verify.js', '--without-server'], counts: true },
  tidy: { runs: ['dist/tools/tidy.js'] },
  new: { runs: ['dist/tools/new.js'] },
  'bench:sysbench': { runs: ['dist/bench/sysbench.js'], server: true },
  'bench:prepare': { runs: ['dist/bench/prepare.js'], server: true },
  'bench:tpcc': { runs: ['dist/bench/tpcc.js'], server: true },
  'bench:tpcc-load': { runs: ['dist/bench/tpcc-load.js'], server: true },
  'bench:null': { runs: ['dist/bench/null.js'] },
  'bench:observation': { runs: ['dist/bench/observation.js'], server: true },
  'bench:store': { runs: ['dist/bench/store.js'] },
  'bench:report': { runs: ['dist/bench/report.js'] },
  'bench:verdicts': { runs: ['dist/bench/verdicts.js'], server: true },
  'bench:diagnosis': { runs: ['dist/bench/diagnosis.js'], server: true },
};

/** Stops the bootstrap; its message has been written for the person at the terminal. */
class Stop extends Error {
  /**
   * @param {string} message
   * @param {number} exitCode
   */
  constructor(message, exitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * @param {string} name
 * @param {readonly string[]} args
 */
export async function main(name, args) {
  const task = TASKS[name];
  if (task === undefined) {
    say(`'${name}' is no task. There are: ${Object.keys(TASKS).join(', ')}.`);
    process.exitCode = 1;
    return;
  }
  try {
    await installPackages();
    await ensureBuilt(name === 'build');
    if (task.server === true) await ensureServerProgram(name);
    if (task.testPrograms === true) await ensureTestPrograms();
    if (task.runs.length > 0) process.exitCode = await runInForeground([...task.runs, ...args], { cwd: ROOT });
  } catch (error) {
    if (!(error instanceof Stop || error instanceof Interrupted)) throw error;
    say(error.message);
    if (task.counts === true) console.log('0 passed, 1 failed');
    process.exitCode = error.exitCode;
  }
}

/** @param {string} line */
function say(line) {
  // Not stdout: that belongs to the program that follows.
  console.error(line);
}

/**
 * Says what takes time, and how long it took.
 *
 * @template T
 * @param {string} what
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function timed(what, work) {
  say(`${what} ...`);
  const startMs = Date.now();
  const result = await work();
  say(`  done in ${((Date.now() - startMs) / 1000).toFixed(1)} s`);
  return result;
}

async function installPackages() {
  const hasFiles = (/** @type {string} */ path) => existsSync(join(ROOT, path, 'package.json'));
  const [lock, installed] = [readJson('package-lock.json') ?? {}, readJson('node_modules/.package-lock.json')];
  if (isInstalled(lock, installed, hasFiles)) return;
  await timed('Installing npm packages (npm ci)', async () => {
    // Both kinds are needed to build, whatever NODE_ENV or the user's npm settings say.
    const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
    const { code, output } = await runNpm(args);
    if (code !== 0) {
      throw new Stop(
        `${lastLines(output)}\nnpm could not install the packages. ${whyNpmFailed(output)}`,
        EXIT_CANNOT_PREPARE,
      );
    }
  });
}

/**
 * @param {readonly string[]} args
 */
function runNpm(args) {
  const env = { ...process.env };
  // Accounts such as `nobody` have no home; npm's cache is not worth failing for.
  if (!isWritable(env['HOME'] ?? homedir()))
    env['npm_config_cache'] = join(tmpdir(), `sqldyno-npm-${process.getuid?.() ?? 0}`);
  const npm = env['npm_execpath'];
  const isScript = npm !== undefined && /npm-cli\.c?js$/.test(npm);
  return isScript
    ? runQuietly(process.execPath, [npm, ...args], { cwd: ROOT, env })
    : runQuietly('npm', args, { cwd: ROOT, env });
}

/** @param {boolean} always */
async function ensureBuilt(always) {
  if (!always && isBuilt(ROOT)) return;
  await timed('Building (tsc)', async () => {
    const { ok, output } = await build(ROOT);
    if (!ok) throw new Stop(`${lastLines(output)}\nThe sources do not compile.`, EXIT_BUILD_FAILED);
  });
}

/**
 * The program's own search decides, so that what is found here is what will be started.
 *
 * @returns {Promise<string | undefined>} such as `10.11.6-MariaDB (/usr/sbin/mariadbd)`
 */
async function serverProgram() {
  const { findServerBinary } = await import(pathToFileURL(join(ROOT, 'dist/src/lab/server-binary.js')).href);
  try {
    const found = await findServerBinary();
    return found === undefined ? undefined : `${found.version} (${found.path})`;
  } catch (error) {
    const { message, hint } = /** @type {Error & { hint?: string }} */ (error);
    throw new Stop([message, hint].join('\n'), EXIT_CANNOT_PREPARE);
  }
}

/** @param {string} task */
async function ensureServerProgram(task) {
  const found = await serverProgram();
  if (found !== undefined) {
    say(
      `Server program: ${found}. Only private servers are started from it; an installed or running one is left alone.`,
    );
    return;
  }
  const here = machine();
  const plan = installPlan(here, serverPackages(here));
  if (plan.is === 'ask') throw new Stop(howToGetAServer(plan.command, task), EXIT_CANNOT_PREPARE);
  await timed("No MariaDB or MySQL server program here: installing MariaDB's, without its service", async () => {
    await runAll(plan.commands.slice(0, -1), 'optional');
    // The lists are fresh now, and may name the packages otherwise.
    const fresh = installPlan(here, serverPackages(machine()));
    if (fresh.is === 'run') await runAll(fresh.commands.slice(-1), 'required');
    if ((await serverProgram()) === undefined) {
      throw new Stop(
        'The packages are installed, but neither mariadbd nor mysqld is to be found.',
        EXIT_CANNOT_PREPARE,
      );
    }
  });
}

/**
 * @param {import('./plan.mjs').Machine} here
 * @returns {readonly string[]}
 */
function serverPackages(here) {
  if (here.manager === 'apt') return coreServerPackages(here.knownPackages);
  return here.manager === undefined ? [] : MANAGERS[here.manager].server;
}

/**
 * @param {string | undefined} command
 * @param {string} task
 * @returns {string}
 */
function howToGetAServer(command, task) {
  const is =
    'No MariaDB or MySQL server program (mariadbd, mysqld) is on this machine, and to install one takes its owner.';
  const then = `then \`npm ${task === 'test' ? 'test' : `run ${task}`}\` again.`;
  if (command === undefined) return `${is}\nInstall MariaDB 10.6 or later (https://mariadb.org/download), ${then}`;
  return `${is} Run\n\n    ${command}\n\n${then}`;
}

async function ensureTestPrograms() {
  const missing = TEST_PROGRAMS.filter((program) => !isThere(program));
  if (missing.length === 0) return;
  const here = machine();
  const wanted = testProgramsToInstall(missing, here);
  if (wanted.length > 0) await installTestPrograms(here, wanted);
  for (const program of missing) {
    if (isThere(program)) continue;
    const byHand = program.hasService === true ? ` (the package ${program.package}, which brings a service)` : '';
    say(`${program.command} is not installed${byHand}: ${program.without}; those tests are skipped.`);
  }
}

/** @param {import('./plan.mjs').TestProgram} program */
function isThere({ command, files }) {
  return hasCommand(command) || (files ?? []).some((file) => existsSync(file));
}

/**
 * @param {import('./plan.mjs').Machine} here
 * @param {readonly import('./plan.mjs').TestProgram[]} wanted
 */
async function installTestPrograms(here, wanted) {
  const names = wanted.map((program) => program.package);
  const install = async (/** @type {readonly string[]} */ packages) => {
    const plan = installPlan(here, packages);
    return plan.is === 'run' && (await runAll(plan.commands, 'optional'));
  };
  const installAll = async () => {
    if ((await install(names)) || names.length === 1) return;
    // One that this system does not offer must not keep the others away.
    for (const name of names) await install([name]);
  };
  const hasService = wanted.some((program) => program.hasService === true);
  try {
    await timed(`Installing what tests use: ${names.join(', ')}`, () =>
      hasService ? withoutStartingServices(installAll) : installAll(),
    );
  } catch (error) {
    // Where starts cannot be forbidden, such as on a read-only system, tests are skipped rather than services started.
    if (error instanceof Interrupted) throw error;
    say(`This was not possible: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * @param {readonly string[][]} commands
 * @param {'required' | 'optional'} need
 * @returns {Promise<boolean>} whether all went well
 */
async function runAll(commands, need) {
  let isWell = true;
  for (const [program, ...args] of commands) {
    const { code, output } = await runQuietly(program ?? '', args, { cwd: ROOT });
    if (code === 0) continue;
    const problem = `${lastLines(output)}\nThis command failed: ${[program, ...args].join(' ')}`;
    if (need === 'required') throw new Stop(problem, EXIT_CANNOT_PREPARE);
    say(problem);
    isWell = false;
  }
  return isWell;
}

/**
 * @param {string} output
 * @returns {string}
 */
function lastLines(output) {
  return output.trimEnd().split('\n').slice(-LINES_SHOWN_MAX).join('\n');
}

/**
 * @param {string} path relative to the project
 * @returns {any}
 */
function readJson(path) {
  const whole = join(ROOT, path);
  return existsSync(whole) ? JSON.parse(readFileSync(whole, 'utf8')) : undefined;
}

/**
 * @param {string} folder
 * @returns {boolean}
 */
function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
