import { describe, expect, test } from 'vitest';
import { importedRuns } from '../../test/fixtures/sample-imported.ts';
import { closedRun, emptyRun, failedRun, openRun, terminalsRun } from '../../test/fixtures/sample-runs.ts';
import type { RunRecord } from '../model/run.ts';
import { Board, type BoardFile } from './board.ts';
import { contradictionsIn } from './checks.ts';

async function boardOf(records: readonly unknown[], title = 'Runs'): Promise<{ board: Board; files: BoardFile[] }> {
  const board = new Board({ title });
  const files: BoardFile[] = [];
  for (const [at, record] of records.entries()) files.push(...(await board.take({ from: `sent/${at}`, record })));
  return { board, files: [...files, ...board.finish()] };
}

function textOf(files: readonly BoardFile[], path: string): string {
  return files.find((file) => file.path === path)?.text ?? '';
}

/** Its latencies are made up, and would need more than its four threads. */
const RUN: RunRecord = { ...closedRun(), load: { ...closedRun().load, threads: 8 } };
const { totals, latency } = RUN;
const all = latency.transactions['all']!;
const withLatency = (change: Partial<typeof all.service>): RunRecord => ({
  ...RUN,
  latency: { ...latency, transactions: { ...latency.transactions, all: { service: { ...all.service, ...change } } } },
});

describe('a record that holds together', () => {
  test.each([
    { kind: 'closed loop', run: RUN },
    { kind: 'open loop', run: openRun() },
    { kind: 'terminals', run: terminalsRun() },
    { kind: 'without events', run: emptyRun() },
    { kind: 'of sysbench', run: importedRuns('sysbench-1.0-histogram.txt')[0]! },
    { kind: 'of mysqlslap', run: importedRuns('mysqlslap.csv')[0]! },
  ])('is not contradicted: $kind', ({ run }) => {
    const figures = contradictionsIn({ ...run, ...SOUND });
    expect(figures).toEqual([]);
  });
});

const SOUND = {
  ending: { kind: 'time' },
  findings: [],
  crossCheck: { is: 'impossible', because: 'x' },
} as const;

