/** The options of atis: test-ATIS's own, by its names. */
import { flag, integer, text, type ValuesOf } from '../../base/options.ts';

/** Of MySQL 5.x; the script in MariaDB's sources has 5,000. */
const LOOP_COUNT_DEFAULT = 100;
const LOOP_COUNT_MAX = 1_000_000;
/** What --small-test divides by. */
const SMALL_DIVISOR = 10;

export const ATIS_OPTIONS = {
  loop_count: integer({
    default: LOOP_COUNT_DEFAULT,
    min: 1,
    max: LOOP_COUNT_MAX,
    help: 'how often the queries of each group are run',
  }),
  small_test: flag({ default: false, help: 'a tenth of the loops' }),
  fast: flag({ default: false, help: 'load each table with one INSERT, then OPTIMIZE TABLE all' }),
  create_options: text({
    default: '',
    placeholder: 'SQL',
    help: 'put behind every CREATE TABLE: ENGINE=InnoDB',
  }),
  skip_create: flag({ default: false, help: 'no tables are made or filled by run: prepare has done it' }),
  skip_delete: flag({ default: false, help: 'the tables stay when run is over' }),
  data_dir: text({
    default: '',
    placeholder: 'DIR',
    help: 'the original files, Data/ATIS of sql-bench; without it, rows of our own are made',
  }),
  if_query: flag({
    default: true,
    help: 'also the query with IF(), which test-ATIS lists but leaves out on MySQL: 44 queries instead of 43',
  }),
} as const;

export type AtisSchema = typeof ATIS_OPTIONS;
export type AtisOptions = ValuesOf<AtisSchema>;

export function loopsOf({ loop_count, small_test }: AtisOptions): number {
  return small_test ? Math.max(1, Math.floor(loop_count / SMALL_DIVISOR)) : loop_count;
}
