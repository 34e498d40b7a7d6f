/** The summary that BenchBase (once OLTP-Bench) writes as JSON. */
import { FactsBuilder } from './builder.ts';
import type { Cell, MeasuredFacts, Quantity } from './facts.ts';

/** Its fields by their names, with what one of their unit is in ours. */
const FIELDS: readonly { readonly name: string; readonly quantity: Quantity; readonly scale: number }[] = [
  { name: 'Throughput (requests/second)', quantity: 'eventsPerS', scale: 1 },
  { name: 'Goodput (requests/second)', quantity: 'transactionsPerS', scale: 1 },
  { name: 'Measured Requests', quantity: 'events', scale: 1 },
  { name: 'Elapsed Time (nanoseconds)', quantity: 'elapsedS', scale: 1e-9 },
  { name: 'terminals', quantity: 'threads', scale: 1 },
];
const LATENCIES: readonly { readonly name: string; readonly quantity: Quantity }[] = [
  { name: 'Minimum Latency (microseconds)', quantity: 'latencyMinMs' },
  { name: 'Average Latency (microseconds)', quantity: 'latencyAvgMs' },
  { name: 'Maximum Latency (microseconds)', quantity: 'latencyMaxMs' },
];
const PERCENTILE = /^(?:(\d+)(?:st|nd|rd|th) Percentile|Median) Latency \(microseconds\)$/;
const MS_PER_US = 1e-3;

export function readBenchbase(text: string): MeasuredFacts[] {
  const json = jsonOf(text);
  const latencies = json?.['Latency Distribution'];
  if (json === undefined || typeof latencies !== 'object' || latencies === null) return [];
  const at = placesIn(text);
  const builder = new FactsBuilder();
  for (const { name, quantity, scale } of FIELDS) {
    const cell = cellIn(json, { name, at, scale });
    if (cell !== undefined) builder.set(quantity, cell);
  }
  const byName = latencies as Readonly<Record<string, unknown>>;
  for (const { name, quantity } of LATENCIES) {
    const cell = cellIn(byName, { name, at, scale: MS_PER_US });
    if (cell !== undefined) builder.set(quantity, cell);
  }
  for (const name of Object.keys(byName)) {
    const match = PERCENTILE.exec(name);
    const cell = match === null ? undefined : cellIn(byName, { name, at, scale: MS_PER_US });
    if (match === null || cell === undefined) continue;
    builder.add({ cells: [], percentiles: [{ percentile: Number(match[1] ?? 50), cell }] });
  }
  return builder.isEmpty ? [] : [builder.facts('BenchBase', [])];
}

function jsonOf(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!/^\s*\{/.test(text.slice(0, 200)) || !text.includes('"Latency Distribution"')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    // A file cut in the middle, or JSON with other text around it: it holds nothing that could be trusted.
    return undefined;
  }
}

/** The line of a field, by its name. */
function placesIn(text: string): (name: string) => number {
  const lines = text.split('\n');
  return (name) => lines.findIndex((line) => line.includes(`"${name}"`)) + 1;
}

interface Field {
  readonly name: string;
  readonly at: (name: string) => number;
  readonly scale: number;
}

function cellIn(values: Readonly<Record<string, unknown>>, { name, at, scale }: Field): Cell | undefined {
  const value = values[name];
  // Settings are texts there: "terminals": "2".
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  const isCount = name === 'Measured Requests' || name === 'terminals';
  // Latencies are whole microseconds, the average cut to one; rates have all digits of a double.
  const step = isCount ? 0 : scale === MS_PER_US ? 2 * MS_PER_US : Math.abs(number) * scale * 1e-9;
  return { label: name, line: at(name), written: String(value), value: number * scale, step };
}
