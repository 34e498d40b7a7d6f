/** The text report of an audit against golden files, and what every report keeps. */
import { expect, test } from 'vitest';
import { auditText } from '../src/audit/audit.ts';
import { AUDIT_FORMAT } from '../src/model/audit.ts';
import { auditSchema } from '../src/model/audit-schema.ts';
import { auditReportText } from '../src/report/audit-text.ts';
import { foreignOutput, foreignOutputNames } from './support/foreign-output.ts';
import { golden } from './support/golden.ts';

test.each([
  { name: 'four-volumes.txt', file: 'audit-four-volumes.txt' },
  { name: 'pool-before-after.txt', file: 'audit-pool.txt' },
  { name: 'sysbench-1.0-histogram.txt', file: 'audit-honest.txt' },
  { name: 'iostat.txt', file: 'audit-nothing.txt' },
])('$name reads as in $file', async ({ name, file }) => {
  await expect(auditReportText(await auditText(foreignOutput(name), name))).toMatchFileSnapshot(golden(file));
});

test.each(foreignOutputNames())('%s: 80 columns, the verdict first, and a record by the schema', async (name) => {
  const report = await auditText(foreignOutput(name), name);
  expect(auditSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
  const text = auditReportText(report);
  for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
  expect(text.replaceAll(/\s+/g, ' ').startsWith(report.verdict)).toBe(true);
});

test('of very many results and cells only some are shown, and that is said', () => {
  const cells = Array.from({ length: 20 }, (_, at) => ({ label: 'sum', line: at + 1, written: '12003.15' }));
  const results = Array.from({ length: 40 }, (_, at) => ({
    name: `lines ${at} to ${at}`,
    tool: 'sysbench',
    firstLine: at,
    lastLine: at,
    figures: 3,
  }));
  const checks = results.map(({ name }) => ({
    rule: 'R1',
    outcome: 'passes' as const,
    of: name,
    is: 'Fine.',
    arithmetic: [],
    cells,
  }));
  const text = auditReportText({
    format: AUDIT_FORMAT,
    source: '-',
    verdict: 'Nothing.',
    results,
    rules: [{ id: 'R1', title: 'sums' }],
    checks: [...checks, { rule: 'R1', outcome: 'fails', of: 'the text', is: 'Not fine.', arithmetic: [], cells }],
    notes: [],
  });
  expect(text).toContain('and 28 more');
  expect(text.replaceAll(/\s+/g, ' ')).toContain('and 12 more');
  expect(text.split('\n').length).toBeLessThan(60);
});
