/** Starting other programs: quietly while all goes well, or in the foreground. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Ctrl-C reaches every program of the terminal by itself; a kill of the bootstrap has to be passed on. */
const PASSED_ON = /** @type {const} */ (['SIGTERM', 'SIGHUP']);
const STAYED_FOR = /** @type {const} */ (['SIGINT', ...PASSED_ON]);
/** Shells' way to say "ended by a signal". */
const SIGNAL_EXIT_BASE = 128;

/** Somebody wants an end; the program that was running has ended. */
export class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`Interrupted by ${signal}.`);
    this.exitCode = SIGNAL_EXIT_BASE + constants.signals[signal];
  }
}

/**
 * Outlives a signal until the program has ended: npm puts back what it has half done, which takes seconds, and must
 * not meet a second npm meanwhile.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ code: number, output: string }>} rejects with `Interrupted`
 */
export function runQuietly(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    /** @type {NodeJS.Signals | undefined} */
    let interruptedBy;
    const onSignal = (/** @type {NodeJS.Signals} */ signal) => {
      if (interruptedBy === undefined) console.error(`Interrupted; waiting for ${command} to end ...`);
      interruptedBy ??= signal;
      if (signal !== 'SIGINT') child.kill(signal);
    };
    for (const signal of STAYED_FOR) process.on(signal, onSignal);
    const leave = () => {
      for (const signal of STAYED_FOR) process.off(signal, onSignal);
    };
    let output = '';
    const keep = (/** @type {Buffer} */ chunk) => {
      output += chunk.toString();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => {
      leave();
      resolve({ code: 1, output: `${output}${error.message}\n` });
    });
    child.on('close', (code) => {
      leave();
      if (interruptedBy === undefined) resolve({ code: code ?? 1, output });
      else reject(new Interrupted(interruptedBy));
    });
  });
}

/**
 * Runs a Node program in the foreground, and ends as it ends.
 *
 * @param {readonly string[]} args
 * @param {{ cwd: string }} options
 * @returns {Promise<number>} its exit code
 */
export function runInForeground(args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { ...options, stdio: 'inherit' });
    // The program decides what an interruption means; leaving before it would lose its last words.
    const stay = () => undefined;
    process.on('SIGINT', stay);
    const passOn = PASSED_ON.map((signal) => ({ signal, pass: () => child.kill(signal) }));
    for (const { signal, pass } of passOn) process.on(signal, pass);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      process.off('SIGINT', stay);
      for (const each of passOn) process.off(each.signal, each.pass);
      resolve(code ?? SIGNAL_EXIT_BASE + constants.signals[signal ?? 'SIGTERM']);
    });
  });
}
