/** A text in, what holds and what contradicts itself out. Pure. */
import { entryNames, loadEntry } from '../base/catalog.ts';
import { cellsByKey, type ForeignDocument } from '../foreign-output/facts.ts';
import { readDocument } from '../foreign-output/read-document.ts';
import { AUDIT_FORMAT, type AuditCheck, type AuditedResult, type AuditReport } from '../model/audit.ts';
import type { Rule } from './rule.ts';

const CATALOG = new URL('./catalog/', import.meta.url);

/** `source` is what the report calls the text. */
export async function auditText(text: string, source: string): Promise<AuditReport> {
  const document = readDocument(text);
  const rules = await loadRules();
  const checks = rules.flatMap((rule) =>
    rule.check(document).map((judged): AuditCheck => ({ rule: rule.id, ...judged })),
  );
  return {
    format: AUDIT_FORMAT,
    source,
    verdict: verdictOf(document, checks),
    results: document.measurements.map(resultOf),
    rules: rules.map(({ id, title }) => ({ id, title })),
    checks,
    notes: document.notes,
  };
}

async function loadRules(): Promise<Rule[]> {
  const rules: Rule[] = [];
  for (const name of entryNames(CATALOG)) rules.push((await loadEntry(CATALOG, name)) as Rule);
  return rules;
}

function verdictOf({ measurements, scoreTables }: ForeignDocument, checks: readonly AuditCheck[]): string {
  if (measurements.length === 0 && scoreTables.length === 0) return 'No results of a benchmark were found in it.';
  const failed = new Set(checks.filter(({ outcome }) => outcome === 'fails').map(({ rule }) => rule));
  const passed = new Set(checks.filter(({ outcome }) => outcome === 'passes').map(({ rule }) => rule));
  const results = measurements.length === 0 ? 'the table' : count(measurements.length, 'result');
  if (failed.size === 0) {
    return passed.size === 0
      ? `Nothing in ${results} could be checked.`
      : `Nothing contradicts itself: ${results}, ${count(passed.size, 'rule')} checked and passed.`;
  }
  return `The figures do not hold together: ${count(failed.size, 'rule')} fail${failed.size === 1 ? 's' : ''} (${[...failed].join(', ')}).`;
}

function count(number: number, of: string): string {
  return `${number} ${of}${number === 1 ? '' : 's'}`;
}

function resultOf(facts: ForeignDocument['measurements'][number]): AuditedResult {
  const { name, tool, toolVersion, firstLine, lastLine, parts } = facts;
  const figures = parts.reduce((sum, part) => sum + cellsByKey(part).size, cellsByKey(facts).size);
  return { name, tool, ...(toolVersion === undefined ? {} : { toolVersion }), firstLine, lastLine, figures };
}
