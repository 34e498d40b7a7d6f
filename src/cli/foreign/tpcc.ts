/** `./tpcc.lua --scale=10 --tables=1 … run` of sysbench-tpcc: the workload tpcc with the profile of that name. */
import { flag, type OptionsSchema, text } from '../../base/options.ts';
import { type GivenOption, type Problem, splitWords } from '../../base/options-parse.ts';
import { DEFAULTS_OF_TPCC_LUA, TPCC_OPTIONS } from '../../workload/tpcc/options.ts';
import { ProblemsError } from '../problems.ts';
import { COMMON_OPTIONS } from '../workload-line.ts';

const ITS_OPTIONS = {
  report_csv: flag({ default: false, help: 'report_csv' }),
  pgsql_schema: text({ default: 'public', help: 'pgsql_schema' }),
} satisfies OptionsSchema;

const ITS_SCHEMA: OptionsSchema = { ...COMMON_OPTIONS, ...TPCC_OPTIONS, ...ITS_OPTIONS };

export function translate(args: readonly string[]): readonly string[] {
  const { options, words, problems } = splitWords(args, ITS_SCHEMA);
  const refusals = [...problems, ...options.flatMap(refusalOf)];
  if (refusals.length > 0) throw new ProblemsError(refusals);
  const given = new Set(options.map(({ name }) => name));
  const defaults = Object.entries(DEFAULTS_OF_TPCC_LUA).filter(([name]) => !given.has(name));
  return [
    'tpcc',
    ...defaults.map(([name, value]) => `--${name}=${value}`),
    ...options.filter(({ name }) => !Object.hasOwn(ITS_OPTIONS, name)).map(spelled),
    ...words,
  ];
}

function spelled({ written, value }: GivenOption): string {
  return value === undefined ? written : `${written}=${value}`;
}

const NO = ['no', 'off', 'false', '0'];

function refusalOf({ name, value }: GivenOption): Problem[] {
  if (name === 'report_csv' && !(value !== undefined && NO.includes(value.toLowerCase()))) {
    return [
      {
        is: '--report-csv: the lines of the intervals are always as sysbench prints them.',
        remedy: 'Leave it out: sqldyno runs show ID --format=csv prints the run as CSV, --json has every interval.',
      },
    ];
  }
  if (name === 'pgsql_schema' && value !== 'public') {
    return [
      {
        is: '--pgsql-schema: sqldyno loads servers of the MySQL family only.',
        remedy: 'Leave it out; the database is --mysql-db=NAME.',
      },
    ];
  }
  return [];
}
