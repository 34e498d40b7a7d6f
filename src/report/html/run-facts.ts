/** What was run, on what, and how to run it again; and what was done beside the committed work. */

import { shellQuoted } from '../../base/shell-words.ts';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatLatency,
  formatPercent,
  formatSignificant,
} from '../../base/units.ts';
import type { EventAccount, StatementAccount } from '../../model/observed.ts';
import type { RunRecord } from '../../model/run.ts';
import { WITHOUT_TEXT } from '../sections/account.ts';
import { CONFORMS_WORDS } from '../sections/own.ts';
import { loadText, targetText } from '../sections/run.ts';
import { wastedWorkFacts } from '../sections/work.ts';
import { type Child, element, given } from './element.ts';
import { type Fact, factColumns, factList, folded, htmlTable } from './table.ts';

export function workContent(run: RunRecord): Child[] {
  return [factList(wastedWorkFacts(run)), ...errorTable(run), ...conformance(run), ...ownTerms(run)];
}

function errorTable({ totals }: RunRecord): Child[] {
  const rows = totals.errors.map(({ code, sqlState, symbol, count, policy, example }) => ({
    cells: [String(code), sqlState, symbol, formatCount(count), policy, example],
  }));
  const columns = [
    { heading: 'code' },
    { heading: 'SQLSTATE' },
    { heading: 'symbol' },
    { heading: 'count', is: 'number' },
    { heading: 'what was done' },
    { heading: 'the first of them' },
  ] as const;
  return [element('h3', {}, 'Errors'), rows.length === 0 ? element('p', {}, 'None.') : htmlTable(columns, rows)];
}

function conformance({ conformance: lines = [], workload }: RunRecord): Child[] {
  if (lines.length === 0) return [];
  const columns = ['rule', 'measured', 'wanted', 'kept', 'note'].map((heading) => ({ heading }));
  const rows = lines.map(({ is, measured, wanted, conforms, note = '' }) => ({
    cells: [is, measured, wanted, CONFORMS_WORDS[conforms], note],
    isStrong: conforms === 'no',
  }));
  return [element('h3', {}, 'Conformance with the rules of ', given(workload.name)), htmlTable(columns, rows)];
}

function ownTerms({ ownTerms: lines = [], workload }: RunRecord): Child[] {
  if (lines.length === 0) return [];
  return [
    element('h3', {}, 'In the terms of ', given(workload.name)),
    element('pre', { dir: 'auto' }, lines.join('\n')),
  ];
}

/** What the server's performance_schema counted. */
export function accountContent({ serverAccount }: RunRecord): Child[] {
  if (serverAccount === undefined) return [];
  const { statements, waits, stages } = serverAccount;
  const columns = [
    { heading: 'statement', is: 'code' },
    ...['count', 'each', 'in all', 'rows examined', 'rows sent', 'errors'].map(
      (heading) => ({ heading, is: 'number' }) as const,
    ),
  ] as const;
  return [
    ...(statements.length === 0
      ? []
      : [element('h3', {}, "Statements by the server's own count"), htmlTable(columns, statements.map(accountRow))]),
    ...eventTable('What the server waited for', waits),
    ...eventTable('Stages of statements', stages),
  ];
}

function accountRow(statement: StatementAccount): { cells: Child[] } {
  const { count, timeS, errors, rowsExamined, rowsSent, of, text } = statement;
  const each = (rows: number) => (count > 0 ? formatSignificant(rows / count) : '-');
  return {
    cells: [
      text ?? WITHOUT_TEXT[of],
      formatCount(count),
      count > 0 ? formatLatency((timeS / count) * 1e6) : '-',
      formatLatency(timeS * 1e6),
      each(rowsExamined),
      each(rowsSent),
      formatCount(errors),
    ],
  };
}

/** The longest; the record has more. */
const EVENTS_SHOWN = 12;

