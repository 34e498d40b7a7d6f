/** What other tools have printed, into the store: each result once, with the log of the host that ran beside it. */
import { basename } from 'node:path';
import { nowMs } from '../base/clock.ts';
import { UserError } from '../base/errors.ts';
import { type Beside, besideOf } from '../foreign-output/beside.ts';
import type { ForeignDocument } from '../foreign-output/facts.ts';
import { readDocument } from '../foreign-output/read-document.ts';
import { type ImportPlace, toImportedRun } from '../foreign-output/to-run.ts';
import { tells } from '../model/imported.ts';
import type { RunRecord } from '../model/run.ts';
import { newRunId } from '../store/run-id.ts';
import type { Store } from '../store/store.ts';
import { momentOf } from './moment.ts';
import { readText, STDIN, textName } from './read-text.ts';
import type { Terminal } from './terminal.ts';
import { programVersion } from './version.ts';

export interface ForeignOptions {
  /** Logs of iostat and vmstat. */
  readonly beside?: readonly string[];
  readonly dataDisk?: string;
  readonly started?: string;
  readonly tag?: readonly string[];
}

export interface ForeignFound {
  readonly kept: readonly RunRecord[];
  /** Ids under which the very same results are in the store. */
  readonly there: readonly string[];
  readonly notes: readonly string[];
}

interface World {
  readonly store: Store;
  readonly terminal: Pick<Terminal, 'warn'>;
}

/** Throws a `UserError` where nothing in it is a result. */
export async function importForeign(source: string, options: ForeignOptions, world: World): Promise<ForeignFound> {
  const { store, terminal } = world;
  const document = readDocument(await readText(source, terminal));
  ensureResults(document, source, options);
  const { runs } = await store.list();
  const known = new Map(runs.flatMap(({ id, imported }) => (imported === undefined ? [] : [[imported.sha256, id]])));
  const { checkedRun } = await import('../store/import-runs.ts');
  const kept: RunRecord[] = [];
  const there: string[] = [];
  for (const record of await recordsOf(document, source, { options, terminal })) {
    const id = known.get(record.imported?.sha256 ?? '');
    if (id !== undefined) {
      there.push(id);
      continue;
    }
    await store.save(checkedRun(record));
    kept.push(record);
  }
  return { kept, there, notes: document.notes };
}

function ensureResults({ measurements, notes }: ForeignDocument, source: string, options: ForeignOptions): void {
  const count = measurements.length;
  if (count === 0) {
    throw new UserError([`${textName(source)} holds no result that is known.`, ...notes].join(' '), {
      hint: 'It reads runs of sqldyno, and what sysbench, mysqlslap, sql-bench, HammerDB, go-tpc, BenchBase and pgbench print.',
    });
  }
  const [option] = [
    ...(options.beside === undefined ? [] : ['--beside']),
    ...(options.started === undefined ? [] : ['--started']),
  ];
  if (count > 1 && option !== undefined) {
    throw new UserError(`${option} is of one result, and ${textName(source)} holds ${count}.`, {
      hint: 'Cut the file into one for each.',
    });
  }
}

interface Reading {
  readonly options: ForeignOptions;
  readonly terminal: World['terminal'];
}

async function recordsOf(document: ForeignDocument, source: string, { options, terminal }: Reading) {
  const { started, tag = [] } = options;
  const baseMs = started === undefined ? nowMs() : Date.parse(momentOf(started, '--started', nowMs()));
  const hashes = new Set<string>();
  const records: RunRecord[] = [];
  for (const [at, facts] of document.measurements.entries()) {
    const startedMs = baseMs + at;
    const place: ImportPlace = {
      source: source === STDIN ? 'a pasted text' : basename(source),
      // A millisecond apart: where nobody knows when they ran, a list has them as the file has them.
      startedAt: new Date(startedMs).toISOString(),
      isStartKnown: started !== undefined,
      tags: tag,
      version: programVersion(),
      lines: document.lines,
      sameBefore: 0,
    };
    let record = toImportedRun(facts, place);
    for (let sameBefore = 1; hashes.has(record.imported?.sha256 ?? ''); sameBefore++) {
      record = toImportedRun(facts, { ...place, sameBefore });
    }
    hashes.add(record.imported?.sha256 ?? '');
    records.push({ ...record, id: newRunId(startedMs, record.workload.name) });
  }
  const [only] = records;
  return only === undefined || records.length > 1 ? records : [await withLogs(only, document, { options, terminal })];
}

/** Those of `--beside`, and those that stand in the same text. */
async function withLogs(record: RunRecord, document: ForeignDocument, { options, terminal }: Reading) {
  const elapsedS = tells(record, 'totals.elapsedS') ? record.totals.elapsedS : record.intervals.at(-1)?.endS;
  const disk = options.dataDisk === undefined ? {} : { dataDisk: options.dataDisk };
  const found: Beside[] = [];
  const own = besideOf(document.hostLogs, { source: 'the same text', lines: document.lines, elapsedS, ...disk });
  if (own !== undefined) found.push(own);
  for (const source of options.beside ?? []) {
    const log = readDocument(await readText(source, terminal));
    const beside = besideOf(log.hostLogs, { source: basename(source), lines: log.lines, elapsedS, ...disk });
    if (beside === undefined) {
      throw new UserError(`${textName(source)} is no log of iostat or vmstat with more than its first report.`, {
        hint: 'As in: iostat -xt 1 > iostat.txt, or: vmstat -t 1 > vmstat.txt, started together with the load.',
      });
    }
    found.push(beside);
  }
  if (found.length === 0) return record;
  return {
    ...record,
    series: Object.assign({}, record.series, ...found.map(({ series }) => series)),
    findings: [...record.findings, ...found.flatMap(({ findings }) => findings)],
  };
}
