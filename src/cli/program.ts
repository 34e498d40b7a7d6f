/** The named commands and their help. Workload command lines are read by workload-line.ts. */
import { Argument, Command, Option } from '@commander-js/extra-typings';
import { ExitCode } from '../base/errors.ts';
import { RUN_FORMATS, type RunFormat } from './commands/runs.ts';
import { diagnoseHelp } from './diagnose-line.ts';
import { doctorHelp } from './doctor-line.ts';
import { HELP_AFTER, HELP_BEFORE } from './help-text.ts';
import { machineHelp } from './machine-line.ts';
import type { Session } from './session.ts';
import { programVersion } from './version.ts';
import type { LineWorld } from './workload-line.ts';

/** In the order of `--help`. */
export const NAMED_COMMANDS = [
  'quickstart',
  'workloads',
  'new',
  'runs',
  'server',
  'doctor',
  'machine',
  'diagnose',
  'environment',
  'help',
] as const;

interface Program {
  /** As typed, for a command that reads its own options. */
  readonly args: readonly string[];
  readonly session: Session;
  readonly line: LineWorld;
  /** As `--store` says. */
  storeDirectory(): string | undefined;
  end(code: ExitCode): void;
}

/** Runs one named command, and returns its exit code. Throws a `CommanderError` for what commander finds wrong. */
export async function runProgram(args: readonly string[], session: Session, line: LineWorld): Promise<ExitCode> {
  let exitCode: ExitCode = ExitCode.done;
  const end = (code: ExitCode) => {
    exitCode = code;
  };
  const program = createProgram({ args, session, line, end });
  await program.parseAsync(spelledOut(args), { from: 'user' });
  return exitCode;
}

/** Dashes and underscores are alike here too, and a bare --json must not take the next word for its file. */
export function spelledOut(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  return args.map((arg, index) => {
    if (!arg.startsWith('--') || (end !== -1 && index >= end)) return arg;
    const [key = '', ...value] = arg.split('=');
    const name = key.replaceAll('_', '-');
    return name === '--json' && value.length === 0 ? '--json=-' : [name, ...value].join('=');
  });
}

function createProgram(given: Omit<Program, 'storeDirectory'>) {
  const { terminal } = given.session;
  const program = new Command('sqldyno')
    .usage('[options] WORKLOAD [options] COMMAND\n       sqldyno [options] COMMAND')
    .version(programVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'this text, or that of a command')
    .option('--json [FILE]', 'the result as JSON, with any command: to FILE (--json=FILE), or alone on stdout')
    .option('--store <DIR>', 'where runs and private servers are kept [$SQLDYNO_STORE or ~/.local/share/sqldyno]')
    .addHelpText('before', HELP_BEFORE)
    .addHelpText('after', HELP_AFTER)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.say(text.replace(/\n$/, '')),
      writeErr: (text) => terminal.warn(text.replace(/\n$/, '')),
      // Thrown as a CommanderError too, and told in one place.
      outputError: () => {},
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
    });
  const context: Program = { ...given, storeDirectory: () => program.opts().store };
  const groups = [quickstart, workloads, newThing, runs, server, doctor, machine, diagnose, environment].map((create) =>
    create(context),
  );
  for (const group of groups) {
    for (const command of [group, ...group.commands]) command.copyInheritedSettings(program);
    program.addCommand(group);
  }
  return program;
}

function quickstart({ session, line, end, storeDirectory }: Program): Command {
  return new Command('quickstart')
    .description('private server, real load, report: nothing to configure')
    .action(async () => {
      const { quickstartCommand } = await import('./commands/quickstart.ts');
      end(await quickstartCommand(session, line, storeDirectory()));
    });
}

function workloads({ session, end }: Program): Command {
  return new Command('workloads').description('list the workloads').action(async () => {
    const { workloadsCommand } = await import('./commands/workloads.ts');
    end(await workloadsCommand(session.terminal));
  });
}

function newThing({ session, end }: Program): Command {
  const group = new Command('new').description('a file to begin with: workload');
  group
    .command('workload')
    .description('write NAME.ts here, a workload that runs as it stands')
    .argument('<NAME>', 'small letters, digits, - and _')
    .action(async (name) => {
      const { newWorkload } = await import('./commands/new.ts');
      end(newWorkload(name, session.terminal));
    });
  return group as Command;
}

