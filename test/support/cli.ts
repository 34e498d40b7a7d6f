/** Runs the built program as a process of its own, as people do. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves with everything once the process has ended. */
  readonly ended: Promise<CliResult>;
  /** Resolves when stdout and stderr together match; rejects where the process ends before. */
  shows(pattern: RegExp): Promise<void>;
}

export interface CliOptions {
  readonly store: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Program and first arguments instead of the program itself. */
  readonly shell?: string;
  readonly cwd?: string;
}

export function startCli(args: readonly string[], { store, environment = {}, shell, cwd }: CliOptions): CliProcess {
  if (!existsSync(MAIN)) throw new Error('dist/ is not built: npm run build');
  const env = { ...userEnvironment(), SQLDYNO_STORE: store, ...environment };
  const child =
    shell === undefined
      ? spawn(process.execPath, [MAIN, ...args], { env, cwd })
      : spawn('sh', ['-c', shell], { env, cwd });
  let stdout = '';
  let stderr = '';
  let look = () => {};
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    look();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    look();
  });
  // A test that is over closes the pipe early on purpose.
  child.stdout.on('error', () => {});
  const ended = new Promise<CliResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  const shows = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      look = () => pattern.test(stdout + stderr) && resolve();
      look();
      void ended.then((result) => reject(new Error(`ended before it showed ${pattern}: ${JSON.stringify(result)}`)));
    });
  return { child, ended, shows };
}

export function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  const { child, ended } = startCli(args, options);
  child.stdin.end();
  return ended;
}

/** What npm adds for its scripts is not in a user's shell, and what the user sets must not leak into tests. */
function userEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$|MYSQL_|SQLDYNO_)/.test(name));
  return Object.fromEntries(entries);
}
