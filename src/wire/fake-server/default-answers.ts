/**
 * What the fake server answers when nobody has told it: enough for sysbench-like workloads to run unharmed. A statement
 * of the same shape gets the very same reply object, so that it is encoded once and then only sent.
 */
import { COLUMN_TYPE } from '../constants.ts';
import type { SqlValue } from '../types.ts';
import { ok, type Reply, type ReplyColumn, type RowsReply, rows } from './reply.ts';

/** Rows of a BETWEEN range: sysbench's range_size. */
const RANGE_ROWS = 100;
/** Shapes of SELECT that are remembered; workloads have a dozen. */
const SHAPES_MAX = 1_000;

/** What the answers need to know of session and server. */
export interface AnswerSource {
  readonly connectionId: number;
  readonly version: string;
  readonly database: string;
  variables(): ReadonlyMap<string, string>;
  globalStatus(): ReadonlyMap<string, number>;
  sessionStatus(): ReadonlyMap<string, number>;
}

const SELECT = /^\s*\(?select\s+(?:distinct\s+|sql_no_cache\s+|straight_join\s+)*(.*?)(?:\s+from\s+(\S+)(.*))?$/is;
const SHOW = /^\s*show\s+(?:(global|session)\s+)?(status|variables)\b(.*)$/is;
const AGGREGATE = /^(?:count|sum|min|max|avg)\s*\(/i;
const OK = ok();
const OK_ONE_ROW = ok({ affectedRows: 1 });
const NO_ROWS = rows([{ name: 'Message', type: COLUMN_TYPE.VAR_STRING }], []);

const selectReplies = new Map<string, RowsReply>();

/** Hot for text statements. */
export function defaultAnswer(sql: string, counter: string, source: AnswerSource): Reply {
  switch (counter) {
    case 'Com_select':
      return answerSelect(sql, source);
    case 'Com_insert':
    case 'Com_update':
    case 'Com_delete':
    case 'Com_replace':
      return OK_ONE_ROW;
    case 'Com_load':
      return answerLoad(sql);
    case 'Com_show_status':
    case 'Com_show_variables':
      return answerShow(sql, source);
    default:
      return /^\s*(?:show|explain|desc|describe|check|analyze)\b/i.test(sql) ? NO_ROWS : OK;
  }
}

/** Whether the same statement always gets the same reply, so that a prepared one needs to ask only once. */
export function isFixedAnswer(sql: string, counter: string): boolean {
  return !counter.startsWith('Com_show') && counter !== 'Com_load' && !/@@|\b[a-z_]+\(\)/i.test(sql);
}

function answerSelect(sql: string, source: AnswerSource): Reply {
  const [, list = '', table, rest = ''] = SELECT.exec(sql.replace(/;\s*$/, '')) ?? [];
  if (table === undefined) return selectWithoutTable(list, source);
  const isSchema = /^`?(?:information_schema|performance_schema|mysql|sys)`?\./i.test(table);
  const isAggregate = AGGREGATE.test(list);
  const rowCount = isSchema ? 0 : isAggregate ? 1 : rowCountOf(rest);
  const shape = `${rowCount} ${list}`;
  const known = selectReplies.get(shape);
  if (known !== undefined) return known;
  const reply = cannedRows(list, rowCount);
  if (selectReplies.size === SHAPES_MAX) selectReplies.clear();
  selectReplies.set(shape, reply);
  return reply;
}

/** By BETWEEN and IN only; a LIMIT is not looked at. */
function rowCountOf(condition: string): number {
  if (/\bbetween\b/i.test(condition)) return RANGE_ROWS;
  const list = /\bin\s*\(([^)]*)\)/i.exec(condition)?.[1];
  return list === undefined ? 1 : list.split(',').length;
}

interface Field {
  readonly column: ReplyColumn;
  readonly value: SqlValue;
}

function cannedRows(list: string, rowCount: number): RowsReply {
  const items = list.trim() === '*' ? ['id', 'k', 'c', 'pad'] : splitList(list);
  const columns = items.map((item) => cannedField(item, 0).column);
  const values = Array.from({ length: rowCount }, (_, row) => items.map((item) => cannedField(item, row).value));
  return rows(columns, values);
}

function cannedField(item: string, row: number): Field {
  const { expression, name } = nameOf(item);
  const column = expression.replaceAll('`', '').split('.').at(-1) ?? '';
  if (/^(?:sum|avg)\s*\(/i.test(expression)) return { column: { name, type: COLUMN_TYPE.NEWDECIMAL }, value: '1' };
  if (AGGREGATE.test(expression)) return { column: { name, type: COLUMN_TYPE.LONGLONG }, value: 1 };
  if (/^(?:k|id|.*_id)$/i.test(column)) return { column: { name, type: COLUMN_TYPE.LONG }, value: row + 1 };
  const { type, text, width } = cannedText(column);
  return { column: { name, type, length: width * 4 }, value: text };
}

/** As long as the columns `c` and `pad` of sysbench's tables: eleven digits a group, parted by dashes. */
function cannedText(column: string): { readonly type: number; readonly text: string; readonly width: number } {
  const groups = (count: number) => Array.from({ length: count }, (_, index) => `${index % 10}`.repeat(11)).join('-');
  if (column === 'c') return { type: COLUMN_TYPE.STRING, text: groups(10), width: 120 };
  if (column === 'pad') return { type: COLUMN_TYPE.STRING, text: groups(5), width: 60 };
  return { type: COLUMN_TYPE.VAR_STRING, text: 'text', width: 255 };
}

function selectWithoutTable(list: string, source: AnswerSource): Reply {
  const fields = splitList(list).map((item) => computedField(item, source));
  return rows(
    fields.map((field) => field.column),
    [fields.map((field) => field.value)],
  );
}

function computedField(item: string, source: AnswerSource): Field {
  const { expression, name } = nameOf(item);
  const textField = (value: string | null): Field => ({ column: { name, type: COLUMN_TYPE.VAR_STRING }, value });
  const variable = /^@@(?:global\.|session\.)?(\w+)$/i.exec(expression)?.[1];
  if (variable !== undefined) return variableField(name, source.variables().get(variable.toLowerCase()) ?? null);
  if (/^-?\d+$/.test(expression)) return { column: { name, type: COLUMN_TYPE.LONGLONG }, value: Number(expression) };
  const literal = /^'(.*)'$/s.exec(expression)?.[1];
  if (literal !== undefined) return textField(literal);
  switch (expression.toLowerCase()) {
    case 'version()':
      return textField(source.version);
    case 'database()':
      return textField(source.database === '' ? null : source.database);
    case 'connection_id()':
      return { column: { name, type: COLUMN_TYPE.LONGLONG }, value: source.connectionId };
    default:
      return textField(null);
  }
}

function variableField(name: string, value: string | null): Field {
  if (value !== null && /^\d+$/.test(value))
    return { column: { name, type: COLUMN_TYPE.LONGLONG }, value: Number(value) };
  return { column: { name, type: COLUMN_TYPE.VAR_STRING }, value };
}

/** `expression AS name`, or the expression for both. */
function nameOf(item: string): { readonly expression: string; readonly name: string } {
  const [, expression = item, name = item] = /^(.*?)\s+as\s+`?(\w+)`?$/is.exec(item) ?? [];
  return { expression, name };
}

/** Parted at commas outside parentheses and quotes. */
function splitList(list: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let from = 0;
  for (const match of list.matchAll(/'(?:[^'\\]|\\.|'')*'|[(),]/g)) {
    if (match[0] === '(') depth++;
    else if (match[0] === ')') depth--;
    else if (match[0] === ',' && depth === 0) {
      items.push(list.slice(from, match.index));
      from = match.index + 1;
    }
  }
  items.push(list.slice(from));
  return items.map((item) => item.trim());
}

function answerLoad(sql: string): Reply {
  const fileName = /^\s*load\s+data\s+(?:\w+\s+)?local\s+infile\s+'([^']*)'/i.exec(sql)?.[1];
  if (fileName === undefined) return OK;
  const lines = (content: Uint8Array) => content.reduce((count, byte) => count + (byte === 0x0a ? 1 : 0), 0);
  return { is: 'local-infile', fileName, answerWith: (content) => ok({ affectedRows: lines(content) }) };
}

