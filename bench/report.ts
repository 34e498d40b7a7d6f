/** `npm run bench:report`: how long the page of an hour takes, with fifty series by seconds, and its size. */
import { monotonicMs } from '../src/base/clock.ts';
import { formatBytes } from '../src/base/units.ts';
import htmlReport from '../src/report/catalog/html.ts';
import { watchedRun } from '../test/fixtures/sample-watched.ts';
import { median } from './pairs.ts';

const TIMES = 7;
const HOUR_S = 3_600;
const MORE_SERIES = 31;
const US_PER_MS = 1_000;

const run = watchedRun({ seconds: HOUR_S, moreSeries: MORE_SERIES });
const series = Object.values(run.series ?? {}).reduce((sum, { values }) => sum + Object.keys(values).length, 0);
const took: number[] = [];
const cpuMs: number[] = [];
let page = '';
for (let time = 0; time < TIMES; time++) {
  const begunMs = monotonicMs();
  const before = process.cpuUsage();
  page = htmlReport.render({ runs: [run] });
  took.push(monotonicMs() - begunMs);
  const { user, system } = process.cpuUsage(before);
  cpuMs.push((user + system) / US_PER_MS);
}
console.log(`an hour by seconds, ${series} series: ${formatBytes(Buffer.byteLength(page))}`);
for (const [what, ms] of [
  ['elapsed', took],
  ['processor time', cpuMs],
] as const) {
  console.log(`${what}: ${Math.round(ms[0] ?? 0)} ms at first, median of ${TIMES}: ${Math.round(median(ms))} ms`);
}
