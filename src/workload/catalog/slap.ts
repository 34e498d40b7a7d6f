/** slap: mysqlslap's rounds, under its options. */
import {
  clientsOf,
  eventsPerClient,
  isAuto,
  problemsOf,
  SCHEMA_DEFAULT,
  SLAP_OPTIONS,
  type SlapOptions,
  withFiles,
} from '../slap/options.ts';
import { cleanupSlap, prepareSlap } from '../slap/prepare.ts';
import { autoForm, formsOf } from '../slap/queries.ts';
import { ownTerms } from '../slap/results.ts';
import { roundsOf } from '../slap/rounds.ts';
import { openSlapSession } from '../slap/session.ts';
import { tableNeed } from '../slap/table.ts';
import { defineWorkload, type Needs, type Work } from '../workload.ts';

export default defineWorkload({
  summary: 'The load of mysqlslap, under its options: rounds of equal queries, each on data of its own.',
  details: [
    'run makes a database, fills it, lets every client run its share of the queries, and drops the database; so for ' +
      'each of --engine, each of --concurrency and each of --iterations. Every round is a run with a record of its own. ' +
      'A database that somebody else has made is not dropped unless --drop-existing says so.',
    'A query that fails ends the run with exit code 3; deadlocks and the other --mysql-ignore-errors are tried again. ' +
      'Every client goes through the list of queries in the same order, and all are sent as text.',
    'Times are given without connecting, and with it as mysqlslap takes them; the time of disconnecting, which is in ' +
      "those of mysqlslap too, is not taken. --csv has mysqlslap's columns and its kind of time; for queries of your " +
      'own its load type is query.',
    "Values and keys follow from --rand-seed; only the UUIDs that an INSERT of the load makes are the server's own.",
  ],
  options: SLAP_OPTIONS,
  // All is sent as text, and keys are drawn evenly, whatever these say.
  defaults: { mysql_db: SCHEMA_DEFAULT, db_ps_mode: 'disable', rand_type: 'uniform' },
  readFiles: withFiles,
  validate: problemsOf,
  needs: (options) => (isAuto(options) ? needsOfTable(options) : needsOfOwn(options)),
  work: workOf,
  rounds: roundsOf,
  prepare: prepareSlap,
  cleanup: cleanupSlap,
  ownTerms,
  session: openSlapSession,
});

/** Of one round, which has a single number of clients; of several that with the most. */
function workOf(options: SlapOptions): Work {
  if (options.concurrency.length === 0) return { eventsPerThread: eventsPerClient(options, 1) };
  const threads = Math.max(...clientsOf(options, 1));
  return { eventsPerThread: eventsPerClient(options, threads), threads };
}

function needsOfTable(options: SlapOptions): Needs {
  return {
    statementsPerSession: 0,
    writes: !['key', 'read'].includes(options.auto_generate_sql_load_type),
    tables: [tableNeed(options)],
    probes: [autoForm(options, 0), autoForm(options, 1)].map(({ sql }) => sql),
  };
}

/** Whether the user's own queries work is for the run to show: it fails with the query that does not. */
function needsOfOwn(options: SlapOptions): Needs {
  return {
    statementsPerSession: 0,
    writes: formsOf(options).some(({ kind }) => kind !== 'read'),
    tables: [],
  };
}
