import { expect, test } from 'vitest';
import { PartWatch } from './part-watch.ts';

/** CPU seconds and fsyncs, one of each for every look. */
function watchOf(looks: readonly { readonly cpuS?: number; readonly fsyncs?: number }[]): PartWatch {
  const cpu = looks.values();
  const status = looks.values();
  return new PartWatch({
    process: { cpuS: () => cpu.next().value?.cpuS },
    status: async () => {
      const fsyncs = status.next().value?.fsyncs;
      return fsyncs === undefined ? undefined : new Map([['Innodb_data_fsyncs', fsyncs]]);
    },
  });
}

test('a part costs what has come between its beginning and the next', async () => {
  const watch = watchOf([
    { cpuS: 1.25, fsyncs: 10 },
    { cpuS: 1.55, fsyncs: 110 },
    { cpuS: 1.6, fsyncs: 110 },
  ]);
  watch.onPart('insert');
  watch.onPart('select');
  await watch.finish();
  expect(await watch.costs()).toEqual([
    { part: 'insert', elapsedS: expect.any(Number), cpuS: 0.3, clientCpuS: expect.any(Number), fsyncs: 100 },
    { part: 'select', elapsedS: expect.any(Number), cpuS: 0.05, clientCpuS: expect.any(Number), fsyncs: 0 },
  ]);
});

test('what cannot be told is left out', async () => {
  const watch = watchOf([{ cpuS: 1, fsyncs: 4 }, {}]);
  watch.onPart('insert');
  await watch.finish();
  expect(await watch.costs()).toEqual([
    { part: 'insert', elapsedS: expect.any(Number), clientCpuS: expect.any(Number) },
  ]);
});

test('a part whose end was not seen has no cost', async () => {
  const watch = watchOf([
    { cpuS: 1, fsyncs: 4 },
    { cpuS: 2, fsyncs: 5 },
  ]);
  watch.onPart('create_table');
  watch.onPart('insert');
  expect((await watch.costs()).map(({ part }) => part)).toEqual(['create_table']);
});
