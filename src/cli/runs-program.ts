/** `sqldyno runs …`, `sqldyno report` and `sqldyno history` as commander knows them. */
import { Argument, Command, Option } from '@commander-js/extra-typings';
import type { ExitCode } from '../base/errors.ts';
import type { RunsWorld } from './commands/runs.ts';
import { RUN_FORMATS } from './run-formats.ts';
import type { Session } from './session.ts';

export interface RunsProgram {
  readonly session: Session;
  storeDirectory(): string | undefined;
  end(code: ExitCode): void;
}

const RUN = 'id, its beginning or last four letters, a directory, or latest';

const HISTORY_UNITS = ['run', 'experiment'] as const;

export function runsProgram({ session, end, storeDirectory }: RunsProgram): Command {
  const group = new Command('runs').description('what was measured and kept: list, show, tag, export, import, rm');
  const commands = () => import('./commands/runs.ts');
  const transfers = () => import('./commands/runs-transfer.ts');
  const world = (): RunsWorld => ({ terminal: session.terminal, storeDirectory: storeDirectory() });
  choosing(group.command('list').description('list the runs, oldest first')).action(async (choice) =>
    end(await (await commands()).listRuns(choice, world())),
  );
  group
    .command('show')
    .description('report on runs again')
    .addArgument(new Argument('[RUN...]', `${RUN} [latest]`))
    .addOption(new Option('--format <FORMAT>', 'how').choices(RUN_FORMATS).default('text'))
    .option('--to <FILE>', 'write it there instead of here')
    .action(async (references, { format, to }) => {
      end(
        await (await commands()).showRuns(references ?? [], {
          ...world(),
          format,
          ...(to === undefined ? {} : { to }),
        }),
      );
    });
  group
    .command('tag')
    .description('add words to find runs by, or take them away')
    .argument('<RUN|+TAG...>', 'runs, and tags to add: latest +nightly')
    .option('--remove <TAG>', 'take it away; may be given several times', collect)
    .action(async (words, { remove = [] }) => end(await (await commands()).tagRuns(words, { ...world(), remove })));
  choosing(group.command('export').description('copy runs, to take them elsewhere'))
    .addArgument(new Argument('[RUN...]', RUN))
    .requiredOption('--to <DIR|FILE.ndjson>', 'a directory with one for each run, or a file with one run a line')
    .action(async (references, options) => {
      end(await (await transfers()).exportCommand(references ?? [], options, world()));
    });
  group
    .command('import')
    .description('keep runs from elsewhere, also what other tools printed; each is checked, none is kept twice')
    .argument('<DIR|FILE|-...>', "runs of sqldyno, or another tool's output (sysbench, mysqlslap, HammerDB, ...)")
    .option('--beside <FILE>', 'log of iostat or vmstat that ran beside it; several times', collect)
    .option('--data-disk <NAME>', 'the device in that log that holds the data [the only one]')
    .option('--started <WHEN>', 'when that run began, which outputs do not tell: 2026-11-30T18:00 (UTC)')
    .option('--tag <TAG>', 'for what other tools measured; several times', collect)
    .action(async (sources, options) => {
      const { importCommand } = await import('./commands/runs-import.ts');
      end(await importCommand(sources, given(options), world()));
    });
  group
    .command('rm')
    .description('remove runs')
    .argument('<RUN...>', 'id, its beginning, or its last four letters')
    .option('--anyway', 'also those on which the result of an experiment rests')
    .action(async (references, { anyway = false }) => {
      end(await (await commands()).removeRuns(references, { ...world(), anyway }));
    });
  return group as Command;
}

export function reportProgram({ session, end, storeDirectory }: RunsProgram): Command {
  const command = new Command('report')
    .description('runs side by side, or an experiment, as a page for a browser or in another form')
    .addArgument(new Argument('[RUN|EXPERIMENT...]', `a run: ${RUN}; or an experiment: id or name [latest]`))
    .addOption(new Option('--format <FORMAT>', 'how').choices(RUN_FORMATS).default('html'))
    .option('--to <FILE>', 'where it is written; - for stdout [html: ID.html here; else: stdout]')
    .action(async (references, { format, to }) => {
      const { reportCommand } = await import('./commands/report.ts');
      const options = { references: references ?? [], format, ...(to === undefined ? {} : { to }) };
      end(await reportCommand(options, { terminal: session.terminal, storeDirectory: storeDirectory() }));
    });
  return command as unknown as Command;
}

export function historyProgram({ session, end, storeDirectory }: RunsProgram): Command {
  const command = new Command('history').description('when a thing became faster or slower, over its stored runs');
  choosing(command)
    .addOption(new Option('--metric <METRIC>', 'of what').default('transactions/s'))
    .addOption(
      new Option('--by <WHAT>', 'what counts once [experiment, where there are several]').choices(HISTORY_UNITS),
    )
    .option('--margin <SHARE>', 'smaller changes are not told [the noise floor, where it is kept, else 2%]')
    .addArgument(new Argument('[NAME]', 'an experiment (pool), its variant (pool/large), a tag, or a workload [all]'))
    .action(async (name, options) => {
      const { historyCommand } = await import('./commands/history.ts');
      end(await historyCommand(name, options, { terminal: session.terminal, storeDirectory: storeDirectory() }));
    });
  return command;
}

function choosing(command: Command) {
  return command
    .option('--tag <TAG>', 'with this tag; several times: with all of them', collect)
    .option('--workload <NAME>', 'of this workload')
    .option('--experiment <ID|NAME>', 'of this experiment, or of all of this name')
    .option('--variant <NAME>', 'of this variant')
    .option('--since <WHEN>', 'begun then or later: 2026-11-30, 2026-11-30T18:00 (UTC), 12h, 7d, today')
    .option('--until <WHEN>', 'begun before')
    .option('--target <TEXT>', 'on servers with this in flavor, version or address')
    .option('--host <NAME>', 'on this host')
    .option('--valid', 'without those that prove nothing')
    .option('--last <N>', 'the newest N of them');
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** Without what is not given. */
function given<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