function runs({ session, end, storeDirectory }: Program): Command {
  const { terminal } = session;
  const group = new Command('runs').description('what was measured and kept: list, show, rm');
  const commands = () => import('./commands/runs.ts');
  group
    .command('list')
    .description('list the runs, oldest first')
    .action(async () => end(await (await commands()).listRuns(terminal, storeDirectory())));
  group
    .command('show')
    .description('report on runs again')
    .addArgument(new Argument('[RUN...]', 'id, its beginning or last four letters, a directory, or latest [latest]'))
    .addOption(new Option('--format <FORMAT>', 'how').choices(RUN_FORMATS).default('text' as RunFormat))
    .action(async (references, { format }) => {
      end(await (await commands()).showRuns(references ?? [], { terminal, storeDirectory: storeDirectory(), format }));
    });
  group
    .command('rm')
    .description('remove runs')
    .argument('<RUN...>', 'id, its beginning, or its last four letters')
    .action(async (references) => {
      end(await (await commands()).removeRuns(references, { terminal, storeDirectory: storeDirectory() }));
    });
  return group as Command;
}

function server({ session, end, storeDirectory }: Program): Command {
  const { terminal, interrupts } = session;
  const group = new Command('server').description('private servers that stay between commands: start, stop, list');
  const commands = () => import('./commands/server.ts');
  const world = () => ({ terminal, interrupts, storeDirectory: storeDirectory() });
  group
    .command('start')
    .description('start one, or start it again with its data')
    .usage('[options] [NAME] [-- OPTIONS OF THE SERVER]')
    .argument('[words...]', "its name ['default']; after --, options such as --innodb-buffer-pool-size=1G")
    .option('--tcp [PORT]', 'listen on 127.0.0.1 too, with a random password')
    .action(async (words, { tcp }) => end(await (await commands()).startServer(words ?? [], tcp, world())));
  group
    .command('stop')
    .description('stop one; its data stays for the next start')
    .argument('[NAME]', 'its name', 'default')
    .option('--rm', 'remove its data too', false)
    .action(async (name, { rm }) => end(await (await commands()).stopServer(name, rm, world())));
  group
    .command('list')
    .description('list them')
    .action(async () => end(await (await commands()).listServers(world())));
  return group as Command;
}

/** As with machine: its options are the target's, the workload's and the load's as well. */
function doctor({ args, session, line, end }: Program): Command {
  const command = new Command('doctor')
    .description('look at client, server and load before measuring: what would spoil it, and what to do')
    .usage('[options] [WORKLOAD and its options]')
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText('after', () => `\n${doctorHelp(session.terminal.columns)}`);
  command.argument('[words...]', 'the workload that is meant to run').action(async () => {
    const { doctorCommand } = await import('./commands/doctor.ts');
    end(await doctorCommand(args, session, line));
  });
  return command;
}

/** Commander only knows of it: its options are declared as those of workloads are, and include the target's. */
function machine({ args, session, end, storeDirectory }: Program): Command {
  const command = new Command('machine')
    .description('what this machine can do, on a card: processors, memory, commits, disk, way to a server')
    .usage('[options]           measure, and keep the card\n       sqldyno machine list|show [CARD] [--compare=CARD]')
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText('after', () => `\n${machineHelp(session.terminal.columns)}`);
  command
    .argument('[words...]', 'list | show [CARD]: id, a part of it, the machine, a file, or latest [latest]')
    .action(async () => {
      const { machineCommand } = await import('./commands/machine.ts');
      end(await machineCommand(args, storeDirectory(), session));
    });
  return command;
}

/** As with machine: its options include the target's. */
function diagnose({ args, session, end, storeDirectory }: Program): Command {
  const command = new Command('diagnose')
    .description('what set the pace of a run; with --probe, the experiment that convicts or acquits a verdict')
    .usage('[RUN] [options]')
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText('after', () => `\n${diagnoseHelp(session.terminal.columns)}`);
  command
    .argument('[words...]', 'a run: id, its beginning or last four letters, a directory [the newest]')
    .action(async () => {
      const { diagnoseCommand } = await import('./commands/diagnose.ts');
      end(await diagnoseCommand(args, storeDirectory(), session));
    });
  return command;
}

function environment({ session, end, storeDirectory }: Program): Command {
  const group = new Command('environment').description('what a run ran on: diff');
  group
    .command('diff')
    .description('in what two runs differ beside what they measured: server, host, client')
    .argument('<RUN>', 'id, its beginning or last four letters, a directory, or latest')
    .argument('<RUN>', 'the other one')
    .action(async (one, other) => {
      const { diffEnvironments } = await import('./commands/environment.ts');
      end(await diffEnvironments([one, other], { terminal: session.terminal, storeDirectory: storeDirectory() }));
    });
  return group as Command;
}
