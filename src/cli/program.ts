/** The named commands and their help. Workload command lines are read by workload-line.ts. */
import { Command, Option } from '@commander-js/extra-typings';
import { ExitCode } from '../base/errors.ts';
import { diagnoseHelp } from './diagnose-line.ts';
import { doctorHelp } from './doctor-line.ts';
import { experimentHelp } from './experiment-line.ts';
import { gateProgram } from './gate-program.ts';
import { HELP_AFTER, HELP_BEFORE } from './help-text.ts';
import { machineHelp } from './machine-line.ts';
import { fitted } from './options-help.ts';
import { historyProgram, reportProgram, runsProgram } from './runs-program.ts';
import { searchHelp } from './search-line.ts';
import type { Session } from './session.ts';
import { sweepHelp } from './sweep-line.ts';
import { programVersion } from './version.ts';
import type { LineWorld } from './workload-line.ts';

const AUDIT_HELP_AFTER = `
Reads the output of sysbench (0.4 to 1.1, with progress, histogram and checkpoints), sysbench-tpcc, mysqlslap,
sql-bench, load.py, HammerDB, go-tpc, BenchBase and pgbench, tables with a column for each configuration, the
commands beside them, and what the text says of them. Twenty rules; each shows its arithmetic and names the cells.
Exit 0: nothing contradicts itself; 4: a rule fails.
`;

/** In the order of `--help`. */
export const NAMED_COMMANDS = [
  'quickstart',
  'experiment',
  'sweep',
  'search',
  'compare',
  'gate',
  'workloads',
  'new',
  'runs',
  'report',
  'history',
  'ui',
  'server',
  'doctor',
  'machine',
  'diagnose',
  'audit',
  'board',
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
      writeOut: (text) => terminal.say(fitted(text.replace(/\n$/, ''), terminal.columns)),
      writeErr: (text) => terminal.warn(text.replace(/\n$/, '')),
      // Thrown as a CommanderError too, and told in one place.
      outputError: () => {},
      getOutHelpWidth: () => terminal.columns,
      getErrHelpWidth: () => terminal.columns,
    });
  const context: Program = { ...given, storeDirectory: () => program.opts().store };
  const groups = [
    quickstart,
    experiment,
    sweep,
    search,
    compare,
    gateProgram,
    workloads,
    newThing,
    runsProgram,
    reportProgram,
    historyProgram,
    ui,
    server,
    doctor,
    machine,
    diagnose,
    audit,
    board,
    environment,
  ].map((create) => create(context));
  for (const group of groups) {
    for (const command of [group, ...group.commands]) command.copyInheritedSettings(program);
    program.addCommand(group);
  }
  return program;
}

function quickstart({ session, line, end, storeDirectory }: Program): Command {
  return new Command('quickstart')
    .description(
      'is a tuned server faster than one as it comes? Private servers, a verdict in minutes, nothing to configure',
    )
    .action(async () => {
      const { quickstartCommand } = await import('./commands/quickstart.ts');
      end(await quickstartCommand({ session, line, storeDirectory: storeDirectory() }));
    });
}

/** As with machine: its options include the target's. */
function experiment({ args, session, line, end, storeDirectory }: Program): Command {
  const command = new Command('experiment')
    .description('variants in blocks, each run from the same start, with a verdict: run, plan, resume, show, recipes')
    .usage(
      `[run] FILE|RECIPE [options]   do it, and say what comes of it
       sqldyno experiment plan FILE|RECIPE        what would run, and how long it takes
       sqldyno experiment resume|show|rm [ID]     go on after an interruption | report again | remove
       sqldyno experiment list|recipes            what was done | what comes with the program
       sqldyno experiment recipe NAME             its file, to begin one of your own with`,
    )
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText('after', () => `\n${experimentHelp(session.terminal.columns)}`);
  command.argument('[words...]', 'a file, a recipe, or an experiment: id, a part of it, or latest').action(async () => {
    const { experimentCommand } = await import('./commands/experiment.ts');
    end(await experimentCommand(args, { session, line, storeDirectory: storeDirectory() }));
  });
  return command;
}

