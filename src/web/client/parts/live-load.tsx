/** A load while it is applied: how far it is, its figures of the last second, and how they went until now. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { formatCount, formatDuration, formatSignificant } from '../../../base/units.ts';
import type { ChartData, LiveInterval, LiveLoad } from '../../api.ts';
import type { Watched } from '../use-activity.ts';
import { Chart } from './chart.tsx';
import { Figures } from './figures.tsx';

const TICK_MS = 500;
const PERCENTILE = 95;

interface LiveLoadProps {
  readonly load: LiveLoad | undefined;
  readonly watched: Watched;
}

export function LiveLoadView({ load, watched: { intervals, toldAtMs } }: LiveLoadProps): JSX.Element {
  const percentile = load?.percentile ?? PERCENTILE;
  const charts = useMemo(() => chartsOf(intervals, percentile), [intervals, percentile]);
  const last = intervals.at(-1);
  return (
    <>
      {load !== undefined && <Phase load={load} toldAtMs={toldAtMs} />}
      {load !== undefined && last !== undefined && <Figures figures={figuresOf(intervals, last, percentile)} />}
      {intervals.length > 1 && (
        <div class="charts">
          {charts.map((chart) => (
            <Chart key={chart.title} chart={chart} />
          ))}
        </div>
      )}
    </>
  );
}

function Phase({ load, toldAtMs }: { readonly load: LiveLoad; readonly toldAtMs: number }): JSX.Element | null {
  const [nowMs, setNowMs] = useState(() => performance.now());
  useEffect(() => {
    const ticking = setInterval(() => setNowMs(performance.now()), TICK_MS);
    return () => clearInterval(ticking);
  }, []);
  const { phase, phaseElapsedS, phaseTotalS } = load;
  if (phaseTotalS === 0) return null;
  const elapsedS = phaseElapsedS + Math.max(0, nowMs - toldAtMs) / 1_000;
  const leftS = Math.max(0, phaseTotalS - elapsedS);
  const words = leftS === 0 ? 'finishing' : `${formatDuration(Math.ceil(leftS)).replace(/\.\d+ s$/, ' s')} left`;
  return (
    <div class="progress">
      <progress value={Math.min(elapsedS, phaseTotalS)} max={phaseTotalS} aria-label={phase} />
      <span>{words}</span>
    </div>
  );
}

function figuresOf(intervals: readonly LiveInterval[], last: LiveInterval, percentile: number) {
  const sum = (of: (interval: LiveInterval) => number) => intervals.reduce((total, each) => total + of(each), 0);
  const ms = (value: number | undefined) => (value === undefined ? '-' : formatSignificant(value));
  return [
    { label: 'transactions/s', value: formatSignificant(last.transactionsPerS) },
    { label: 'p50 ms', value: ms(last.p50Ms) },
    { label: `p${percentile} ms`, value: ms(last.percentileMs) },
    { label: 'errors', value: formatCount(sum(({ errors }) => errors)) },
    { label: 'retries', value: formatCount(sum(({ retries }) => retries)) },
    ...(last.queueLength === undefined ? [] : [{ label: 'waiting', value: formatCount(last.queueLength) }]),
  ];
}

function chartsOf(intervals: readonly LiveInterval[], percentile: number): ChartData[] {
  const atS = intervals.map((interval) => interval.atS);
  return [
    {
      title: 'Transactions',
      unit: '1/s',
      atS,
      lines: [{ name: 'transactions', points: intervals.map(({ transactionsPerS }) => transactionsPerS) }],
    },
    {
      title: 'Latency',
      unit: 'ms',
      atS,
      lines: [
        { name: 'p50', points: intervals.map(({ p50Ms }) => p50Ms ?? null) },
        { name: `p${percentile}`, points: intervals.map(({ percentileMs }) => percentileMs ?? null) },
      ],
    },
  ];
}
