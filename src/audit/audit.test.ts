import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foreignOutput, foreignOutputNames } from '../../test/support/foreign-output.ts';
import type { AuditCheck, AuditOutcome, AuditReport } from '../model/audit.ts';
import { auditText } from './audit.ts';

/** The rules with this outcome, of one result or of all. */
function rulesWith({ checks }: AuditReport, outcome: AuditOutcome, of?: string): string[] {
  const own = checks.filter((check) => check.outcome === outcome && (of === undefined || check.of === of));
  return [...new Set(own.map(({ rule }) => rule))];
}

function checksOf({ checks }: AuditReport, rule: string, of?: string): AuditCheck[] {
  return checks.filter((check) => check.rule === rule && (of === undefined || check.of === of));
}

const R1_TO_R8 = ['R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'R7', 'R8'];

describe('two columns and four volumes, with the numbers of a published paper', async () => {
  const report = await auditText(foreignOutput('four-volumes.txt'), 'four-volumes.txt');

  test.each(['Table 4, Default', 'Table 4, Tuned'])('%s is sound in itself', (of) => {
    expect(rulesWith(report, 'passes', of)).toEqual(expect.arrayContaining(R1_TO_R8));
  });

  test.each(['Table 6, gp3', 'Table 6, io1', 'Table 6, io2'])('%s too, as far as it goes', (of) => {
    expect(rulesWith(report, 'passes', of)).toEqual(expect.arrayContaining(['R1', 'R2', 'R3', 'R5', 'R6', 'R7', 'R8']));
    expect(checksOf(report, 'R4', of)).toMatchObject([{ outcome: 'cannot tell' }]);
  });

  test('of the rules about figures alone, gp2 fails just these', () => {
    const failed = rulesWith(report, 'fails', 'Table 6, gp2').filter((rule) => Number(rule.slice(1)) <= 11);
    expect(failed).toEqual(['R2', 'R3', 'R5', 'R8', 'R9', 'R10']);
  });

  test.each([
    {
      rule: 'R2',
      line: '17511928 / 12508520 = 1.4000 reads a transaction',
      cell: { label: 'read queries', column: 'gp2' },
    },
    {
      rule: 'R3',
      line: '12508520 / 3470.37 = 3604.38 s; 250170400 / 69470.43 = 3601.11 s: not the same time',
      cell: { written: '69470.43' },
    },
    {
      rule: 'R5',
      line: '294.65 x 12508520 = 3685635418 ms, and the sum is 3687074024 ms: 294.765 on average',
      cell: { label: 'sum' },
    },
    {
      rule: 'R8',
      line: '928.15 is none of its steps: the next are 926.33 and 943.16',
      cell: { label: '95th percentile', column: 'gp2' },
    },
    { rule: 'R9', line: '95885.04 (line 60, max) also stands in line 33', cell: { label: 'max', column: 'Default' } },
    {
      rule: 'R10',
      line: '294.65 (line 59, avg) is 2947.65 (line 32) without a 7',
      cell: { written: '2947.65', column: 'Default' },
    },
  ])('$rule shows its reckoning and names the cells', ({ rule, line, cell }) => {
    const [check] = checksOf(report, rule, 'Table 6, gp2');
    expect(check!.arithmetic).toContain(line);
    expect(check!.cells).toContainEqual(expect.objectContaining(cell));
    for (const { line: at } of check!.cells) expect(at).toBeGreaterThan(0);
  });

  test('seven figures are copies and six have a digit put in or left out', () => {
    expect(checksOf(report, 'R9').map(({ arithmetic }) => arithmetic.length)).toEqual([7]);
    expect(checksOf(report, 'R10').map(({ arithmetic }) => arithmetic.length)).toEqual([6]);
  });

  test('the printed command cannot have had the results', () => {
    const [check] = checksOf(report, 'R12', 'Table 4, Default');
    expect(check).toMatchObject({ outcome: 'fails' });
    expect(check!.arithmetic).toEqual([
      'the command asks for 0 reads a transaction; 17511928 / 1250852 = 14',
      'without --tables the command works on 1 table; line 1 says 100',
    ]);
  });

  test('and the server would have refused it', () => {
    const [check] = checksOf(report, 'R13', 'Table 4, Tuned');
    expect(check).toMatchObject({ outcome: 'fails' });
    expect(check!.arithmetic[0]).toMatch(/^1,024 connections .* > 151/);
    expect(check!.arithmetic[1]).toMatch(/^1,024 x 902 = 923,648 prepared statements for 100 tables/);
  });

  test.each([
    { rule: 'R14', of: 'Table 6, gp2', line: /3\.49 in the queue \/ 1\.1 ms = 3,173 operations a second/ },
    {
      rule: 'R14',
      of: 'Table 4, Tuned',
      line: /16 % are not in a pool of 193G.* 3\.7 pages .* = 16,\d{3} reads a second/,
    },
    { rule: 'R15', of: 'Table 6, gp2', line: /5,400,000 credits \/ \(3,000 - 1,500\) = 3,600 s/ },
    { rule: 'R17', of: 'the text', line: /134MB \(line 4\) is 128\.0 MiB/ },
    { rule: 'R11', of: 'Table 4, Tuned', line: /4\.843 \(min\) has 3 decimals; sysbench prints 2/ },
  ])('$rule of $of', ({ rule, of, line }) => {
    const [check] = checksOf(report, rule, of);
    expect(check).toMatchObject({ outcome: 'fails' });
    expect(check!.arithmetic.join('\n')).toMatch(line);
  });

  test('"approximately 12 times" is near enough to 12.77; "no difference" cannot be told from one run each', () => {
    const claims = checksOf(report, 'R16');
    expect(claims.map(({ outcome }) => outcome)).toEqual(['passes', 'cannot tell']);
    expect(claims[0]!.arithmetic).toEqual(['4434.57 / 347.37 = 12.77, and it says 12']);
    expect(claims[1]!.arithmetic).toEqual(['3470.37 (gp2) to 3733.12 (io1): +7.6 %']);
  });
});

test('one table without its text, as Markdown: what it says of itself is found out all the same', async () => {
  const report = await auditText(foreignOutput('four-volumes.md'), '-');
  expect(rulesWith(report, 'fails', 'Table 6, gp2')).toEqual(['R2', 'R3', 'R5', 'R8']);
});

describe('before and after a larger pool', async () => {
  const report = await auditText(foreignOutput('pool-before-after.txt'), '-');

  test('both runs are sound', () => {
    for (const { name } of report.results)
      expect(rulesWith(report, 'passes', name)).toEqual(expect.arrayContaining(R1_TO_R8));
  });

  test('what is said of them is not', () => {
    expect(rulesWith(report, 'fails')).toEqual(['R14', 'R16']);
    const lines = report.checks.filter(({ outcome }) => outcome === 'fails').flatMap(({ arithmetic }) => arithmetic);
    expect(lines).toEqual([
      expect.stringMatching(/^9G .* with 16 instances .* so that it has 10\.0 GiB$/),
      '27.31 ms is the average of a transaction of 12 queries: 2.28 ms each',
      'the 95th percentile is 13.95 ms (line 54)',
    ]);
  });
});

describe('a small server', async () => {
  const report = await auditText(foreignOutput('small-server.txt'), '-');

  test('the overrun, and the statements of connecting', () => {
    expect(rulesWith(report, 'fails')).toEqual(['R19', 'R20']);
    expect(checksOf(report, 'R19')[0]!.arithmetic[0]).toMatch(
      /^256 \/ 10\.95 = 23\.38 s, where 20 s were asked for: 16\.9 % more$/,
    );
    expect(checksOf(report, 'R20')[0]!.arithmetic[0]).toMatch(/^608 others - 2 x 256 = 96 = 32 threads x 3 at connect/);
  });

  test('what the average must have been, where it is not told', () => {
    expect(checksOf(report, 'R7')[0]!.arithmetic).toEqual(['32 / 10.95 = 2922.4 ms, which it must have been']);
  });

  test('a small gain of one run over one is undecided, with the least that chance alone makes of it', () => {
    expect(checksOf(report, 'R16')).toMatchObject([{ outcome: 'cannot tell' }]);
    expect(checksOf(report, 'R16')[0]!.arithmetic[1]).toMatch(/\+0\.8 % to \+12\.5 % \(95 %\)$/);
  });
});

test('a ranking: 51 to 32 is 1.59 times, and the fastest is not the fastest in every row', async () => {
  const report = await auditText(foreignOutput('ranking.txt'), '-');
  expect(checksOf(report, 'R16').map(({ outcome, arithmetic }) => [outcome, ...arithmetic])).toEqual([
    ['passes', 'the least of 10 rows is 13 s'],
    [
      'fails',
      'defaults: 23 s (line 10) against 22 s (line 6)',
      'trx_commit=2: 15 s (line 11) against 18 s (line 7)',
    ].map((line) => line.replace('defaults:', 'default:')),
    ['fails', '51 / 32 = 1.59 (1.55 to 1.63, as they are rounded), not 2'],
  ]);
});

describe('outputs as tools print them fail no rule', () => {
  const asPrinted = foreignOutputNames().filter((name) =>
    /^(?:sysbench|mysqlslap|pgbench|hammerdb|go-tpc|benchbase|test-atis|run-mysql)/.test(name),
  );
  test.each(asPrinted)('%s', async (name) => {
    const report = await auditText(foreignOutput(name), name);
    expect(report.results).not.toEqual([]);
    expect(report.checks.filter(({ outcome }) => outcome === 'fails')).toEqual([]);
  });
});

describe('one figure changed in an honest output is found by', () => {
  const COMMAND = 'sysbench oltp_read_write --tables=2 --table-size=2000 --threads=4 --time=3 run\n\n';
  const honest = COMMAND + foreignOutput('sysbench-1.0-histogram.txt');

  test.each<{ rule: string; from: string | RegExp; to: string; because: string }>([
    {
      rule: 'R1',
      from: 'write:                           16004',
      to: 'write:                           16014',
      because: 'a kind of ten more',
    },
    {
      rule: 'R1',
      from: 'total number of events:              4001',
      to: 'total number of events:              4011',
      because: 'other events than transactions',
    },
    {
      rule: 'R2',
      from: 'read:                            56014',
      to: 'read:                            57814',
      because: 'reads are no multiple',
    },
    { rule: 'R3', from: '(1330.58 per sec.)', to: '(1430.58 per sec.)', because: 'a rate of another time' },
    { rule: 'R4', from: '1000.2500/', to: '1002.5000/', because: 'another average' },
    {
      rule: 'R5',
      from: 'avg:                                    3.00',
      to: 'avg:                                    3.20',
      because: 'an average that its sum denies',
    },
    {
      rule: 'R6',
      from: 'sum:                                12003.15',
      to: 'sum:                                22003.15',
      because: 'more time than there was',
    },
    {
      rule: 'R7',
      from: 'Number of threads: 4',
      to: 'Number of threads: 8',
      because: 'only half of the threads were busy',
    },
    { rule: 'R8', from: '5.09\n', to: '5.12\n', because: 'between two steps' },
    {
      rule: 'R11',
      from: 'max:                                    8.87',
      to: 'max:                                    8.8',
      because: 'a digit is lost',
    },
    { rule: 'R12', from: '--threads=4', to: '--threads=8', because: 'the command has other threads' },
    { rule: 'R12', from: 'oltp_read_write', to: 'oltp_read_only', because: 'the command writes nothing' },
    { rule: 'R12', from: '--time=3 ', to: '--time=30 ', because: 'it ended too early' },
    { rule: 'R13', from: '--tables=2', to: '--tables=900', because: '4 x 8,102 prepared statements' },
    {
      rule: 'R18',
      from: 'min:                                    0.84',
      to: 'min:                                    9.84',
      because: 'the least is above the most',
    },
    { rule: 'R19', from: '--time=3 ', to: '--time=2 ', because: 'it ran on by half' },
  ])('$rule: $because', async ({ rule, from, to }) => {
    expect(rulesWith(await auditText(honest, '-'), 'fails')).toEqual([]);
    const changed = honest.replace(from, to);
    expect(changed).not.toBe(honest);
    expect(rulesWith(await auditText(changed, '-'), 'fails')).toContain(rule);
  });

  test('R9 and R10: a second result that takes figures of the first', async () => {
    const second = foreignOutput('sysbench-1.0-errors.txt');
    const taken = second
      .replace('48203.80', '12003.15')
      .replace('69728   (', '80020   (')
      .replace('23001.57', '26611.58');
    const edited = second.replace('23001.57', '266511.58').replace('48203.80', '1200.15');
    expect(rulesWith(await auditText(honest + second, '-'), 'fails')).toEqual([]);
    expect(rulesWith(await auditText(honest + taken, '-'), 'fails')).toContain('R9');
    expect(rulesWith(await auditText(honest + edited, '-'), 'fails')).toContain('R10');
  });

  test('the same result twice is no contradiction, and is said', async () => {
    const report = await auditText(`${honest}\n${honest}`, '-');
    expect(checksOf(report, 'R9')).toMatchObject([
      { outcome: 'cannot tell', is: expect.stringContaining('once more') },
    ]);
  });
});

describe('what does not hold does no harm elsewhere', () => {
  test('arrivals by a schedule leave threads idle: their time proves nothing', async () => {
    const report = await auditText(foreignOutput('sysbench-1.0-rate.txt'), '-');
    expect(checksOf(report, 'R7')).toMatchObject([{ outcome: 'cannot tell' }]);
  });

  test('a limit that the text raises is enough', async () => {
    const text = foreignOutput('two-columns.txt');
    const raised = `max_connections = 2000 and max_prepared_stmt_count = 1000000 were set.\n${text}`;
    expect(rulesWith(await auditText(text, '-'), 'fails')).toContain('R13');
    expect(rulesWith(await auditText(raised, '-'), 'fails')).not.toContain('R13');
  });

  test('a gp2 volume outlasted by the test, or without credits, passes R15', async () => {
    const text = foreignOutput('four-volumes.txt');
    const large = text.replaceAll('500 GB', '1000 GB');
    expect(checksOf(await auditText(large, '-'), 'R15')).toMatchObject([{ outcome: 'passes' }]);
    const small = text.replaceAll('500 GB', '100 GB');
    expect(checksOf(await auditText(small, '-'), 'R15')).toMatchObject([{ outcome: 'passes' }]);
  });

  test('a text without results says so', async () => {
    const report = await auditText('Nothing was measured here.', '-');
    expect(report).toMatchObject({ verdict: 'No results of a benchmark were found in it.', checks: [], results: [] });
  });

  test('any text is audited without an error', async () => {
    const word = fc.constantFrom(
      ...[
        'SQL statistics:\n',
        'read: 0\n',
        'other: 0\n',
        'total: 7\n',
        'transactions: 0 (0.00 per sec.)\n',
        'Number of threads: 0\n',
      ],
      ...[
        'Latency (ms):\n',
        'avg: 0.00\n',
        'sum: 9.99\n',
        'events (avg/stddev): 0/0\n',
        'total time: 0.0000s\n',
        '95th percentile: 0\n',
      ],
      ...[
        'sysbench oltp_read_only --threads=0 --time=0 run\n',
        'A is 0 times faster than B\n',
        'x\t0s\ny\t0s\nz\t0s\n',
        'fastest',
      ],
      ...[
        'completed in 0.00 seconds\nQPS = 0.0\n',
        '3 tables with 0 rows',
        'innodb_buffer_pool_size=0',
        '0 IOPS',
        'tps = 0.0 (without initial',
      ],
    );
    const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(''));
    await fc.assert(
      fc.asyncProperty(text, async (pasted) => {
        const { checks } = await auditText(pasted, '-');
        for (const { arithmetic } of checks) expect(arithmetic.join(' ')).not.toMatch(/NaN|undefined|Infinity/);
      }),
    );
  });
});

