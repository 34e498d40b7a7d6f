/** The tables of a run's page: pure. */
import { formatCount, formatPercent, formatSignificant } from '../base/units.ts';
import type { LatencyRecord, RunRecord } from '../model/run.ts';
import { percentileCells, percentilesShown } from '../report/percentiles.ts';
import type { TableData, TitledTable } from './api.ts';

type ColumnData = TableData['columns'][number];

const left = (heading: string): ColumnData => ({ heading, align: 'left' });
const right = (heading: string): ColumnData => ({ heading, align: 'right' });
const point = (heading: string): ColumnData => ({ heading, align: 'point' });
/** Before transactions and statements are told apart, all are one. */
const ALL = 'all';

/** What has no rows is left out. */
export function runTables(run: RunRecord): TitledTable[] {
  const tables = [transactions(run), statements(run), errors(run), account(run), crossCheck(run)];
  return tables.filter(({ table }) => table.rows.length > 0);
}

function transactions({ latency, load }: RunRecord): TitledTable {
  const percentiles = percentilesShown(load.percentiles);
  const entries = Object.entries(latency.transactions);
  const named = entries.filter(([name]) => name !== ALL);
  const rows = (named.length === 1 ? named : entries).flatMap(([name, { service, response, queue }]) =>
    [
      { label: name, record: response ?? service },
      ...(response === undefined ? [] : [{ label: `${name}: service`, record: service }]),
      ...(queue === undefined ? [] : [{ label: `${name}: queue`, record: queue }]),
    ].map(({ label, record }) => [label, ...latencyCells(record, percentiles)]),
  );
  const of = load.mode === 'closed' ? 'service time' : 'response time';
  return {
    title: `Latency of transactions, ms (${of})`,
    table: { columns: latencyColumns('transaction', percentiles), rows },
  };
}

function latencyColumns(first: string, percentiles: readonly number[]): ColumnData[] {
  const shown = percentiles.map((percentile) => point(`p${percentile}`));
  return [left(first), right('count'), point('mean'), ...shown, point('max')];
}

function latencyCells(record: LatencyRecord, percentiles: readonly number[]): string[] {
  const { count, meanUs, maxUs } = record;
  const ms = (us: number) => (count === 0 ? '-' : formatSignificant(us / 1_000));
  return [formatCount(count), ms(meanUs), ...percentileCells(record, percentiles), ms(maxUs)];
}

function statements({ latency, load, totals }: RunRecord): TitledTable {
  const percentiles = percentilesShown(load.percentiles);
  const sent = Object.entries(latency.statements).filter(([, { count }]) => count > 0);
  const sumUs = sent.reduce((sum, [, record]) => sum + record.sumUs, 0);
  const rows = sent.map(([name, record]) => [
    name,
    totals.statements.byName[name]?.kind ?? '',
    ...latencyCells(record, percentiles),
    sumUs > 0 ? formatPercent(record.sumUs / sumUs) : '-',
  ]);
  const [first, ...others] = latencyColumns('statement', percentiles);
  const columns = [...(first === undefined ? [] : [first]), left('kind'), ...others, point('time')];
  return { title: 'Latency of statements, ms', note: 'Sent to last byte of the reply.', table: { columns, rows } };
}

function errors({ totals }: RunRecord): TitledTable {
  const rows = totals.errors.map(({ code, symbol, count, policy, example }) => [
    String(code),
    symbol,
    formatCount(count),
    policy,
    example,
  ]);
  const columns = [right('code'), left('name'), right('count'), left('what was done'), left('first message')];
  return { title: 'Errors', table: { columns, rows } };
}

/** The longest; the record has more. */
const STATEMENTS_SHOWN = 12;

function account({ serverAccount }: RunRecord): TitledTable {
  const rows = (serverAccount?.statements ?? [])
    .slice(0, STATEMENTS_SHOWN)
    .map(({ text, of, count, timeS, rowsExamined }) => [
      text ?? (of === 'rest' ? 'everything else' : 'prepared statements'),
      formatCount(count),
      formatSignificant(timeS),
      formatSignificant(count === 0 ? 0 : (timeS / count) * 1_000),
      formatSignificant(count === 0 ? 0 : rowsExamined / count),
    ]);
  const columns = [left('statement'), right('count'), point('total s'), point('each ms'), point('rows examined each')];
  return { title: "Statements by the server's own count", note: 'performance_schema', table: { columns, rows } };
}

function crossCheck({ crossCheck: check }: RunRecord): TitledTable {
  const found = check.is === 'done' ? check.rows : [];
  const rows = found.map(({ counter, during, client, server }) => [
    during === undefined ? counter : `${counter} (${during})`,
    formatCount(client),
    formatCount(server),
    client === server ? 'the same' : formatCount(server - client),
  ]);
  const columns = [left("server's counter"), right('sent'), right('counted'), left('difference')];
  const note = check.is === 'done' ? (check.note ?? '') : '';
  const isFolded = check.is === 'done' && check.ok;
  return {
    title: "Cross-check with the server's counters",
    isFolded,
    ...(note === '' ? {} : { note }),
    table: { columns, rows },
  };
}
