import { describe, expect, test } from 'vitest';
import { ServerError } from '../wire/errors.ts';
import type { ResultSet, SqlValue } from '../wire/types.ts';
import { readReplica, replicaStateOf } from './replica.ts';

function result(rows: readonly Readonly<Record<string, SqlValue>>[]): ResultSet {
  const names = Object.keys(rows[0] ?? { Slave_IO_State: '' });
  return {
    columns: names.map((name) => ({ name })),
    rows: rows.map((row) => names.map((name) => row[name] ?? null)),
  } as unknown as ResultSet;
}

describe('the state of a replica', () => {
  test.each([
    {
      of: 'MySQL',
      rows: [{ Replica_IO_Running: 'Yes', Replica_SQL_Running: 'Yes', Seconds_Behind_Source: 4 }],
      is: { sources: 1, isReceiving: true, isApplying: true, secondsBehind: 4 },
    },
    {
      of: 'older words, as bytes',
      rows: [
        { Slave_IO_Running: Buffer.from('Yes'), Slave_SQL_Running: Buffer.from('Yes'), Seconds_Behind_Master: '0' },
      ],
      is: { sources: 1, isReceiving: true, isApplying: true, secondsBehind: 0 },
    },
    {
      of: 'several sources: the worst',
      rows: [
        { Slave_IO_Running: 'Yes', Slave_SQL_Running: 'Yes', Seconds_Behind_Master: 2 },
        { Slave_IO_Running: 'Connecting', Slave_SQL_Running: 'Yes', Seconds_Behind_Master: 90 },
      ],
      is: { sources: 2, isReceiving: false, isApplying: true, secondsBehind: 90 },
    },
    {
      of: 'one that is stopped, which does not know its delay',
      rows: [{ Slave_IO_Running: 'No', Slave_SQL_Running: 'No', Seconds_Behind_Master: null }],
      is: { sources: 1, isReceiving: false, isApplying: false },
    },
  ])('$of', ({ rows, is }) => {
    expect(replicaStateOf(result(rows))).toEqual(is);
  });

  test('a server without a row is none', () => {
    expect(replicaStateOf(result([]))).toBeUndefined();
  });
});

describe('the words of the question', () => {
  const error = (code: number) => new ServerError({ code, sqlState: '42000', symbol: 'ER', message: 'no' });

  test('an older MySQL is asked with the older ones', async () => {
    const asked: string[] = [];
    const ask = async (sql: string) => {
      asked.push(sql);
      if (sql.includes('REPLICA')) throw error(1064);
      return result([]);
    };
    expect(await readReplica(ask, 'mysql')).toBeUndefined();
    expect(asked).toEqual(['SHOW REPLICA STATUS', 'SHOW SLAVE STATUS']);
  });

  test.each([
    { flavor: 'mysql', code: 1227 },
    { flavor: 'mariadb', code: 1064 },
  ] as const)('what $flavor refuses with $code is refused', async ({ flavor, code }) => {
    const ask = () => Promise.reject(error(code));
    await expect(readReplica(ask, flavor)).rejects.toMatchObject({ code });
  });
});
