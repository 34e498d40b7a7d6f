/** What the quiz takes: how large it is, and how much is asked of it. */
import type { OptionsSchema, ValuesOf } from '../../base/options.ts';
import { integer } from '../../base/options.ts';

/** Queries of one transaction: one of each table. */
export const QUERIES_PER_ROUND = 4;
/** Keys are BIGINT, and the largest of them is twenty times this: far below what a number holds exactly. */
const SCALE_MAX = 1_000_000_000;

export const QUIZ_OPTIONS = {
  scale: integer({
    default: 1_000,
    min: 1,
    max: SCALE_MAX,
    help: 'users; there are twice as many questions and answers, and 20 times as many attempts',
  }),
  queries: integer({
    default: 0,
    min: 0,
    help: 'queries of each connection, in place of a --time; where --time or --events is given, that decides; 0: none',
  }),
} satisfies OptionsSchema;

export type QuizOptions = ValuesOf<typeof QUIZ_OPTIONS>;

export function problemsOf({ queries }: QuizOptions): string[] {
  if (queries === 0 || queries >= QUERIES_PER_ROUND) return [];
  const round = QUERIES_PER_ROUND;
  return [`--queries=${queries} is less than the ${round} queries of one round: give ${round} or more.`];
}

export function roundsPerConnection({ queries }: QuizOptions): number {
  return Math.floor(queries / QUERIES_PER_ROUND);
}
