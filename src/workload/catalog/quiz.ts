/** quiz: four small tables, and one row of each by its key; from a blog post about MySQL on a Raspberry Pi. */
import { cleanupQuiz, prepareQuiz, prewarmQuiz, tableNeed } from '../quiz/maintain.ts';
import { problemsOf, QUIZ_OPTIONS, roundsPerConnection } from '../quiz/options.ts';
import { ownTermsOf } from '../quiz/own-terms.ts';
import { quizSql } from '../quiz/print-sql.ts';
import { openQuizSession, QUERY_NAMES, querySql } from '../quiz/session.ts';
import { QUIZ_TABLES } from '../quiz/tables.ts';
import { defineWorkload } from '../workload.ts';

export default defineWorkload({
  summary: 'Four rows by their keys, one each of users, questions, answers and attempts at an answer.',
  details: [
    'Stands for the scripts populate.py and load.py of a blog post, whose command lines it takes. One transaction is a ' +
      'round of their four queries. With --queries, each connection sends so many (whole rounds), and the run ends when ' +
      'all have: then "completed in" and "QPS" mean what they mean there.',
    'Keys are drawn evenly, as there, unless --rand-type says otherwise; and the database is quiz, unless --mysql-db ' +
      'does. Not as there: statements are prepared (load.py sends text: --db-ps-mode=disable), and each query is ' +
      'a transaction of its own (load.py, with autocommit off, holds one open on each connection all the time).',
    'The texts are of our own writing. Every id in the data leads to a row: the scripts draw chosen and wrong answers ' +
      'from more than twice the answers there are. Attempts fall into the year 2025, so that equal seeds give ' +
      'equal data on any day. Tables made by the scripts serve as well.',
  ],
  options: QUIZ_OPTIONS,
  defaults: { rand_type: 'uniform', mysql_db: 'quiz' },
  validate: problemsOf,
  needs: ({ scale }) => ({
    statementsPerSession: QUIZ_TABLES.length,
    writes: false,
    tables: QUIZ_TABLES.map((table) => tableNeed(table, scale)),
    probes: QUIZ_TABLES.map(querySql),
  }),
  mix: () => QUERY_NAMES.map((name) => ({ name, kind: 'read', perTransaction: 1 })),
  work: (options) => (options.queries === 0 ? undefined : { eventsPerThread: roundsPerConnection(options) }),
  prepare: prepareQuiz,
  dataOptions: ['scale'],
  sql: quizSql,
  prewarm: prewarmQuiz,
  cleanup: cleanupQuiz,
  ownTerms: ownTermsOf,
  session: openQuizSession,
});
