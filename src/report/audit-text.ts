/** An audit for people: the verdict, what fails with its reckoning, what cannot be told, and what passed. */
import type { AuditCheck, AuditedResult, AuditReport } from '../model/audit.ts';
import { hangingLines, LINE_LENGTH } from './layout.ts';

/** Results beyond this are only counted: the checks below name those that matter. */
const RESULTS_SHOWN_MAX = 12;
/** Cells of one finding. */
const CELLS_SHOWN_MAX = 8;
const GROUP_INDENT = ' '.repeat(9);
/** Two lines of them. */
const NAMES_LENGTH_MAX = 2 * LINE_LENGTH;

export function auditReportText(report: AuditReport): string {
  const { checks } = report;
  const failing = checks.filter(({ outcome }) => outcome === 'fails');
  const paragraphs = [
    hangingLines('', report.verdict),
    ...report.notes.map((note) => hangingLines('Note: ', note)),
    resultLines(report.results),
    ...(failing.length === 0 ? [] : [['Fails'], ...together(failing).map(findingLines)]),
    groupLines(report, { heading: 'Cannot be told', outcome: 'cannot tell' }),
    groupLines(report, { heading: 'Checked and passed', outcome: 'passes' }),
  ];
  const shown = paragraphs.filter((lines) => lines.length > 0);
  return `${shown.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function resultLines(results: readonly AuditedResult[]): string[] {
  if (results.length === 0) return [];
  const shown = results.slice(0, RESULTS_SHOWN_MAX).flatMap(({ name, tool, toolVersion, figures }) => {
    const version = toolVersion === undefined ? '' : ` ${toolVersion}`;
    return hangingLines('  ', `${name}: ${tool}${version}, ${figures} figures`);
  });
  const more = results.length - RESULTS_SHOWN_MAX;
  return ['Read', ...shown, ...(more > 0 ? [`  and ${more} more`] : [])];
}

/** What is said of several results in the same words is said once. */
function together(checks: readonly AuditCheck[]): AuditCheck[] {
  const bySentence = new Map<string, AuditCheck>();
  for (const check of checks) {
    const key = [check.rule, check.is, ...check.arithmetic].join('\n');
    const known = bySentence.get(key);
    bySentence.set(
      key,
      known === undefined
        ? check
        : { ...known, of: `${known.of}; ${check.of}`, cells: [...known.cells, ...check.cells] },
    );
  }
  return [...bySentence.values()];
}

function findingLines({ rule, of, is, arithmetic, cells }: AuditCheck): string[] {
  return [
    ...hangingLines(`  ${rule.padEnd(4)} `, `${of}: ${is}`),
    ...arithmetic.flatMap((line) => hangingLines('         ', line)),
    ...cellLines(cells),
  ];
}

function cellLines(cells: AuditCheck['cells']): string[] {
  if (cells.length === 0) return [];
  const named = cells.slice(0, CELLS_SHOWN_MAX).map(({ label, column, line, written }) => {
    const where = column === undefined ? `line ${line}` : `${column}, line ${line}`;
    return `${label} ${written} (${where})`;
  });
  const more = cells.length - named.length;
  return hangingLines('       cells: ', `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`);
}

interface Group {
  readonly heading: string;
  readonly outcome: AuditCheck['outcome'];
}

/** By rule; of each rule all that has the same reckoning, or where there is none the same sentence, together. */
function groupLines({ rules, checks }: AuditReport, { heading, outcome }: Group): string[] {
  const lines = rules.flatMap(({ id, title }) => {
    const own = checks.filter((check) => check.rule === id && check.outcome === outcome);
    if (own.length === 0) return [];
    const alike = new Map<string, AuditCheck[]>();
    for (const check of own) {
      const key = [check.is, ...check.arithmetic].join('\n');
      alike.set(key, [...(alike.get(key) ?? []), check]);
    }
    return [...hangingLines(`  ${id.padEnd(4)} `, title), ...[...alike.values()].flatMap(alikeLines)];
  });
  return lines.length === 0 ? [] : [heading, ...lines];
}

/** Where a reckoning passes, it says all that its sentence does. */
function alikeLines(checks: readonly AuditCheck[]): string[] {
  const [first] = checks;
  if (first === undefined) return [];
  const names = joined(checks.map(({ of }) => of));
  const isClear = first.outcome === 'passes' && first.arithmetic.length > 0;
  return [
    ...hangingLines(GROUP_INDENT, isClear ? names : `${names}: ${first.is}`),
    ...first.arithmetic.flatMap((line) => hangingLines(`${GROUP_INDENT}  `, line)),
  ];
}

/** `Table 6, gp3; Table 6, io1`; of very many only how many more. */
function joined(names: readonly string[]): string {
  const shown: string[] = [];
  for (const name of names) {
    if (shown.length > 0 && [...shown, name].join('; ').length > NAMES_LENGTH_MAX) break;
    shown.push(name);
  }
  const more = names.length - shown.length;
  return `${shown.join('; ')}${more > 0 ? ` and ${more} more` : ''}`;
}
