/**
 * Options of sysbench that mean nothing here. They are accepted, so that a line written for sysbench works, and each
 * says what it does instead; the few that would change what is measured are refused.
 */
import { flag, integer, text } from '../base/options.ts';
import type { Problem } from '../base/options-parse.ts';
import { shownName } from '../base/options-parse.ts';

const help = 'accepted for sysbench command lines';

export const SYSBENCH_OPTIONS = {
  db_driver: text({ default: 'mysql', help }),
  db_debug: flag({ default: false, help }),
  debug: flag({ default: false, help }),
  verbosity: integer({ default: 3, min: 0, max: 5, help }),
  thread_stack_size: text({ default: '64K', help }),
  luajit_cmd: text({ default: '', help }),
  mysql_debug: flag({ default: false, help }),
  mysql_dry_run: flag({ default: false, help }),
  mysql_compression: flag({ default: false, help }),
  mysql_compression_algorithms: text({ default: '', help }),
  mysql_ssl_cipher: text({ default: '', help }),
  pgsql_host: text({ default: 'localhost', help }),
  pgsql_port: integer({ default: 5432, help }),
  pgsql_user: text({ default: 'sbtest', help }),
  pgsql_password: text({ default: '', secret: true, help }),
  pgsql_db: text({ default: 'sbtest', help }),
  pgsql_sslmode: text({ default: 'prefer', help }),
} as const;

type Name = keyof typeof SYSBENCH_OPTIONS;

const WHY_IGNORED: Partial<Record<Name, string>> = {
  db_debug: 'statements are counted by name in every report',
  debug: 'every report has the details',
  verbosity: 'what is printed does not depend on it',
  thread_stack_size: 'connections have no thread of their own here',
  luajit_cmd: 'there is no Lua here',
  mysql_debug: 'there is no client library to trace',
  mysql_ssl_cipher: 'the cipher is agreed on with the server; see --tls-version-min',
};

export function judgeSysbenchOptions(
  values: Readonly<Record<string, unknown>>,
  given: ReadonlySet<string>,
): { notes: string[]; problems: Problem[] } {
  const notes: string[] = [];
  const problems: Problem[] = [];
  for (const name of Object.keys(SYSBENCH_OPTIONS) as Name[]) {
    if (!given.has(name)) continue;
    const problem = refusal(name, values[name]);
    if (problem !== undefined) problems.push(problem);
    else if (name.startsWith('pgsql_')) notes.push(`${shownName(name)} has no effect: the server is not PostgreSQL.`);
    else if (WHY_IGNORED[name] !== undefined) notes.push(`${shownName(name)} has no effect: ${WHY_IGNORED[name]}.`);
  }
  return { notes, problems };
}

function refusal(name: Name, value: unknown): Problem | undefined {
  switch (name) {
    case 'db_driver':
      if (value === 'mysql') return undefined;
      return {
        is: `--db-driver=${value}: sqldyno loads servers of the MySQL family only.`,
        remedy: 'Leave --db-driver out.',
      };
    case 'mysql_dry_run':
      if (value === false) return undefined;
      return { is: '--mysql-dry-run: a load without a server measures nothing.', remedy: 'Leave it out.' };
    case 'mysql_compression':
    case 'mysql_compression_algorithms':
      if (value === false || value === '' || value === 'uncompressed') return undefined;
      return {
        is: `${shownName(name)}: the compressed protocol is not supported, and without it the run would measure something else.`,
        remedy: 'Leave it out.',
      };
    default:
      return undefined;
  }
}
