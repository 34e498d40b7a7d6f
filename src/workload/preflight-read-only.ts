/** Would the server take writes of this user? */
import type { Connection } from '../wire/types.ts';
import { asText, readRows, readVariables } from './sql.ts';
import type { TargetProblem } from './workload.ts';

/** Privileges that write to a server with read_only: MySQL's and MariaDB's, old and new. */
const BYPASS = /\b(?:CONNECTION_ADMIN|READ[_ ]ONLY ADMIN|SUPER|ALL PRIVILEGES)\b/;

export async function readOnlyProblems(connection: Connection): Promise<TargetProblem[]> {
  const variables = await readVariables(connection, ['read_only', 'super_read_only', 'innodb_read_only']);
  const isSet = (name: string) => !/^(?:off|0|)$/i.test(variables.get(name) ?? '');
  if (isSet('innodb_read_only')) {
    return [
      problem('innodb_read_only is set: InnoDB takes no writes.', 'Restart the server without innodb_read_only.'),
    ];
  }
  // MariaDB 12 can shut out administrators too, as super_read_only does in MySQL.
  const isForAll = isSet('super_read_only') || /ADMIN/i.test(variables.get('read_only') ?? '');
  if (!isForAll && !isSet('read_only')) return [];
  if (!isForAll && (await mayBypass(connection))) return [];
  const variable = isSet('super_read_only') ? 'super_read_only' : 'read_only';
  return [
    problem(
      `The server is read-only (${variable}): is it a replica?`,
      `Use the primary server; or, if this is meant to take writes: SET GLOBAL ${variable} = OFF;`,
    ),
  ];
}

function problem(is: string, remedy: string): TargetProblem {
  return { id: 'read-only', severity: 'stop', is, remedy };
}

async function mayBypass(connection: Connection): Promise<boolean> {
  const grants = await readRows(connection, 'SHOW GRANTS FOR CURRENT_USER()');
  return grants.map(([grant]) => asText(grant)).some((grant) => grant.includes(' ON *.* ') && BYPASS.test(grant));
}
