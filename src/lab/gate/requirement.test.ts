import { describe, expect, test } from 'vitest';
import { parseRequirement, parseThresholds } from './requirement.ts';

test.each([
  { written: 'p99(transaction) < 20ms', is: 'p99(transaction) < 20 ms', limit: 20, unit: 'ms' },
  { written: 'p99<0.02s', is: 'p99(transaction) < 0.02 s', limit: 20, unit: 'ms' },
  { written: 'mean(commit)<=900us', is: 'mean(commit) <= 900 us', limit: 0.9, unit: 'ms' },
  { written: ' errors == 0 ', is: 'errors == 0', limit: 0, unit: 'count' },
  { written: 'errors(1213) != 3', is: 'errors(1213) != 3', limit: 3, unit: 'count' },
  { written: 'cpuUsPerStatement < 30', is: 'cpuUsPerStatement < 30', limit: 30, unit: 'us' },
  { written: 'cpuUsPerStatement < 0.03ms', is: 'cpuUsPerStatement < 0.03 ms', limit: 30, unit: 'us' },
  { written: 'transactions/s >= 1.5k', is: 'transactions/s >= 1.5 k', limit: 1_500, unit: '1/s' },
  { written: 'transactions > 2M', is: 'transactions > 2 M', limit: 2_000_000, unit: 'count' },
  { written: 'errorShare < 0.7%', is: 'errorShare < 0.7 %', limit: 0.007, unit: 'ratio' },
  { written: 'errorShare < 0.01', is: 'errorShare < 0.01', limit: 0.01, unit: 'ratio' },
  { written: 'disk.data_disk.read_await_ms < 5', is: 'disk.data_disk.read_await_ms < 5', limit: 5, unit: 'ms' },
])('$written', ({ written, is, limit, unit }) => {
  expect(parseRequirement(written)).toMatchObject({ is, limit, unit });
});

test.each([
  { written: 'errros == 0', says: /'errros' is no metric/, hint: /Did you mean errors\?/ },
  { written: 'tps > 100', says: /'tps' is no metric/, hint: /Did you mean transactions\/s\?/ },
  { written: 'errors = 0', says: /'=' is no comparison/, hint: /Did you mean '=='\?/ },
  { written: 'errors =< 0', says: /'=<' is no comparison/, hint: /There are: </ },
  { written: 'errors', says: /is no requirement/, hint: /Write it like/ },
  { written: 'errors == none', says: /is no requirement/, hint: /Write it like/ },
  { written: 'p99 < 20', says: /the number has no unit/, hint: /us, ms and s/ },
  { written: 'p99 < 20 min', says: /'min' is no unit/, hint: /us, ms and s/ },
  { written: 'p99 < 20%', says: /'%' is no unit/, hint: /us, ms and s/ },
  { written: 'errors < 5ms', says: /'ms' is no unit of errors/, hint: /k and M/ },
  { written: 'errors < 5%', says: /'%' is no unit of errors/, hint: /k and M/ },
  { written: 'errorShare < 5k', says: /'k' is no unit of errorShare/, hint: /%/ },
  { written: 'errors < 5toString', says: /is no unit/, hint: /k and M/ },
])('$written is refused', ({ written, says, hint }) => {
  expect(() => parseRequirement(written)).toThrow(says);
  expect(() => parseRequirement(written)).toThrow(
    expect.objectContaining({ name: 'UserError', exitCode: 1, hint: expect.stringMatching(hint) }),
  );
});

describe('a file of thresholds', () => {
  test('has one a line, and comments', () => {
    const text = '# nightly\r\n\r\np99 < 20ms   # what users feel\nerrors == 0\n';
    expect(parseThresholds(text, 'x').map(({ is }) => is)).toEqual(['p99(transaction) < 20 ms', 'errors == 0']);
  });

  test('says which line is wrong', () => {
    expect(() => parseThresholds('errors == 0\nerrros == 0', 'limits.txt')).toThrow(/limits\.txt, line 2: 'errros'/);
  });
});