function eventTable(title: string, events: readonly EventAccount[]): Child[] {
  if (events.length === 0) return [];
  const columns = [
    { heading: 'event', is: 'code' },
    { heading: 'times', is: 'number' },
    { heading: 'each', is: 'number' },
    { heading: 'in all', is: 'number' },
  ] as const;
  const rows = events.slice(0, EVENTS_SHOWN).map(({ event, count, timeS }) => ({
    cells: [
      event.replace(/^(?:wait|stage)\//, ''),
      formatCount(count),
      count > 0 ? formatLatency((timeS / count) * 1e6) : '-',
      formatLatency(timeS * 1e6),
    ],
  }));
  return [element('h3', {}, title), htmlTable(columns, rows)];
}

export function clientFacts({ client }: RunRecord): Fact[] {
  const { cpuS, cpuUsPerStatement, eventLoopUtilizationMax, eventLoopDelayP99Ms, scheduleLagP99Ms } = client;
  return [
    ['processor time', `${formatDuration(cpuS)}, ${formatSignificant(cpuUsPerStatement)} us per statement`],
    [
      'event loop',
      `busy ${formatPercent(eventLoopUtilizationMax)}, delay p99 ${formatSignificant(eventLoopDelayP99Ms)} ms`,
    ],
    ...(scheduleLagP99Ms === undefined
      ? []
      : [['schedule lag', `p99 ${formatSignificant(scheduleLagP99Ms)} ms`] as const]),
    ['memory', `${formatBytes(client.memoryPeakBytes)} at its peak`],
  ];
}

/** Breaks between words alone, where that is possible. */
export function commandBlock(command: readonly string[]): Child {
  const words = command
    .map(shellQuoted)
    .flatMap((word, at) => [at > 0 ? ' ' : '', element('span', { class: 'argument' }, word)]);
  return element('pre', { dir: 'ltr' }, ...words);
}

export function reproduceContent(run: RunRecord): Child[] {
  const { command, seed, load, workload, target, startedAt, endedAt, sqldyno, client } = run;
  const isSeeded = command.some((word) => /^--rand[-_]seed=/.test(word));
  const options = Object.entries(workload.options).map(([name, value]) => `${name}=${String(value)}`);
  // Whole files, such as scripts, are in the record for who wants to run them again.
  const shown = options.filter((text) => !text.includes('\n'));
  return [
    commandBlock(command),
    isSeeded
      ? null
      : element('p', {}, `With --rand-seed=${seed} it sends the same statements as this run, from the same data.`),
    factList([
      ['workload', [workload.name, ...shown].join(' ')],
      ['load', loadText(load)],
      ['target', targetText(target)],
      ['seed', String(seed)],
      ['time', `${startedAt} to ${endedAt}`],
      ['program', `sqldyno ${sqldyno.version}, Node ${client.node}`],
    ]),
  ];
}

type Facts = Readonly<Record<string, string | number | boolean>>;

export function environmentContent({ environment, host }: RunRecord): Child[] {
  if (environment === undefined) return [element('h3', {}, 'Client'), factTable(host)];
  const { server, host: serverHost, client } = environment;
  const plain = Object.fromEntries(Object.entries(server).filter(([name]) => !SET.test(name)));
  const isOneHost = serverHost['bootId'] !== undefined && serverHost['bootId'] === client['bootId'];
  return [
    ...titled('Server', plain),
    ...titled(isOneHost ? 'Host of server and client' : 'Host of the server', serverHost),
    ...(isOneHost ? [] : titled('Client', client)),
  ];
}

function titled(title: string, facts: Facts): Child[] {
  return Object.keys(facts).length === 0 ? [] : [element('h3', {}, title), factTable(facts)];
}

function factTable(facts: Facts): Child {
  return factColumns(Object.entries(facts).map(([name, value]): Fact => [given(name), factText(name, value)]));
}

export function factText(name: string, value: Facts[string]): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' && /Bytes$/.test(name) ? formatBytes(value) : String(value);
}

const SET = /^set(-at-runtime)?\./;

/** Variables that somebody has set, and those that matter most whether set or not. */
export function variablesContent({ environment, target }: RunRecord): Child[] {
  const set = Object.entries(environment?.server ?? {}).filter(([name]) => SET.test(name));
  const rows = set.map(([name, value]) => ({
    cells: [name.replace(SET, ''), String(value), name.startsWith('set-at-runtime.') ? 'at runtime' : 'at start'],
  }));
  const recorded = Object.entries(target.variables).map(([name, value]) => ({ cells: [name, value] }));
  const columns = [
    { heading: 'variable', is: 'code' },
    { heading: 'value', is: 'code' },
  ] as const;
  return [
    rows.length === 0
      ? element('p', {}, 'It is not known which of the server’s variables somebody has set.')
      : htmlTable([...columns, { heading: 'set' }], rows),
    recorded.length === 0
      ? null
      : folded(`All ${formatCount(recorded.length)} variables that were read`, htmlTable(columns, recorded)),
  ];
}