function compare({ session, end, storeDirectory }: Program): Command {
  const command = new Command('compare')
    .description('runs, tags or the variants of an experiment side by side, with the same statistics')
    .usage('[options] RUN|TAG|EXPERIMENT[:VARIANT]...')
    .argument('<WHAT...>', 'the first is the baseline; several runs of one by comma: k3f9,x2a7')
    .option('--metric <NAME>', "what decides: p99(transaction), for one [an experiment's own, or transactions/s]")
    .option('--secondary <NAMES>', 'shown too, by comma, corrected for their number')
    .option('--margin <SHARE>', "a difference smaller than this does not matter [an experiment's own, or 2%]")
    .addOption(
      new Option('--by <WHAT>', 'put all named runs together, and compare by this').choices([
        'tag',
        'host',
        'variant',
      ] as const),
    )
    .option('--baseline <NAME>', 'against which the others are compared [the first]')
    .option('--anyway', 'also where they did not do the same work', false);
  command.action(async (references, options) => {
    const { compareCommand } = await import('./commands/compare.ts');
    const { terminal } = session;
    end(await compareCommand({ references, ...options }, { terminal, storeDirectory: storeDirectory() }));
  });
  return command as unknown as Command;
}

/** As with doctor: its options are the workload's as well. */
function sweep({ args, session, line, end, storeDirectory }: Program): Command {
  const command = new Command('sweep')
    .description('one thing over several values, in blocks: how it scales with threads, or where the knee is')
    .usage('WORKLOAD [options] --over=threads --values=1,2,4,8,16\n       sqldyno sweep --continue[=ID]')
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText('after', () => `\n${sweepHelp(session.terminal.columns)}`);
  command.argument('[words...]', 'the workload that is run').action(async () => {
    const { sweepCommand } = await import('./commands/sweep.ts');
    end(await sweepCommand(args, { session, line, storeDirectory: storeDirectory() }));
  });
  return command;
}

/** As with doctor: its options are the workload's as well. */
function search({ args, session, line, end }: Program): Command {
  const command = new Command('search')
    .description('the highest rate that keeps a limit such as p99 < 20 ms, by runs in the open loop')
    .usage("WORKLOAD [options] --limit='p99<20ms'")
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText('after', () => `\n${searchHelp(session.terminal.columns)}`);
  command.argument('[words...]', 'the workload that is run').action(async () => {
    const { searchCommand } = await import('./commands/search.ts');
    end(await searchCommand(args, session, line));
  });
  return command;
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

function ui({ session, line, end, storeDirectory }: Program): Command {
  return new Command('ui')
    .description('all of it in the browser: what was measured, live progress, and what can be started')
    .option('--port <PORT>', 'on 127.0.0.1; 0 for any that is free', '0')
    .option('--no-open', 'only print the address')
    .action(async ({ port, open }) => {
      const { uiCommand } = await import('./commands/ui.ts');
      end(await uiCommand({ port, open, session, line, storeDirectory: storeDirectory() }));
    });
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

function audit({ session, end }: Program): Command {
  const command = new Command('audit')
    .description('whether the figures of a pasted report, table or result hold together, with the arithmetic')
    .addHelpText('after', AUDIT_HELP_AFTER);
  command.argument('<FILE>', 'a file of text, or - for what is piped or pasted').action(async (source) => {
    const { auditCommand } = await import('./commands/audit.ts');
    end(await auditCommand(source, session.terminal));
  });
  return command;
}

function board({ session, end }: Program): Command {
  const command = new Command('board')
    .description('a folder of runs, as in a git repository, as a static site; what contradicts itself is not shown')
    .argument('<DIR>', 'a store, or what runs export and --json have written, at any depth')
    .option('--output <SITE>', 'the folder that is made', 'site')
    .option('--title <TEXT>', 'what it is called', 'Benchmark runs');
  command.action(async (source, options) => {
    const { boardCommand } = await import('./commands/board.ts');
    end(await boardCommand(source, options, session.terminal));
  });
  return command as unknown as Command;
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
