/** Starting other programs: quietly while all goes well, or in the foreground. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/** Ctrl-C reaches the program in the foreground by itself; a kill of the bootstrap has to be passed on. */
const PASSED_ON = /** @type {const} */ (['SIGTERM', 'SIGHUP']);
/** Shells' way to say "ended by a signal". */
const SIGNAL_EXIT_BASE = 128;

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ code: number, output: string }>}
 */
export function runQuietly(command, args, options) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (/** @type {Buffer} */ chunk) => {
      output += chunk.toString();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => resolve({ code: 1, output: `${output}${error.message}\n` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
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
