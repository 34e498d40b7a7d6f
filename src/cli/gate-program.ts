/** `sqldyno gate` as commander knows it. */
import { Command } from '@commander-js/extra-typings';
import type { RunsProgram } from './runs-program.ts';

const HELP_AFTER = `
  sqldyno gate latest --require='p99(transaction) < 20ms' --require='errors == 0'
  sqldyno gate nightly --baseline=release-1.4 --margin=2% --strict

A requirement is METRIC, one of < <= > >= == !=, and a number with its unit: us, ms, s, %, k, M. Each run must meet
each. Metrics are those of compare: transactions/s, p99(NAME), errors(1213), cpuUsPerStatement, and what docs/probes.md
names. A run that proves nothing passes no gate, and neither does a metric that a run does not tell.
Against a baseline it fails what is SLOWER by more than the margin; what is UNDECIDED only with --strict.
Exit 0: met; 99: not met.
`;

export function gateProgram({ session, end, storeDirectory }: RunsProgram): Command {
  const command = new Command('gate')
    .description('whether runs are as good as is required, and no slower than a baseline: for pipelines')
    .usage("[options] RUN|TAG|EXPERIMENT... --require='p99(transaction) < 20ms'")
    .argument('<WHAT...>', 'runs: id, its beginning or last four letters, a tag, an experiment, or latest')
    .option('--require <CONDITION>', 'what must hold; several times', collect)
    .option('--thresholds <FILE>', 'a file with one of these a line; # begins a comment', collect)
    .option('--baseline <RUN|TAG|EXPERIMENT>', 'what they must not be slower than')
    .option('--metric <NAMES>', "in what, by comma [an experiment's own, or transactions/s]")
    .option('--margin <SHARE>', "a difference smaller than this does not matter [an experiment's own, or 2%]")
    .option('--strict', 'what cannot be decided does not pass either', false)
    .option('--anyway', 'compare also what did not do the same work', false)
    .option('--junit <FILE>', 'write the result there as JUnit XML too')
    .option('--github', 'add it to the summary of a GitHub job ($GITHUB_STEP_SUMMARY)', false)
    .addHelpText('after', HELP_AFTER);
  command.action(async (references, options) => {
    const { gateCommand } = await import('./commands/gate.ts');
    const { terminal } = session;
    const world = { terminal, storeDirectory: storeDirectory(), environment: process.env };
    end(await gateCommand({ references, ...options }, world));
  });
  return command as unknown as Command;
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
