/** `sqldyno quickstart`: is a tuned server faster than one as it comes? Private servers, six short pairs, a verdict. */
import { ExitCode } from '../../base/errors.ts';
import { bufferPoolMib, usableMemoryBytes } from '../../lab/server-settings.ts';
import { readExperimentLine } from '../experiment-line.ts';
import { selfCommand, storeOption } from '../self-command.ts';
import { type ExperimentWorld, endExperiments, runExperiments } from './experiment.ts';

/** More is not needed for what is loaded. */
const POOL_MIB_MAX = 512;

export async function quickstartCommand(world: ExperimentWorld): Promise<ExitCode> {
  const { terminal } = world.session;
  const pool = Math.min(POOL_MIB_MAX, bufferPoolMib(usableMemoryBytes()));
  const line = readExperimentLine(['experiment', 'run', 'quickstart', `--set=pool=${pool}M`, '--tag=quickstart']);
  terminal.say('Two private servers are compared, one as it comes and one tuned.\nThey are removed again at the end.');
  const exitCode = endExperiments(await runExperiments(line, world), world);
  if (exitCode === ExitCode.done) for (const text of nextSteps(world.storeDirectory)) terminal.say(text);
  return exitCode;
}

function nextSteps(storeDirectory: string | undefined): string[] {
  const self = selfCommand() + storeOption(storeDirectory);
  const steps = [
    { command: `${self} experiment recipes`, does: 'more questions that come with an experiment' },
    { command: `${self} oltp_read_only prepare`, does: 'a private server that stays, with 10,000 rows in it' },
    { command: `${self} oltp_read_only --threads=8 run`, does: `one load on it; ${self} server stop ends it` },
    { command: `${self} runs list`, does: 'all that was measured so far' },
  ];
  const length = Math.max(...steps.map(({ command }) => command.length));
  return [
    '',
    'What to try next:',
    ...steps.map(({ command, does }) => `  ${command.padEnd(length)}  # ${does}`),
    '',
    'To load a server of your own, for prepare and for run:',
    '  --mysql-host=HOST --mysql-user=USER --ask-password',
  ];
}