/** The published documents themselves stay with whoever has them: SQLDYNO_SEEDS is their folder. */
const SEEDS = process.env['SQLDYNO_SEEDS'];

describe.skipIf(SEEDS === undefined)('the published documents (folder in SQLDYNO_SEEDS)', () => {
  const audited = async (number: string): Promise<AuditReport> => {
    const folder = SEEDS ?? '';
    const name = readdirSync(folder).find((file) => file.startsWith(`${number}_`)) ?? '';
    return await auditText(readFileSync(join(folder, name), 'utf8'), name);
  };

  test('000: overrun and connecting; small gains undecided', async () => {
    const report = await audited('000');
    expect(rulesWith(report, 'fails')).toEqual(['R19', 'R20']);
    expect(checksOf(report, 'R16').map(({ outcome }) => outcome)).toEqual(['cannot tell', 'cannot tell']);
  });

  test('001: 1.59 times is not 2', async () => {
    const report = await audited('001');
    expect(report.checks.flatMap(({ arithmetic }) => arithmetic)).toContain(
      '51 / 32 = 1.59 (1.55 to 1.63, as they are rounded), not 2',
    );
  });

  test('003: both runs pass R1 to R8', async () => {
    const report = await audited('003');
    expect(report.results).toHaveLength(2);
    for (const { name } of report.results)
      expect(rulesWith(report, 'passes', name)).toEqual(expect.arrayContaining(R1_TO_R8));
  });

  test('004: Table 4 passes R1 to R8, gp2 fails six of the first ten, the command R12 and R13', async () => {
    const report = await audited('004');
    for (const name of ['Table 4, Default', 'Table 4, Tuned']) {
      expect(rulesWith(report, 'passes', name)).toEqual(expect.arrayContaining(R1_TO_R8));
    }
    const failed = rulesWith(report, 'fails', 'Table 6, gp2');
    expect(failed.filter((rule) => Number(rule.slice(1)) <= 11)).toEqual(['R2', 'R3', 'R5', 'R8', 'R9', 'R10']);
    expect(failed).toEqual(expect.arrayContaining(['R12', 'R13']));
  });
});
