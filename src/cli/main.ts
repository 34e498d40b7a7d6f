#!/usr/bin/env node
/** The program: which command is meant, what it ends with. */
import { readFileSync } from 'node:fs';
import { CommanderError } from '@commander-js/extra-typings';
import { nearest } from '../base/did-you-mean.ts';
import { ExitCode } from '../base/errors.ts';
import { canonicalName, splitOption, splitWords } from '../base/options-parse.ts';
import { HOST_TEST_NAMES } from '../model/host-test.ts';
import { loadWorkload, workloadNames } from '../workload/find.ts';
import { translateForeign } from './foreign.ts';
import { hostTestOf } from './host-test-line.ts';
import { Interrupts } from './interrupts.ts';
import { TO_STDOUT } from './output-options.ts';
import { ProblemsError } from './problems.ts';
import { NAMED_COMMANDS, runProgram } from './program.ts';
import { redactCommand } from './redact.ts';
import type { Session } from './session.ts';
import { tellError } from './tell-error.ts';
import { Terminal } from './terminal.ts';
import { COMMON_OPTIONS, type LineWorld, readWorkloadLine } from './workload-line.ts';

const LINE_WORLD: LineWorld = {
  workloadNames: workloadNames(),
  loadWorkload,
  readText: (path) => readFileSync(path, 'utf8'),
};

async function main(args: readonly string[]): Promise<void> {
  const command = redactCommand(args);
  // Also overwrites the arguments that the process list shows: a password among them is visible no longer than this.
  process.title = ['sqldyno', ...command].join(' ');
  const terminal = new Terminal(outputOf(args));
  using interrupts = new Interrupts();
  terminal.onReaderGone = (because) => interrupts.interrupt(because);
  const end = (error: unknown) => process.exit(tellError(error, terminal));
  process.on('uncaughtException', end).on('unhandledRejection', end);
  const session = { terminal, interrupts, command: ['sqldyno', ...command] };
  const exitCode = await translateForeign(args, { isStdoutTerminal: process.stdout.isTTY === true })
    .then((ours) => dispatch(ours, session))
    .catch((error) => failed(error, session));
  // Output that is lost ends a run early, but it is no interruption by anybody.
  const isFine = exitCode === ExitCode.done || exitCode === ExitCode.interrupted;
  process.exitCode = isFine && terminal.hasLostOutput ? ExitCode.runFailed : exitCode;
}

async function dispatch(args: readonly string[], session: Session): Promise<ExitCode> {
  session.terminal.ensureJsonWritable();
  const hostTest = hostTestOf(args);
  if (hostTest !== undefined) {
    const { hostTestCommand } = await import('./commands/host-test.ts');
    return hostTestCommand(hostTest, args, { session, readText: LINE_WORLD.readText });
  }
  const { words, options } = splitWords(args, COMMON_OPTIONS);
  const [first, second] = words;
  if (first === undefined && !options.some(({ name }) => name === 'test')) return withoutWords(args, session);
  if (first === 'help' && second !== undefined && !isNamed(second)) {
    return doWorkload([second, 'help'], session);
  }
  if (first !== undefined && isNamed(first)) return runProgram(args, session, LINE_WORLD);
  if (first !== undefined && second === undefined) refuseMistyped(first);
  return doWorkload(args, session);
}

/** Loaded where it is needed: the engine takes as long to load as everything else together. */
async function doWorkload(args: readonly string[], session: Session): Promise<ExitCode> {
  const line = await readWorkloadLine(args, LINE_WORLD);
  const { workloadCommand } = await import('./commands/workload.ts');
  return workloadCommand(line, session);
}

function isNamed(word: string): boolean {
  return NAMED_COMMANDS.some((name) => name === word);
}

/** `sqldyno`, `sqldyno --version`, or options that name nothing to be done. */
async function withoutWords(args: readonly string[], session: Session): Promise<ExitCode> {
  if (args.length === 0) {
    await runProgram(['--help'], session, LINE_WORLD).catch((error) => failed(error, session));
    return ExitCode.usage;
  }
  const known = ['help', 'version', 'json', 'store'];
  const isOurs = args.every((arg) => ['-h', '-V'].includes(arg) || known.includes(splitOption(arg).name));
  if (isOurs) return runProgram(args, session, LINE_WORLD);
  await readWorkloadLine(args, LINE_WORLD);
  return ExitCode.usage;
}

/** A single word that is nearly a named command. */
function refuseMistyped(word: string): void {
  const meant = nearest(word, [...NAMED_COMMANDS, ...HOST_TEST_NAMES, ...LINE_WORLD.workloadNames]);
  if (meant === undefined || LINE_WORLD.workloadNames.includes(meant)) return;
  throw new ProblemsError([{ is: `'${word}' is neither a command nor a workload.`, remedy: `Did you mean ${meant}?` }]);
}

function failed(error: unknown, { terminal, interrupts, command }: Session): ExitCode {
  if (error instanceof CommanderError) return failedByCommander(error, { terminal, command });
  // Whatever an operation rejects with after Ctrl-C, the reason is Ctrl-C.
  const isAborted = interrupts.isInterrupted && error instanceof Error && error.name === 'AbortError';
  return tellError(isAborted ? interrupts.signal.reason : error, terminal);
}

function failedByCommander(
  error: CommanderError,
  { terminal, command: [, ...words] }: Pick<Session, 'terminal' | 'command'>,
): ExitCode {
  if (error.exitCode === 0) return ExitCode.done;
  // Help that was shown because something is missing says so itself.
  if (error.code === 'commander.help') return ExitCode.usage;
  const [is = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const sentence = `${is.charAt(0).toUpperCase()}${is.slice(1)}`.replace(/\.?$/, '.');
  const named = words.find((word) => NAMED_COMMANDS.some((name) => name === word));
  const remedy =
    suggestion?.replace(/^\((.*)\)$/, '$1') ?? `See: sqldyno ${named === undefined ? '' : `${named} `}--help`;
  return tellError(new ProblemsError([{ is: sentence, remedy }]), terminal);
}

/** Where output goes must be known before anything else is, so that mistakes are told there too. */
function outputOf(args: readonly string[]): { json: string; live: boolean } {
  const options = args.filter((arg) => arg.startsWith('--')).map((arg) => splitOption(arg));
  const json = options.findLast(({ name }) => name === 'json');
  const live = options.findLast(({ name }) => ['live', 'no_live'].includes(canonicalName(name)));
  const isLive = live === undefined || (live.name === 'live' && !/^(off|false|no|0)$/i.test(live.value ?? 'on'));
  return { json: json === undefined ? '' : (json.value ?? TO_STDOUT), live: isLive };
}

await main(process.argv.slice(2));
