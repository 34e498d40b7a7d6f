/** What the server itself counted of statements and waits, where its performance_schema is on. */
import { formatCount, formatLatency, formatSignificant } from '../../base/units.ts';
import type { EventAccount, StatementAccount } from '../../model/observed.ts';
import type { RunRecord } from '../../model/run.ts';
import { type Column, noteLines, tableLines, valueLines } from '../layout.ts';

/** The longest; the record has more. */
const STATEMENTS_SHOWN = 8;
const EVENTS_SHOWN = 8;

export const WITHOUT_TEXT: Readonly<Record<StatementAccount['of'], string>> = {
  text: 'without a text',
  prepared: 'without a text',
  'prepared-any': 'prepared statements, of which this server does not tell one from another',
  rest: 'everything else, preparing and closing statements among it',
};

export function accountStatementLines({ serverAccount }: RunRecord): string[] {
  const { statements = [] } = serverAccount ?? {};
  if (statements.length === 0) return [];
  const shown = statements.slice(0, STATEMENTS_SHOWN);
  const others = statements.length - shown.length;
  return [
    "Statements by the server's own count (performance_schema), the longest first:",
    ...shown.flatMap((statement) => valueLines(formatLatency(statement.timeS * 1e6), statementText(statement))),
    ...(others === 0 ? [] : noteLines(`${others} more are in the record.`)),
  ];
}

function statementText(statement: StatementAccount): string {
  const { count, timeS, errors } = statement;
  const each = (label: string, of: number) => (of === 0 ? [] : [`${label} ${formatEach(of / count)}`]);
  const ofEach = [
    ...each('rows examined', statement.rowsExamined),
    ...each('rows sent', statement.rowsSent),
    ...each('temporary tables', statement.temporaryTables),
    ...each('of them on disk', statement.temporaryDiskTables),
  ];
  const figures = [
    `${formatCount(count)} x ${formatLatency((timeS / count) * 1e6)}`,
    ...(errors === 0 ? [] : [`errors ${formatCount(errors)}`]),
    ...(ofEach.length === 0 ? [] : [`each: ${ofEach.join(', ')}`]),
  ];
  return `${figures.join('; ')}\n${statement.text ?? WITHOUT_TEXT[statement.of]}`;
}

function formatEach(value: number): string {
  return Number.isInteger(value) ? formatCount(value) : formatSignificant(value);
}

const EVENT_COLUMNS: readonly Column[] = [
  { heading: 'seconds', align: 'right' },
  { heading: 'times', align: 'right' },
  { heading: 'each', align: 'right' },
  { heading: 'event', align: 'left' },
];

export function accountWaitLines({ serverAccount }: RunRecord): string[] {
  if (serverAccount === undefined) return [];
  const title = 'What the server waited for (performance_schema), the longest first:';
  const note = 'Background threads are among it, and a wait for a table contains those for its files.';
  const table = eventTable(title, serverAccount.waits);
  return table.length === 0 ? [] : [...table, ...noteLines(note)];
}

export function accountStageLines({ serverAccount }: RunRecord): string[] {
  return eventTable('Stages of statements (performance_schema), the longest first:', serverAccount?.stages ?? []);
}

function eventTable(title: string, events: readonly EventAccount[]): string[] {
  if (events.length === 0) return [];
  const rows = events
    .slice(0, EVENTS_SHOWN)
    .map(({ event, count, timeS }) => [
      formatSignificant(timeS),
      formatCount(count),
      formatLatency((timeS / count) * 1e6),
      event.replace(/^(?:wait|stage)\//, ''),
    ]);
  return [title, ...tableLines(EVENT_COLUMNS, rows)];
}
