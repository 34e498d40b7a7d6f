/** What cards of machines, two of them, and the difference of two environments look like. */
import { describe, expect, test } from 'vitest';
import { environmentDiffText } from '../src/report/environment-diff-text.ts';
import { LINE_LENGTH } from '../src/report/layout.ts';
import { machineCardText } from '../src/report/machine-card-text.ts';
import { compareCards } from '../src/report/machine-compare.ts';
import { machineComparisonText } from '../src/report/machine-compare-text.ts';
import { environmentDiff, type RunOfDiff } from '../src/stats/environment-diff.ts';
import { figureOf, SAMPLE_CARDS } from './fixtures/sample-cards.ts';
import { closedRun } from './fixtures/sample-runs.ts';
import { golden } from './support/golden.ts';

const { board, server } = SAMPLE_CARDS;

function runOf(id: string, environment?: RunOfDiff['environment']): RunOfDiff {
  const { target, host } = closedRun();
  return environment === undefined ? { id, target, host } : { id, target, host, environment };
}

const one = runOf('20261130-163512-oltp_read_write-k3f9', {
  server: {
    flavor: 'mariadb',
    version: '10.11.6',
    'set.innodb_buffer_pool_size': '134217728',
    'set-at-runtime.max_connections': '300',
    'set.sql_mode': 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_CREATE_USER,NO_ENGINE_SUBSTITUTION',
    'set.socket': '/run/a.sock',
  },
  host: { hostname: 'a', bootId: 'x', 'cpu.model': 'M', 'memory.totalBytes': 2 ** 32, 'cpu.flag.npt': true },
  client: { hostname: 'c', 'cpu.model': 'C' },
  roundTripUs: { p50: 62, p99: 120 },
});
const other = runOf('20261130-170001-oltp_read_write-x2a7', {
  server: {
    flavor: 'mariadb',
    version: '11.4.2',
    'set.innodb_buffer_pool_size': '268435456',
    'set.max_connections': '4100',
    'set.sql_mode': 'STRICT_TRANS_TABLES',
    'set.socket': '/run/b.sock',
  },
  host: { hostname: 'b', bootId: 'y', 'cpu.model': 'M', 'memory.totalBytes': 2 ** 33, 'disk.model': 'SSD' },
  client: { hostname: 'c', 'cpu.model': 'C' },
  roundTripUs: { p50: 310, p99: 1_250 },
});

test('figures that scatter are a finding, too, and those that do not are none', () => {
  const findings = (repeats: readonly [number, number, number]) => {
    const figures = [figureOf('cpu.one_thread', repeats), figureOf('cpu.all_threads', [100, 101, 102])];
    return machineCardText({ ...board, figures, latencies: {}, findings: [] })
      .split('\n\n')
      .at(-1);
  };
  expect(findings([60, 100, 140])).toMatch(/^Findings:\n +WARNING {2}1 of 2 figures cannot be trusted much/);
  expect(findings([99, 100, 101])).toBe('Findings: none\n');
});

const TEXTS = {
  'machine-card': machineCardText(board),
  'machine-card-interrupted': machineCardText(SAMPLE_CARDS.interrupted),
  'machine-compare': machineComparisonText(compareCards(board, server)),
  'environment-diff': environmentDiffText(environmentDiff(one, other)),
  'environment-diff-without': environmentDiffText(environmentDiff(one, runOf('20260101-000000-quiz-aaaa'))),
};

describe.each(Object.entries(TEXTS))('%s', (name, text) => {
  test('equals its golden file', async () => {
    await expect(text).toMatchFileSnapshot(golden(`${name}.txt`));
  });

  test('fits a terminal, but for words that nobody may break, and prints no value that is none', () => {
    const long = text.split('\n').filter(({ length }) => length > LINE_LENGTH);
    expect(
      long.filter((line) =>
        line
          .trim()
          .replace(/^[AB]: /, '')
          .includes(' '),
      ),
    ).toEqual([]);
    expect(text).not.toMatch(/NaN|Infinity|undefined|\[object/);
  });
});
