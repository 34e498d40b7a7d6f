/** `sqldyno machine`: what this machine can do, on a card; cards made before, and two of them side by side. */
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { unreachable } from '../../base/assert.ts';
import { nowMs } from '../../base/clock.ts';
import { ExitCode } from '../../base/errors.ts';
import { type MachineResult, measureMachine } from '../../machine/card/measure-machine.ts';
import { MACHINE_FORMAT, type MachineCard } from '../../model/machine-card.ts';
import { type Column, tableLines } from '../../report/layout.ts';
import { machineCardText } from '../../report/machine-card-text.ts';
import { compareCards, type MachineComparison } from '../../report/machine-compare.ts';
import { machineComparisonText } from '../../report/machine-compare-text.ts';
import { type CardStore, openCardStore } from '../../store/machine-cards.ts';
import { newRunId } from '../../store/run-id.ts';
import { openMachineHost, usableMemoryBytes, usableThreads } from '../machine-host.ts';
import { type MachineLine, machineHelp, readMachineLine } from '../machine-line.ts';
import { networkMeasurement, networkOf } from '../machine-network.ts';
import { openMachineView } from '../machine-view.ts';
import { type OpenTarget, openTarget } from '../open-target.ts';
import type { Session } from '../session.ts';
import { jsonText } from '../terminal.ts';
import { programVersion } from '../version.ts';

export async function machineCommand(
  args: readonly string[],
  storeDirectory: string | undefined,
  session: Session,
): Promise<ExitCode> {
  const line = readMachineLine(args);
  const { terminal } = session;
  for (const note of line.notes) terminal.warn(`Note: ${note}`);
  const store = openCardStore(storeDirectory);
  switch (line.action.is) {
    case 'help':
      terminal.say(machineHelp(terminal.columns));
      return ExitCode.done;
    case 'list':
      return listCards(store, session);
    case 'show':
      return showCard(line.action.card, line.options.compare, store, session);
    case 'measure':
      return measure(line, { store, storeDirectory }, session);
    default:
      return unreachable(line.action);
  }
}

const COLUMNS: readonly Column[] = [
  { heading: 'card', align: 'left' },
  { heading: 'machine', align: 'left' },
  { heading: 'processors', align: 'left' },
];

async function listCards(store: CardStore, { terminal }: Session): Promise<ExitCode> {
  const { cards, skipped } = await store.list();
  const summaries = cards.map(({ id, name, startedAt, isQuick, facts }) => ({ id, name, startedAt, isQuick, facts }));
  terminal.json(jsonText(summaries));
  for (const { path, because } of skipped) terminal.warn(`Note: ${path} is passed over: ${because}`);
  if (terminal.wantsJson) return ExitCode.done;
  if (cards.length === 0) {
    terminal.say(`No cards in ${store.directory} yet. The first one: sqldyno machine`);
    return ExitCode.done;
  }
  const rows = cards.map(({ id, name, facts }) => [id, name, processorsOf(facts)]);
  for (const row of tableLines(COLUMNS, rows)) terminal.say(row.trimStart());
  terminal.say(`\nEach is a file in ${store.directory}, which can be copied to another machine.`);
  return ExitCode.done;
}

function processorsOf(facts: MachineCard['facts']): string {
  return `${facts['process.cores'] ?? facts['cpu.threads'] ?? '?'} x ${facts['cpu.model'] ?? 'unknown'}`;
}

async function showCard(
  reference: string,
  compare: string,
  store: CardStore,
  { terminal }: Session,
): Promise<ExitCode> {
  const card = await store.load(reference);
  if (compare === '') {
    terminal.json(jsonText(card));
    if (!terminal.wantsJson) terminal.say(machineCardText(card).trimEnd());
    return ExitCode.done;
  }
  const comparison = compareCards(card, await store.load(compare));
  terminal.json(jsonText(comparison));
  if (!terminal.wantsJson) terminal.say(machineComparisonText(comparison).trimEnd());
  return ExitCode.done;
}

