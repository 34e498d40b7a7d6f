/**
 * The sheet after a run: what was measured against what the rules ask for, and every deviation that was chosen. Pure:
 * all of it follows from the record.
 */
import { formatCount, formatDuration, formatLatency } from '../../base/units.ts';
import type { ConformanceLine, LatencyRecord, RunRecord } from '../../model/run.ts';
import { fromLatencyRecord } from '../../stats/latency-record.ts';
import { doneByName, paceLines } from './conformance-pace.ts';
import { measuredShare, minimumLine, shareLine } from './conformance-shares.ts';
import { type DeviationName, deviationsOf, PROFILES, PURGE_BREAKS } from './deviations.ts';
import { DEVIATIONS, type Deviation } from './deviations-table.ts';
import type { TpccOptions } from './options.ts';
import { DEFERRED_RESPONSE_MAX_S, RULES, type Switches, TRANSACTION_NAMES, type TransactionName } from './profiles.ts';
import type { TallyName } from './transactions-frame.ts';

const MEASURED_MIN_S = 7_200;
const LIMIT_PERCENTILE = 90;
const SKIPPED_DISTRICTS_MAX = 0.01;

/** As a person calls them. */
const NAMES: Readonly<Record<TransactionName, string>> = {
  new_order: 'new orders',
  payment: 'payments',
  order_status: 'order statuses',
  delivery: 'deliveries',
  stock_level: 'stock levels',
};

export function tpccConformance(run: RunRecord, options: TpccOptions): ConformanceLine[] {
  const on = deviationsOf(options);
  return [
    profileLine(options),
    ...mixLines(run, on),
    ...drawnLines(run, options, on),
    ...responseLines(run, on),
    ...paceLines(run, options, on),
    ...deliveryLines(run, on),
    isolationLine(options),
    lengthLine(run),
    ...missingLines(run),
    ...purgeLines(options),
    ...[...on].map(deviationLine),
  ];
}

function profileLine({ profile, deviations }: TpccOptions): ConformanceLine {
  const { standsFor, notReproduced } = PROFILES[profile];
  const isPlain = profile === 'spec' && deviations.length === 0;
  const note = profile === 'spec' ? '' : [`It stands for ${standsFor}.`, ...notReproduced].join(' ');
  return {
    is: 'Profile',
    measured: [profile, ...deviations].join(', '),
    wanted: 'spec',
    conforms: isPlain ? 'yes' : 'deviates',
    ...(note === '' ? {} : { note }),
  };
}

function mixLines(run: RunRecord, on: Switches): ConformanceLine[] {
  const done = doneByName(run);
  const total = TRANSACTION_NAMES.reduce((sum, name) => sum + done[name], 0);
  return TRANSACTION_NAMES.flatMap((name) => {
    const { shareMin } = RULES[name];
    if (shareMin === undefined) return [];
    const hasMargin = !on.has('mix_without_margin');
    return [minimumLine({ is: `Share of ${NAMES[name]}`, count: done[name], total, wanted: shareMin, hasMargin })];
  });
}

function drawnLines(run: RunRecord, { scale }: TpccOptions, on: Switches): ConformanceLine[] {
  const tally = (name: TallyName) => run.totals.tallies?.[name] ?? 0;
  const { new_order } = doneByName(run);
  const withoutRemote = (...names: readonly DeviationName[]) => {
    if (scale === 1) return { conforms: 'unknown', note: 'Not applicable: there is one warehouse.' } as const;
    const name = names.find((candidate) => on.has(candidate));
    return name === undefined ? undefined : ({ conforms: 'deviates', note: `By ${name}.` } as const);
  };
  return [
    shareLine({
      is: 'Order lines from another warehouse',
      count: tally('remote_order_lines'),
      total: tally('order_lines'),
      wanted: 1,
      excluded: withoutRemote('remote_lines_never', 'remote_lines_on_paper'),
    }),
    shareLine({
      is: 'Payments at another warehouse',
      count: tally('remote_payments'),
      total: tally('payments'),
      wanted: 15,
      excluded: withoutRemote('remote_payments_never'),
    }),
    shareLine({
      is: 'New orders rolled back',
      count: run.totals.transactions.rolledBack?.['new_order'] ?? 0,
      total: new_order,
      wanted: 1,
    }),
    shareLine({ is: 'Payments by last name', count: tally('payments_by_name'), total: tally('payments'), wanted: 60 }),
    shareLine({
      is: 'Order statuses by last name',
      count: tally('order_statuses_by_name'),
      total: tally('order_statuses'),
      wanted: 60,
    }),
  ];
}

