/** atis: the whole of test-ATIS, from sql-bench: 28 tables made, filled, asked 44 queries, and dropped. */
import { checkAtis, cleanupAtis, FILLING_BYTES_MAX, inspectAtis, prepareAtis, tableNeeds } from '../atis/maintain.ts';
import { ATIS_OPTIONS } from '../atis/options.ts';
import { ownTermsOf } from '../atis/own-terms.ts';
import { partsOf } from '../atis/parts.ts';
import { queriesOf, SELECT_GROUPS } from '../atis/queries.ts';
import { openAtisSession } from '../atis/session.ts';
import { defineWorkload } from '../workload.ts';

export default defineWorkload({
  summary: 'The whole of test-ATIS: 28 small tables made, filled, asked 44 queries in five groups, and dropped.',
  details: [
    "One run does it all, in test-ATIS's order: create_table (28), insert (9768 rows, each committed by itself), five " +
      'groups of queries, each --loop-count times, and drop_table (28). It ends when all is done. The rows of every ' +
      'result are counted, in every loop: a wrong count makes the run invalid. test-ATIS looks at the last of its loops.',
    'Tables of these names are dropped first where they have the columns of atis; where one has others, nothing is ' +
      'touched and the run is refused. To run the queries alone, on several --threads if wanted: prepare, then run with ' +
      '--skip-create and --skip-delete, then cleanup.',
    'The rows are made by us, with names that depend on the seed, and give the row counts of the original files. With ' +
      '--data-dir=DIR the original files are loaded. A transaction is one table made, one row put in, or one loop over ' +
      'a group of queries. Queries are prepared once and sent as such; test-ATIS sends text: --db-ps-mode=disable.',
  ],
  options: ATIS_OPTIONS,
  defaults: { mysql_db: 'test' },
  needs: (options) => ({
    statementsPerSession: SELECT_GROUPS.flatMap((group) => queriesOf(group, options.if_query)).length,
    writes: !options.skip_create || !options.skip_delete,
    tables: options.skip_create ? tableNeeds() : [],
    probes: options.skip_create
      ? SELECT_GROUPS.flatMap((group) => queriesOf(group, options.if_query)).map(({ sql }) => sql)
      : [],
    statementBytesMax: FILLING_BYTES_MAX,
  }),
  inspect: inspectAtis,
  work: (options) => ({
    sequence: partsOf(options).map(({ name, events, isAlone }) => ({ transaction: name, events, isAlone })),
  }),
  prepare: prepareAtis,
  cleanup: cleanupAtis,
  check: checkAtis,
  ownTerms: ownTermsOf,
  session: openAtisSession,
});