const NAME_AND_VALUE: readonly ReplyColumn[] = [
  { name: 'Variable_name', type: COLUMN_TYPE.VAR_STRING },
  { name: 'Value', type: COLUMN_TYPE.VAR_STRING },
];

function answerShow(sql: string, source: AnswerSource): Reply {
  const [, scope, what = '', condition = ''] = SHOW.exec(sql) ?? [];
  const status = scope?.toLowerCase() === 'global' ? () => source.globalStatus() : () => source.sessionStatus();
  const all = what.toLowerCase() === 'variables' ? source.variables() : status();
  const isWanted = nameFilter(condition);
  const wanted = [...all].filter(([name]) => isWanted(name.toLowerCase()));
  return rows(
    NAME_AND_VALUE,
    wanted.map(([name, value]) => [name, String(value)]),
  );
}

/** LIKE patterns and names in quotes, any of them: `LIKE 'Com%'`, `WHERE Variable_name IN ('Questions', 'Uptime')`. */
function nameFilter(condition: string): (name: string) => boolean {
  const patterns = [...condition.matchAll(/'([^']*)'/g)].map(([, pattern = '']) => {
    const source = pattern.toLowerCase().replace(/\\?[%_]|[.*+?^${}()|[\]]/g, (part) => {
      if (part === '%') return '.*';
      return part === '_' ? '.' : part.startsWith('\\') ? part.slice(1) : `\\${part}`;
    });
    return new RegExp(`^${source}$`);
  });
  return (name) => patterns.length === 0 || patterns.some((pattern) => pattern.test(name));
}
