/** The text format of Prometheus (prometheus.io, "Exposition formats", version 0.0.4), as far as exporters use it. */

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Samples by metric, in order. */
export type Metrics = ReadonlyMap<string, readonly Sample[]>;

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*/;
const LABEL = /\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*,?/y;
/** The value, and a time stamp, which is not needed. */
const VALUE = /^\s*(\S+)(?:\s+-?\d+)?\s*$/;

/** Lines that are none of the format's are left out: a page that is cut off, or none at all, gives what it has. */
export function parseMetrics(text: string, isWanted: (name: string) => boolean = () => true): Metrics {
  const metrics = new Map<string, Sample[]>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const name = NAME.exec(line)?.[0];
    if (name === undefined || !isWanted(name)) continue;
    const sample = sampleIn(line.slice(name.length));
    if (sample === undefined) continue;
    const known = metrics.get(name);
    if (known === undefined) metrics.set(name, [sample]);
    else known.push(sample);
  }
  return metrics;
}

function sampleIn(rest: string): Sample | undefined {
  const labels: Record<string, string> = {};
  let after = rest;
  if (rest.startsWith('{')) {
    LABEL.lastIndex = 1;
    let end = 1;
    for (let match = LABEL.exec(rest); match !== null; match = LABEL.exec(rest)) {
      labels[match[1]!] = unescaped(match[2]!);
      end = LABEL.lastIndex;
    }
    const close = /^\s*\}/.exec(rest.slice(end));
    if (close === null) return undefined;
    after = rest.slice(end + close[0].length);
  }
  const value = VALUE.exec(after)?.[1];
  const number = value === undefined ? undefined : numberOf(value);
  return number === undefined ? undefined : { labels, value: number };
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));
}

function numberOf(text: string): number | undefined {
  if (/^[+-]?Inf$/i.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (/^NaN$/i.test(text)) return Number.NaN;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}
