import { expect, test } from 'vitest';
import { defaultsOf } from '../../base/options.ts';
import { problemsOfOptions, TPCC_OPTIONS, type TpccOptions } from './options.ts';

function problems(options: Partial<TpccOptions>): string[] {
  return problemsOfOptions({ ...defaultsOf(TPCC_OPTIONS), ...options } as TpccOptions);
}

test.each(['innodb', 'InnoDB', 'rocksdb', 'ndbcluster', 'tokudb'])('%s is taken', (engine) => {
  expect(problems({ mysql_storage_engine: engine })).toEqual([]);
});

test.each(['myisam', 'MyISAM', 'Aria', 'MEMORY', 'blackhole'])('%s is refused: it has no transactions', (engine) => {
  expect(problems({ mysql_storage_engine: engine })).toEqual([
    expect.stringMatching(new RegExp(`^${engine} has no transactions, .* Try innodb\\.$`)),
  ]);
});

test('what is no name is refused as such', () => {
  expect(problems({ mysql_storage_engine: 'innodb; DROP' })).toEqual([expect.stringMatching(/is not the name/)]);
});
