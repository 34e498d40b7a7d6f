/** A run as its page shows it: pure. */
import { formatBytes, formatCount, formatDuration, formatPercent, formatSignificant } from '../base/units.ts';
import { tells } from '../model/imported.ts';
import type { Finding, RunRecord, Severity } from '../model/run.ts';
import { commandAgain } from '../report/command-again.ts';
import { latencyOfAll, percentilesMs } from '../report/percentiles.ts';
import { errorCountOf, runHeadline } from '../report/run-headline.ts';
import { SHARES } from '../report/sections/diagnosis.ts';
import type { FactGroup, ReportForm, RunPage } from './api.ts';
import { loadCharts, observedCharts } from './run-charts.ts';
import { placeOf } from './run-row.ts';
import { runTables } from './run-tables.ts';

const PERCENTILES = [50, 95, 99] as const;
const SEVERITIES: readonly Severity[] = ['invalid', 'warning', 'info'];
/** A smaller share says nothing. */
const SHARE_MIN = 0.005;

export function runPage(run: RunRecord, forms: readonly ReportForm[]): RunPage {
  const { id, workload, startedAt, ending, tags, experiment, grade, durability, phases = [], events = [] } = run;
  return {
    id,
    workload: workload.name,
    startedAt,
    headline: runHeadline(run),
    isValid: !run.findings.some(({ severity }) => severity === 'invalid'),
    isWhole: ending.kind === 'time' || ending.kind === 'events',
    tags,
    ...(experiment === undefined ? {} : { experiment: placeOf(experiment) }),
    ...(grade === undefined ? {} : { grade }),
    ...(durability === undefined ? {} : { durability }),
    figures: figures(run),
    charts: loadCharts(run),
    observed: observedCharts(run),
    phases,
    events,
    tables: runTables(run),
    findings: gravestFirst(run.findings),
    ...(run.diagnosis === undefined ? {} : { diagnosis: run.diagnosis }),
    crossCheck: run.crossCheck,
    environment: environment(run),
    budget: budget(run),
    command: commandAgain(run),
    forms,
  };
}

function figures(run: RunRecord): RunPage['figures'] {
  const { rates, totals, client } = run;
  const { committed } = totals.transactions;
  const latency = latencyOfAll(run);
  const ms = latency.count === 0 ? [] : percentilesMs(latency, PERCENTILES);
  const all = [
    {
      of: 'rates.transactionsPerS',
      label: 'transactions/s',
      value: formatSignificant(rates.transactionsPerS),
      note: `${formatCount(committed)} in ${formatDuration(totals.elapsedS)}`,
    },
    { of: 'rates.statementsPerS', label: 'statements/s', value: formatSignificant(rates.statementsPerS) },
    ...ms.map((value, at) => ({
      of: 'latency',
      label: `p${PERCENTILES[at]} ms`,
      value: formatSignificant(value),
    })),
    ...(latency.count === 0
      ? []
      : [{ of: 'latency', label: 'max ms', value: formatSignificant(latency.maxUs / 1_000) }]),
    { of: 'totals.errors', label: 'errors', value: formatCount(errorCountOf(run)) },
    {
      of: 'client',
      label: 'client us/statement',
      value: formatSignificant(client.cpuUsPerStatement),
      note: `busy ${formatPercent(client.eventLoopUtilizationMax)}`,
    },
  ];
  // What another tool did not tell stands as a zero in the record, and would be a lie here.
  return all.filter(({ of }) => tells(run, of)).map(({ of: _of, ...figure }) => figure);
}

function gravestFirst(findings: readonly Finding[]): Finding[] {
  return SEVERITIES.flatMap((severity) => findings.filter((finding) => finding.severity === severity));
}

function budget({ diagnosis }: RunRecord): RunPage['budget'] {
  return Object.entries(diagnosis?.budget?.shares ?? {})
    .filter(([, share]) => share >= SHARE_MIN)
    .sort(([, one], [, other]) => other - one)
    .map(([name, share]) => ({ name: SHARES[name] ?? name, share }));
}

function environment(run: RunRecord): FactGroup[] {
  const { target, environment: seen, load, workload, client, sqldyno, seed } = run;
  const roundTrip = seen?.roundTripUs;
  const groups: readonly { readonly title: string; readonly facts: Readonly<Record<string, unknown>> }[] = [
    { title: 'Workload', facts: { name: workload.name, ...workload.options } },
    {
      title: 'Load',
      facts: {
        mode: load.mode,
        threads: formatCount(load.threads),
        workers: load.workers,
        time: formatDuration(load.timeS),
        'warm-up': formatDuration(load.warmupS),
        ...(load.ratePerS === undefined ? {} : { rate: `${formatSignificant(load.ratePerS)}/s` }),
        'prepared statements': load.preparedStatements,
        seed,
      },
    },
    {
      title: 'Server',
      facts: {
        is: `${target.flavor} ${target.version}`,
        address: target.address,
        user: target.user,
        database: target.database,
        tls: target.tls ?? 'none',
        ...(roundTrip === undefined ? {} : { 'round trip p50': `${formatSignificant(roundTrip.p50)} us` }),
        ...seen?.server,
      },
    },
    { title: "Server's settings", facts: target.variables },
    { title: "Server's host", facts: seen?.host ?? {} },
    {
      title: 'Client',
      facts: {
        sqldyno: sqldyno.version,
        node: client.node,
        'memory at its peak': formatBytes(client.memoryPeakBytes),
        ...(seen?.client ?? run.host),
      },
    },
  ];
  return groups
    .map(({ title, facts }) => ({
      title,
      facts: Object.entries(facts).map(([name, value]) => ({ name, value: inText(value) })),
    }))
    .filter(({ facts }) => facts.length > 0);
}

function inText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number' || typeof value === 'string') return String(value);
  return JSON.stringify(value) ?? '';
}
