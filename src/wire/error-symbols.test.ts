import { expect, test } from 'vitest';
import { symbolOf } from './error-symbols.ts';

test.each([
  { code: 1205, flavor: 'mysql', symbol: 'ER_LOCK_WAIT_TIMEOUT', because: 'shared by both' },
  { code: 1213, flavor: 'mariadb', symbol: 'ER_LOCK_DEADLOCK', because: 'shared by both' },
  {
    code: 4031,
    flavor: 'mysql',
    symbol: 'ER_CLIENT_INTERACTION_TIMEOUT',
    because: 'why MySQL 8 closes idle connections',
  },
  { code: 1927, flavor: 'mariadb', symbol: 'ER_CONNECTION_KILLED', because: 'MariaDB alone has it' },
  { code: 1969, flavor: 'mariadb', symbol: 'ER_STATEMENT_TIMEOUT', because: 'max_statement_time' },
  { code: 3024, flavor: 'mysql', symbol: 'ER_QUERY_TIMEOUT', because: 'max_execution_time' },
  { code: 1072, flavor: 'mariadb', symbol: 'ER_KEY_COLUMN_DOES_NOT_EXIST', because: 'spelled differently' },
  {
    code: 1072,
    flavor: 'mysql',
    symbol: 'ER_KEY_COLUMN_DOES_NOT_EXITS',
    because: 'spelled so in MySQL, mistake and all',
  },
  { code: 9999, flavor: 'mysql', symbol: 'ER_9999', because: 'not in the tables' },
] as const)('$code of $flavor is $symbol: $because', ({ code, flavor, symbol }) => {
  expect(symbolOf(code, flavor)).toBe(symbol);
});