interface CardPlace {
  readonly store: CardStore;
  readonly storeDirectory: string | undefined;
}

async function measure(line: MachineLine, place: CardPlace, session: Session): Promise<ExitCode> {
  const { terminal } = session;
  const { store } = place;
  const other = line.options.compare === '' ? undefined : await store.load(line.options.compare);
  await store.ensureWritable();
  const target = line.hasTarget ? await openServer(line, place.storeDirectory, session) : undefined;
  const card = await measureShown(line, target, place, session);
  const isWhole = card.ending.kind === 'time';
  const comparison = other === undefined || !isWhole ? undefined : compareCards(card, other);
  terminal.say(machineCardText(card).trimEnd());
  if (comparison !== undefined) terminal.say(`\n${machineComparisonText(comparison).trimEnd()}`);
  const path = isWhole ? await store.save(card) : undefined;
  terminal.say(
    path === undefined
      ? '\nThe card is not whole, and was not kept.'
      : `\nKept as ${path}: a file to copy and compare.`,
  );
  terminal.json(jsonText(jsonOf(card, comparison)));
  return exitCodeOf(card);
}

function jsonOf(card: MachineCard, comparison: MachineComparison | undefined): unknown {
  return comparison === undefined ? card : { card, comparison };
}

function exitCodeOf({ ending, findings, figures }: MachineCard): ExitCode {
  if (ending.kind === 'interrupted') return ExitCode.interrupted;
  const isInvalid = findings.some(({ severity }) => severity === 'invalid');
  return isInvalid || figures.length === 0 ? ExitCode.runFailed : ExitCode.done;
}

async function openServer(
  { target, given }: MachineLine,
  storeDirectory: string | undefined,
  { terminal, interrupts }: Session,
): Promise<OpenTarget> {
  const opened = await openTarget(
    { target, given, output: { store: storeDirectory ?? '' } },
    {
      signal: interrupts.signal,
      onNote: (note) => terminal.warn(note),
      database: { is: 'made' },
    },
  );
  const several = opened.connections.length > 1 ? ['of several servers, the way to the first one is measured'] : [];
  for (const note of [...opened.notes, ...several]) terminal.warn(`Note: ${note}`);
  return opened;
}

async function measureShown(
  line: MachineLine,
  target: OpenTarget | undefined,
  { store }: CardPlace,
  { terminal, interrupts, command }: Session,
): Promise<MachineCard> {
  const { file_dir, file_engine, quick, name } = line.options;
  const directory = file_dir === '' ? store.directory : resolve(file_dir);
  const startedAtMs = nowMs();
  const host = await openMachineHost(directory);
  const [server] = target?.connections ?? [];
  const plan = {
    directory,
    timeS: line.timeS,
    engine: file_engine,
    threads: usableThreads(),
    memoryBytes: usableMemoryBytes(),
    isQuick: quick,
    more: server === undefined ? [] : [networkMeasurement(server)],
  };
  const measured = await measuring(terminal, (view) => measureMachine(plan, view, interrupts));
  return {
    format: MACHINE_FORMAT,
    id: newRunId(startedAtMs, name === '' ? hostname() : name),
    name: name === '' ? hostname() : name,
    startedAt: new Date(startedAtMs).toISOString(),
    endedAt: new Date(nowMs()).toISOString(),
    sqldyno: { version: programVersion() },
    command,
    node: process.versions.node,
    isQuick: quick,
    facts: host.facts,
    ...measured,
    findings: [...measured.findings, ...(await host.findings())],
    ...(target === undefined ? {} : { network: networkOf(target) }),
  };
}

async function measuring(
  terminal: Session['terminal'],
  work: (view: ReturnType<typeof openMachineView>) => Promise<MachineResult>,
): Promise<MachineResult> {
  using view = openMachineView(terminal);
  return await work(view);
}
