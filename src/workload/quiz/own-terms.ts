/** The result in the words of the blog post's load.py. */
import type { RunRecord } from '../../model/run.ts';
import { QUERIES_PER_ROUND, type QuizOptions, roundsPerConnection } from './options.ts';

type Measured = Pick<RunRecord, 'ending' | 'load'> & {
  readonly totals: Pick<RunRecord['totals'], 'elapsedS' | 'statements'>;
};

export function ownTermsOf({ ending, load, totals }: Measured, options: QuizOptions): string[] {
  const { elapsedS } = totals;
  const isComplete = ending.kind === 'events' || ending.kind === 'time';
  const lines = [`${isComplete ? 'completed in' : 'stopped after'} ${rounded(elapsedS)} seconds`];
  if (elapsedS === 0) return lines;
  lines.push(`QPS = ${rounded(totals.statements.read / elapsedS)}`);
  const asked = options.queries;
  const sent = roundsPerConnection(options) * QUERIES_PER_ROUND;
  if (ending.kind === 'events' && asked > sent && totals.statements.read === sent * load.threads) {
    const theirs = rounded((asked * load.threads) / elapsedS);
    lines.push(
      `(load.py would say ${theirs}: of each connection it counts the ${asked} queries asked for, and sends ${sent})`,
    );
  }
  return lines;
}

/** As Python rounds to two decimals: without zeros at the end. */
function rounded(value: number): string {
  return String(Number(value.toFixed(2)));
}
