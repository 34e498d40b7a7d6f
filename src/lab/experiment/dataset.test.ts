/** Which variants can share their data. */
import { describe, expect, test } from 'vitest';
import { stageRequest, type TestExperiment } from '../../../test/support/stage.ts';
import type { Variant } from '../../model/experiment.ts';
import { datasetOf } from './dataset.ts';

const BINARY = { path: '/usr/sbin/mysqld', flavor: 'mysql', version: '8.4.3' } as const;

async function keyOf(variant: Partial<Variant>, experiment: Partial<TestExperiment> = {}, binary: object = {}) {
  const { variants } = await stageRequest({
    storeDirectory: '',
    ...experiment,
    variants: [{ name: 'a', ...variant }],
  });
  const [resolved] = variants;
  if (resolved === undefined) throw new Error('one variant');
  return datasetOf(resolved, { ...BINARY, ...binary }, variant.settings ?? {}).key;
}

describe('beside a variant that changes nothing', () => {
  test.each<{ variant: Partial<Variant>; shares: boolean; because: string }>([
    { variant: { workload: { range_selects: false } }, shares: true, because: 'it is a matter of the run' },
    { variant: { workload: { table_size: 501 } }, shares: false, because: 'there are more rows' },
    { variant: { settings: { innodb_buffer_pool_size: '1G' } }, shares: true, because: 'it shapes no file' },
    { variant: { settings: { 'innodb-page-size': '4K' } }, shares: false, because: 'all pages have another size' },
    { variant: { settings: { innodb_compression_level: '1' } }, shares: false, because: 'tables are packed otherwise' },
    { variant: { engine: 'InnoDB' }, shares: true, because: 'that is the engine anyway' },
    { variant: { engine: 'MyISAM' }, shares: false, because: 'it has files of its own' },
    { variant: { connect: 'tcp' }, shares: true, because: 'the way to the server is no data' },
  ])('$variant: $shares, since $because', async ({ variant, shares }) => {
    expect((await keyOf(variant)) === (await keyOf({}))).toBe(shares);
  });

  test('another version of the server has its own', async () => {
    expect(await keyOf({}, {}, { version: '8.4.4' })).not.toBe(await keyOf({}));
  });
});

test('where a workload says nothing of its options, all of them count', async () => {
  const script = { workload: 'bulk_insert', workloadOptions: {} };
  expect(await keyOf({ workload: { rows_per_insert: 5 } }, script)).not.toBe(await keyOf({}, script));
});

test('an engine is refused where the workload makes no table by it', async () => {
  await expect(keyOf({ engine: 'Aria' }, { workload: 'quiz', workloadOptions: {} })).rejects.toThrow(
    /'a' asks for the storage engine Aria, and quiz has no option/,
  );
});
