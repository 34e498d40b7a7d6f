/** `sqldyno quickstart`: a private server, a real load, a report. Nothing to configure; only the run is kept. */
import type { ExitCode } from '../../base/errors.ts';
import { startPrivateServer } from '../../lab/server.ts';
import { maintainShown } from '../maintain-shown.ts';
import { lookAtAll } from '../open-target.ts';
import { planOf } from '../plan-of.ts';
import { runAndReport } from '../run-and-report.ts';
import { headerLines } from '../run-header.ts';
import { selfCommand, shellQuoted } from '../self-command.ts';
import type { Session } from '../session.ts';
import type { LineWorld } from '../workload-line.ts';
import { readWorkloadLine } from '../workload-line.ts';

/** Loaded in seconds even on a small board, and large enough that four connections do not fight over rows. */
const DATA = ['--tables=4', '--table-size=10000'];
/** Long enough to see a rhythm; with starting and loading, the whole stays well under a minute. */
const LOAD = ['--threads=4', '--time=10', '--rand-type=uniform'];
/** In a pipe there is no live view, and lines tell that it goes on. */
const LINES = ['--report-interval=2'];

export async function quickstartCommand(
  session: Session,
  world: LineWorld,
  storeDirectory: string | undefined,
): Promise<ExitCode> {
  const { terminal, interrupts } = session;
  const { signal } = interrupts;
  const store = storeDirectory === undefined ? [] : [`--store=${storeDirectory}`];
  const lines = terminal.isLive ? [] : LINES;
  const args = ['oltp_read_write', ...DATA, ...LOAD, ...lines, '--tag=quickstart', ...store, 'run'];
  const line = await readWorkloadLine(args, world);
  terminal.say('Starting a private server, which is removed again at the end...');
  await using server = await startPrivateServer({
    signal,
    onNote: (note) => terminal.warn(note),
    ...(storeDirectory === undefined ? {} : { directory: storeDirectory }),
  });
  const target = { ...server.target, database: line.target.mysql_db };
  const plan = { ...planOf(line), targets: [target] };
  const seen = await lookAtAll([target], true, signal);
  await maintainShown('prepare', { line, plan, isTemporary: true }, { terminal, signal });
  for (const text of ['', ...headerLines(line, { ...seen, isPrivate: true, notes: [] }, plan)]) terminal.say(text);
  const exitCode = await runAndReport({ line, plan, isPrivate: true }, session);
  if (!interrupts.isInterrupted) for (const text of nextSteps(storeDirectory)) terminal.say(text);
  return exitCode;
}

function nextSteps(storeDirectory: string | undefined): string[] {
  const self = selfCommand() + (storeDirectory === undefined ? '' : ` --store=${shellQuoted(storeDirectory)}`);
  const steps = [
    { command: `${self} oltp_read_only prepare`, does: 'a private server that stays, with 10,000 rows in it' },
    { command: `${self} oltp_read_only --threads=8 run`, does: `another load on it; ${self} server stop ends it` },
    { command: `${self} runs list`, does: 'all that was measured so far' },
  ];
  const length = Math.max(...steps.map(({ command }) => command.length));
  return [
    '',
    'What to try next:',
    ...steps.map(({ command, does }) => `  ${command.padEnd(length)}  # ${does}`),
    '',
    'To load a server of your own: --mysql-host=HOST --mysql-user=USER --ask-password, for prepare and for run.',
  ];
}
