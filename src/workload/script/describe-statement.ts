/** What a statement does, as far as its first words tell: for the report, the counts, and what is checked before. */
import type { StatementKind } from '../workload.ts';

export interface Description {
  readonly kind: StatementKind;
  /** Such as update_accounts: its verb and its first table. */
  readonly name: string;
  /** 'chain': a transaction ends, and the next one begins. */
  readonly control: 'begin' | 'commit' | 'rollback' | 'chain' | undefined;
  /** Makes, changes or drops what other statements may need to exist before they can be prepared. */
  readonly isDefinition: boolean;
}

const READS = new Set(['select', 'show', 'explain', 'describe', 'desc', 'table', 'values', 'with', 'help']);
const WRITES = new Set(['insert', 'update', 'delete', 'replace', 'load']);
const DEFINITIONS = new Set(['create', 'drop', 'alter', 'rename']);
/** The word before a table's name. */
const TABLE_AFTER: Readonly<Record<string, RegExp>> = {
  select: /\bfrom\b/,
  with: /\bfrom\b/,
  delete: /\bfrom\b/,
  insert: /\binsert\b(?:\s+(?:low_priority|delayed|high_priority|ignore|into)\b)*/,
  replace: /\breplace\b(?:\s+(?:low_priority|delayed|into)\b)*/,
  update: /\bupdate\b(?:\s+(?:low_priority|ignore)\b)*/,
  load: /\btable\b/,
  call: /\bcall\b/,
  create: /\btable\b/,
  drop: /\btable\b/,
  alter: /\btable\b/,
};
/** With its database, in backticks or not; the last part is the name. */
const NAME = /^\s+(?:if\s+(?:not\s+)?exists\s+)?((?:`[^`]+`|[\w$]+)(?:\s*\.\s*(?:`[^`]+`|[\w$]+))*)/;

/** `bare` is the SQL without texts and comments. */
export function describeStatement(bare: string): Description {
  const sql = bare.replace(/^[\s(]+/, '').toLowerCase();
  const verb = /^[a-z]+/.exec(sql)?.[0] ?? 'statement';
  const control = controlOf(sql);
  if (control !== undefined)
    return { kind: 'other', name: control === 'chain' ? verb : control, control, isDefinition: false };
  const table = tableOf(sql, verb);
  return {
    kind: kindOf(sql, verb),
    name: table === undefined ? verb : `${verb}_${table}`,
    control,
    isDefinition: DEFINITIONS.has(verb),
  };
}

function kindOf(sql: string, verb: string): StatementKind {
  if (verb === 'with') return /\)\s*(?:update|delete|insert|replace)\b/.test(sql) ? 'write' : 'read';
  if (READS.has(verb)) return 'read';
  return WRITES.has(verb) ? 'write' : 'other';
}

function controlOf(sql: string): Description['control'] {
  if (/^begin(?:\s+work)?$|^start\s+transaction\b/.test(sql)) return 'begin';
  const end = /^(commit|rollback)\b/.exec(sql)?.[1];
  if (end === undefined || /^rollback\s+(?:work\s+)?to\b/.test(sql)) return undefined;
  if (/\band\s+chain\b/.test(sql)) return 'chain';
  return end as 'commit' | 'rollback';
}

function tableOf(sql: string, verb: string): string | undefined {
  const before = TABLE_AFTER[verb]?.exec(sql);
  if (before === null || before === undefined) return undefined;
  const name = NAME.exec(sql.slice(before.index + before[0].length))?.[1];
  const last = name?.split('.').at(-1)?.trim();
  return last?.replaceAll('`', '').replaceAll(/[^\w$-]+/g, '_');
}