describe('a record that contradicts itself', () => {
  const { statements, transactions, elapsedS } = totals;
  test.each<{ is: RegExp; run: RunRecord }>([
    { is: /did not end as planned/, run: { ...RUN, ending: { kind: 'failed', cause: 'x' } } },
    {
      is: /is invalid: Nothing was sent/,
      run: { ...RUN, findings: [{ id: 'x', severity: 'invalid', is: 'Nothing was sent.', because: '', remedy: '' }] },
    },
    { is: /not those of the server/, run: { ...RUN, crossCheck: { is: 'done', ok: false, rows: [] } } },
    {
      is: /said to agree, and Questions is 5 sent, 4 counted/,
      run: { ...RUN, crossCheck: { is: 'done', ok: true, rows: [{ counter: 'Questions', client: 5, server: 4 }] } },
    },
    {
      is: /by name add up to .*, not/,
      run: { ...RUN, totals: { ...totals, transactions: { ...transactions, committed: transactions.committed + 1 } } },
    },
    {
      is: /kind read add up to/,
      run: { ...RUN, totals: { ...totals, statements: { ...statements, read: statements.read * 2 } } },
    },
    {
      is: /Wasted statements by name/,
      run: { ...RUN, totals: { ...totals, statements: { ...statements, wasted: 0 } } },
    },
    {
      is: /transactions in .* s are .*\/s, not/,
      run: { ...RUN, rates: { ...RUN.rates, transactionsPerS: RUN.rates.transactionsPerS * 1.01 } },
    },
    {
      is: /statements in .* s are .*\/s, not/,
      run: { ...RUN, rates: { ...RUN.rates, statementsPerS: RUN.rates.statementsPerS * 12 } },
    },
    { is: /mean times its count is not its sum/, run: withLatency({ meanUs: all.service.meanUs / 2 }) },
    { is: /does not lie between/, run: withLatency({ minUs: all.service.meanUs * 2 }) },
    { is: /does not begin and end with/, run: withLatency({ maxUs: all.service.meanUs * 1.01 }) },
    { is: /histogram holds|histogram/, run: withLatency({ histogram: 'AAAA' }) },
    { is: /Little's law/, run: { ...RUN, load: { ...RUN.load, threads: 1 } } },
    {
      is: /The intervals hold/,
      run: { ...RUN, intervals: RUN.intervals.map((each) => ({ ...each, transactions: each.transactions * 3 })) },
    },
    { is: /measured .* and lasted/, run: { ...RUN, totals: { ...totals, elapsedS: elapsedS + 3_600 } } },
  ])('$is', ({ is, run }) => {
    expect(contradictionsIn(run).join('\n')).toMatch(is);
  });

  test('more than its threads can do, told by another tool', () => {
    const [run] = importedRuns('sysbench-1.0-histogram.txt');
    expect(contradictionsIn({ ...run!, load: { ...run!.load, threads: 2 } }).join()).toMatch(/Little's law/);
  });
});

describe('what is sent', () => {
  test('gives a page, its record, and its place in the lists', async () => {
    const { board, files } = await boardOf([RUN]);
    expect(board.refused).toEqual([]);
    expect(files.map(({ path }) => path.replace(/[0-9a-f]{8}\.html$/, 'HASH.html'))).toEqual([
      `runs/${RUN.id}.html`,
      `runs/${RUN.id}.json`,
      'index.html',
      expect.stringMatching(/^by\/machine-.*-HASH\.html$/),
      expect.stringMatching(/^by\/server-.*-HASH\.html$/),
      'by/workload-oltp-read-write-HASH.html',
      'board.json',
    ]);
    expect(JSON.parse(textOf(files, `runs/${RUN.id}.json`))).toEqual(JSON.parse(JSON.stringify(RUN)));
    expect(textOf(files, `runs/${RUN.id}.html`)).toContain('--rand-seed=');
  });

  test.each([
    { sent: { id: 'x' }, because: /does not keep the schema/ },
    { sent: null, because: /does not keep the schema/ },
    { sent: { ...RUN, extra: 1 }, because: /does not keep the schema/ },
    { sent: { ...RUN, id: '../../index' }, because: /no plain name/ },
    { sent: failedRun(), because: /did not end as planned/ },
    { sent: withLatency({ meanUs: 1 }), because: /mean times its count/ },
  ])('is refused: $because', async ({ sent, because }) => {
    const { board, files } = await boardOf([sent]);
    expect(board.shown).toBe(0);
    expect(board.refused).toEqual([{ from: 'sent/0', because: expect.stringMatching(because) }]);
    expect(textOf(files, 'index.html')).toContain('Not shown');
  });

  test('twice is one; another of its name is refused, also where file systems know no capitals', async () => {
    const other = { ...RUN, id: RUN.id.toUpperCase() };
    const { board } = await boardOf([RUN, structuredClone(RUN), other]);
    expect(board.shown).toBe(1);
    expect(board.refused).toEqual([{ from: 'sent/2', because: expect.stringMatching(/Another run with the id/) }]);
  });

  test('of another tool is audited, column by column', async () => {
    const { board } = await boardOf(importedRuns('four-volumes.txt'));
    expect(board.shown).toBe(5);
    expect(board.refused).toEqual([{ from: 'sent/2', because: expect.stringMatching(/^Rule R2 of the audit/) }]);
  });
});

describe('the site', () => {
  const RUNS = [
    RUN,
    openRun(),
    terminalsRun(),
    ...importedRuns('sysbench-1.0-histogram.txt'),
    ...importedRuns('mysqlslap.csv').slice(0, 1),
  ].map((run): RunRecord => ({ ...run, ...SOUND, load: { ...run.load, threads: run.load.threads * 2 } }));

  test('asks nobody for anything: relative links, one policy, no other address', async () => {
    const { files } = await boardOf(RUNS);
    const paths = new Set(files.map(({ path }) => path));
    for (const { path, text } of files.filter(({ path: each }) => each.endsWith('.html'))) {
      expect(text).toMatch(/Content-Security-Policy" content="default-src 'none'/);
      for (const [, target = ''] of text.matchAll(/\b(?:href|src)="([^"]*)"/g)) {
        if (target.startsWith('#') || target === 'data:,') continue;
        const resolved = new URL(target, `file:///${path}`).pathname.slice(1);
        expect([path, target, paths.has(resolved)]).toEqual([path, target, true]);
      }
    }
  });

  test('its list is the same for the same runs, in whatever order they were found', async () => {
    const { files } = await boardOf([...RUNS, failedRun()], 'A small board');
    const again = await boardOf([...RUNS].reverse(), 'A small board');
    const withoutStyle = textOf(files, 'index.html').replaceAll(/<(style|script)>.*?<\/\1>|sha256-[^']+/gs, '');
    await expect(withoutStyle.replaceAll(/(<tr|<li|<nav|<section|<h\d|<p)/g, '\n$1')).toMatchFileSnapshot(
      new URL('../../test/golden/board-index.html', import.meta.url).pathname,
    );
    expect(textOf(again.files, 'index.html').match(/<tbody>.*<\/tbody>/s)?.[0]).toBe(
      textOf(files, 'index.html').match(/<tbody>.*<\/tbody>/s)?.[0],
    );
  });

  test('shows what nobody told as unknown', async () => {
    const { files } = await boardOf(importedRuns('mysqlslap.csv').slice(0, 1));
    const row = /<tr data-machine.*?<\/tr>/s.exec(textOf(files, 'index.html'))?.[0] ?? '';
    expect(row.match(/unknown/g)?.length).toBeGreaterThanOrEqual(6);
    expect(row).not.toMatch(/>0</);
  });

  test('whatever people call their things stays text', async () => {
    const evil = '"><script>alert(1)</script><img src=x onerror=alert(2)>';
    const run: RunRecord = {
      ...RUN,
      tags: [evil],
      workload: { ...RUN.workload, name: evil },
      target: { ...RUN.target, version: evil, flavor: evil, isPrivate: true },
      environment: { server: {}, host: { 'cpu.model': evil, 'cpu.threads': 4, hostname: evil }, client: {} },
      durability: { is: 'D4', because: evil },
    };
    const { board, files } = await boardOf([run, { id: evil }], evil);
    expect(board.shown).toBe(1);
    board.refuse(evil, evil);
    for (const { path, text } of [...files, ...board.finish()].filter((file) => file.path.endsWith('.html'))) {
      expect(path).toMatch(/^(?:(?:runs|by)\/)?[a-zA-Z0-9][\w.-]*\.html$/);
      const own = text.replaceAll(/<script>\n.*?<\/script>/gs, '');
      expect(own).not.toMatch(/<script|<img/);
      expect(own).not.toMatch(/<[^>]*\sonerror=/);
    }
  });

  test('500 runs take seconds, and their list can be read', async () => {
    const runs = Array.from({ length: 500 }, (_, at) => ({ ...RUN, id: `run-${at}` }));
    const { board, files } = await boardOf(runs);
    expect(board.shown).toBe(500);
    expect(textOf(files, 'index.html').match(/<tr data-machine/g)).toHaveLength(500);
    expect(textOf(files, 'index.html').length).toBeLessThan(1_000_000);
  });
});
