/** What the doctor found, as people read it: the worst first, and at the end what could not be seen. */
import { formatCount } from '../base/units.ts';
import { remedyText } from '../doctor/examine.ts';
import type { CheckLevel, CheckResult, Fix } from '../model/checkup.ts';
import { hangingLines, noteLines } from '../report/layout.ts';

const HEADINGS: Readonly<Record<CheckLevel, string>> = {
  block: 'Blocks: what is measured now would not be valid',
  warning: 'Warnings: what is measured now would be worth less',
  info: 'Good to know',
  unseen: 'Not seen',
  ok: 'In order',
};
const NUMBER_LENGTH = 4;
const INDENT = '  ';

export function countsOf(results: readonly CheckResult[]): Readonly<Record<CheckLevel, number>> {
  const count = (level: CheckLevel) => results.filter((result) => result.level === level).length;
  return {
    block: count('block'),
    warning: count('warning'),
    info: count('info'),
    unseen: count('unseen'),
    ok: count('ok'),
  };
}

export function doctorLines(results: readonly CheckResult[], tookS: number): string[] {
  // Where there is one host, it needs no name.
  const isTwice = ({ check }: CheckResult) => results.filter((each) => each.check === check).length > 1;
  const placeOf = (result: CheckResult) => (isTwice(result) ? ` (${result.at ?? `the ${result.of}`})` : '');
  const of = (level: CheckLevel) => results.filter((result) => result.level === level);
  const sections = (['block', 'warning', 'info'] as const).map((level) =>
    section(level, of(level).flatMap(fullLines), of(level)),
  );
  return [
    ...sections.flat(),
    ...section('unseen', unseenLines(of('unseen'), placeOf), of('unseen')),
    ...section(
      'ok',
      of('ok').flatMap((result) => hangingLines(start(result), result.is + placeOf(result))),
      of('ok'),
    ),
    summary(results, tookS),
  ];
}

function section(level: CheckLevel, lines: readonly string[], results: readonly CheckResult[]): string[] {
  return results.length === 0 ? [] : [`${HEADINGS[level]} (${results.length})`, ...lines, ''];
}

function fullLines(result: CheckResult): string[] {
  const { title, check, is, because, remedy } = result;
  const indent = ' '.repeat(NUMBER_LENGTH + INDENT.length);
  return [
    `${start(result)}${title}${placeText(result)} [${check}]`,
    ...hangingLines(indent, is),
    ...(because === undefined ? [] : hangingLines(indent, because)),
    ...(remedy === undefined ? [] : remedyLines(indent, remedy)),
  ];
}

function remedyLines(indent: string, { is, shell = [], sql = [] }: NonNullable<CheckResult['remedy']>): string[] {
  // A command is copied: it stays on one line, however long.
  const commands = [...shell, ...sql.map((statement) => `${statement};`)];
  return [...hangingLines(`${indent}> `, is), ...commands.map((command) => `${indent}    ${command}`)];
}

function start({ number }: CheckResult): string {
  return `${INDENT}${String(number).padStart(2)}${' '.repeat(NUMBER_LENGTH - 2)}`;
}

function placeText({ of, at }: CheckResult): string {
  return of === 'server' || of === 'plan' || at === undefined ? '' : ` (${at})`;
}

/** Many have one reason: it is said once. */
function unseenLines(results: readonly CheckResult[], placeOf: (result: CheckResult) => string): string[] {
  const reasons = [...new Set(results.map(({ is }) => is))];
  return reasons.flatMap((reason) => {
    const alike = results.filter(({ is }) => is === reason);
    const titles = alike.map((each) => `${each.number} ${each.title}${placeOf(each)}`).join(', ');
    const remedy = alike.find((each) => each.remedy !== undefined)?.remedy;
    const indent = ' '.repeat(NUMBER_LENGTH);
    return [
      ...noteLines(reason),
      ...hangingLines(indent, `${titles}.`),
      ...(remedy === undefined ? [] : hangingLines(`${indent}> `, remedyText(remedy))),
    ];
  });
}

function summary(results: readonly CheckResult[], tookS: number): string {
  const { block, warning, info, unseen, ok } = countsOf(results);
  const counts = [
    `${block} ${block === 1 ? 'block' : 'blocks'}`,
    `${warning} ${warning === 1 ? 'warning' : 'warnings'}`,
    `${info} to know`,
    `${unseen} not seen`,
    `${ok} in order`,
  ];
  return `${counts.join(', ')}: ${formatCount(results.length)} looks in ${tookS.toFixed(1)} s.`;
}

export function fixLines(fixes: readonly Fix[]): string[] {
  if (fixes.length === 0) return ['', 'There is nothing that a command would remedy.'];
  return fixes.flatMap(({ where, kind, commands }) => {
    const comment = kind === 'shell' ? '#' : '--';
    const place = kind === 'shell' ? `On ${where}, in a shell` : `On ${where}, as an administrator`;
    const titles = commands.map((each) => each.for.join('; '));
    return [
      '',
      `${comment} ${place}: nothing of this was carried out.`,
      ...commands.flatMap(({ command }, at) =>
        titles[at] === titles[at - 1] ? [command] : [`${comment} ${titles[at]}`, command],
      ),
    ];
  });
}