function responseLines(run: RunRecord, on: Switches): ConformanceLine[] {
  const responses = TRANSACTION_NAMES.map((name) => ({ name, latency: responseOf(run, name) }));
  const limits = responses.map(({ name, latency }): ConformanceLine => {
    const isDeferred = name === 'delivery' && !on.has('delivery_not_deferred');
    const limitS = isDeferred ? DEFERRED_RESPONSE_MAX_S : RULES[name].responseMaxS;
    const line = { is: `Nine of ten ${NAMES[name]}`, wanted: `within ${limitS} s` };
    if (latency === undefined) return { ...line, measured: 'none done', conforms: 'unknown' };
    const us = fromLatencyRecord(latency).percentileUs(LIMIT_PERCENTILE);
    const isKept = us <= limitS * 1e6;
    return { ...line, measured: `within ${formatLatency(us)}`, conforms: isKept ? 'yes' : 'no' };
  });
  return [...limits, tailLine(responses)];
}

interface Response {
  readonly name: TransactionName;
  readonly latency: LatencyRecord | undefined;
}

/** Clause 5.2.5.4 guards against response times that are bought by letting a few transactions starve. */
function tailLine(responses: readonly Response[]): ConformanceLine {
  const done = responses.flatMap(({ name, latency }) => (latency === undefined ? [] : [{ name, latency }]));
  const isBelow = ({ latency }: { readonly latency: LatencyRecord }) =>
    fromLatencyRecord(latency).percentileUs(LIMIT_PERCENTILE) < latency.meanUs;
  const below = done.filter(isBelow).map(({ name }) => NAMES[name]);
  return {
    is: 'Mean response time',
    measured: below.length === 0 ? 'below the 90th percentile' : `above the 90th percentile for ${below.join(', ')}`,
    wanted: 'not above the 90th percentile',
    conforms: done.length === 0 ? 'unknown' : below.length === 0 ? 'yes' : 'no',
  };
}

/** With terminals from the moment a transaction was due. */
function responseOf(run: RunRecord, name: TransactionName): LatencyRecord | undefined {
  const latency = run.latency.transactions[name];
  const record = latency?.response ?? latency?.service;
  return record === undefined || record.count === 0 ? undefined : record;
}

function deliveryLines(run: RunRecord, on: Switches): ConformanceLine[] {
  const { delivery_districts: districts = 0, delivery_districts_skipped: skipped = 0 } = run.totals.tallies ?? {};
  const unseen = run.totals.tallies?.['delivery_snapshot_misses'] ?? 0;
  const lines: ConformanceLine[] = [
    {
      is: 'Districts that had nothing to deliver',
      measured: measuredShare(skipped, districts),
      wanted: 'at most 1 %',
      conforms: districts === 0 ? 'unknown' : skipped / districts <= SKIPPED_DISTRICTS_MAX ? 'yes' : 'no',
    },
  ];
  if (!on.has('delivery_reads_snapshot')) return lines;
  const misses: ConformanceLine = {
    is: 'Deliveries that did not find their order',
    measured: formatCount(unseen),
    wanted: '0',
    conforms: unseen === 0 ? 'yes' : 'deviates',
    note: 'By delivery_reads_snapshot; each was rolled back.',
  };
  return [...lines, misses];
}

function isolationLine({ trx_level }: TpccOptions): ConformanceLine {
  return {
    is: 'Isolation',
    measured: trx_level,
    wanted: 'RR or SER; RC is enough for stock levels only',
    conforms: trx_level === 'RC' ? 'deviates' : 'yes',
  };
}

function lengthLine({ totals: { elapsedS } }: RunRecord): ConformanceLine {
  return {
    is: 'Measured part',
    measured: formatDuration(elapsedS),
    wanted: `at least ${formatDuration(MEASURED_MIN_S)} in a steady state`,
    conforms: elapsedS >= MEASURED_MIN_S ? 'yes' : 'deviates',
  };
}

/** Silent where all is well. */
function missingLines(run: RunRecord): ConformanceLine[] {
  const missing = run.totals.tallies?.['rows_not_found'] ?? 0;
  if (missing === 0) return [];
  return [
    {
      is: 'Transactions that missed a row they need',
      measured: formatCount(missing),
      wanted: '0',
      conforms: 'no',
      note: 'Each was rolled back. The data are not whole: check names what is wrong, --validate the row.',
    },
  ];
}

function purgeLines({ enable_purge }: TpccOptions): ConformanceLine[] {
  if (!enable_purge) return [];
  const broken = conditionsOf(PURGE_BREAKS);
  return [
    {
      is: 'Old orders',
      measured: 'purged, and ten rows of history with each',
      wanted: 'kept',
      conforms: 'deviates',
      note: `After this run ${broken} of check may not hold any more.`,
    },
  ];
}

function deviationLine(name: DeviationName): ConformanceLine {
  const { is, rule, consequence, breaks = [] }: Deviation = DEVIATIONS[name];
  const broken = breaks.length === 0 ? '' : ` After this run ${conditionsOf(breaks)} of check may not hold any more.`;
  return {
    is: name,
    measured: is.replace(/\.$/, ''),
    wanted: rule.replace(/\.$/, ''),
    conforms: 'deviates',
    note: `${consequence}${broken}`,
  };
}

function conditionsOf(numbers: readonly number[]): string {
  const last = numbers.at(-1);
  return numbers.length === 1 ? `condition ${last}` : `conditions ${numbers.slice(0, -1).join(', ')} and ${last}`;
}
