/**
 * Reports of sysbench 0.4, 0.5, 1.0 and 1.1, and of scripts for it such as sysbench-tpcc: with progress,
 * histogram and checkpoints, also where a page has lost the indentation, and also where the end is missing.
 */
import { FactsBuilder } from './builder.ts';
import type { MeasuredFacts, ProgressLine, Quantity } from './facts.ts';
import { beginsReport, readingOf, readValue, type Section, sectionOf } from './labels.ts';
import { cellOf, numberAtStart } from './numbers.ts';

/** Prose between the parts of one report: more than this, and the report is over. */
const OTHER_LINES_MAX = 6;

/** Where these come again without a heading, the next report has begun. */
const BEGIN_A_REPORT: ReadonlySet<Quantity> = new Set<Quantity>(['reads', 'transactions']);

const BANNER = /^\s*sysbench (\d+\.\d+(?:\.\d+)?)\S*(?:\s+\(using|:\s+multi-threaded)/;
const LABELLED = /^\s*([A-Za-z0-9][\w ./()-]{1,50}?):\s*(\S.*)?$/;
const HISTOGRAM = /^\s*(\d+\.\d{3}) \|[* ]*\s(\d+)\s*$/;
/** Of 1.x; the queries are missing in tests without a database. */
const PROGRESS_1 = joined(
  /^\s*\[ *(\d+)s *\] thds: (\d+) (?:tps|eps): ([\d.]+)/,
  /(?: qps: [\d.]+ \(r\/w\/o: ([\d.]+)\/([\d.]+)\/([\d.]+)\))?/,
  / lat \(ms,(\d+)%\): ([\d.]+)(?: err\/s: ([\d.]+) reconn\/s: ([\d.]+))?/,
);
/** Of 0.5. */
const PROGRESS_0 = joined(
  /^\s*\[ *(\d+)s *\] threads: (\d+), tps: ([\d.]+), reads(?:\/s)?: ([\d.]+), writes(?:\/s)?: ([\d.]+)/,
  /, response time: ([\d.]+)ms \((\d+)%\)(?:, errors: +([\d.]+), reconnects: +([\d.]+))?/,
);

function joined(...parts: readonly RegExp[]): RegExp {
  return new RegExp(parts.map(({ source }) => source).join(''));
}

export function readSysbench(lines: readonly string[]): MeasuredFacts[] {
  const reader = new SysbenchReader();
  for (const [at, line] of lines.entries()) reader.take(line, at + 1);
  return reader.finish();
}

class SysbenchReader {
  readonly #found: MeasuredFacts[] = [];
  #current = new FactsBuilder();
  #section: Section | undefined;
  #otherLines = 0;

  take(text: string, line: number): void {
    if (text.trim() === '') return;
    if (this.#takeHeading(text, line) || this.#takeProgress(text, line) || this.#takeLabelled(text, line)) {
      this.#otherLines = 0;
      return;
    }
    this.#otherLines++;
    if (this.#otherLines > OTHER_LINES_MAX) this.#close();
  }

  finish(): MeasuredFacts[] {
    this.#close();
    return this.#found;
  }

  #takeHeading(text: string, line: number): boolean {
    const version = BANNER.exec(text)?.[1];
    if (version !== undefined) {
      this.#close();
      this.#current.heading.toolVersion = version;
      this.#current.touch(line);
      return true;
    }
    const threads = /^\s*Number of threads: (\d+)\s*$/.exec(text)?.[1];
    if (threads !== undefined) {
      if (!this.#current.isEmpty) this.#close();
      const number = numberAtStart(threads);
      if (number !== undefined) this.#current.set('threads', cellOf(number, { label: 'Number of threads', line }));
      return true;
    }
    const rate = /^\s*Target transaction rate: (\d+)\/sec/.exec(text)?.[1];
    if (rate !== undefined) this.#current.heading.ratePerS = Number(rate);
    if (/^\s*\[ *\d+s *\] Checkpoint report:/.test(text)) {
      if (!this.#current.isEmpty) this.#close({ keepsHeading: true });
      this.#current.heading.isBetweenCheckpoints = true;
      this.#section = undefined;
      return true;
    }
    return rate !== undefined;
  }

  #takeProgress(text: string, line: number): boolean {
    const progress = progressOf(text, line);
    if (progress !== undefined) {
      // A run that has printed its result prints no more of these: they are the next one's.
      if (!this.#current.isEmpty) this.#close({ keepsHeading: this.#current.heading.isBetweenCheckpoints === true });
      this.#current.touch(line);
      this.#current.progress.push(progress);
      return true;
    }
    const [, value, count] = HISTOGRAM.exec(text) ?? [];
    if (value === undefined) return false;
    this.#current.touch(line);
    this.#current.histogram.push({ line, valueMs: Number(value), count: Number(count) });
    return true;
  }

  #takeLabelled(text: string, line: number): boolean {
    const [, label = '', value] = LABELLED.exec(text) ?? [];
    if (label === '') return false;
    if (value === undefined) {
      const section = sectionOf(label);
      if (section === undefined) return false;
      if (beginsReport(label) && !this.#current.isEmpty) {
        this.#close({ keepsHeading: this.#current.heading.isBetweenCheckpoints === true });
      }
      this.#section = section;
      this.#current.touch(line);
      return true;
    }
    const reading = readingOf(label, this.#section);
    if (reading === undefined) return false;
    const found = readValue(value, reading, { label: label.trim(), line });
    if (found === undefined) return /^\s*disabled/.test(value);
    if (found.cells.some(([quantity]) => BEGIN_A_REPORT.has(quantity) && this.#current.cells[quantity] !== undefined)) {
      const section = this.#section;
      this.#close();
      this.#section = section;
    }
    this.#current.add(found);
    return true;
  }

  #close({ keepsHeading = false } = {}): void {
    const closed = this.#current;
    this.#current = new FactsBuilder();
    this.#section = undefined;
    this.#otherLines = 0;
    if (keepsHeading) {
      Object.assign(this.#current.heading, closed.heading);
      if (closed.cells.threads !== undefined) this.#current.cells.threads = closed.cells.threads;
    }
    const isResult = !closed.isEmpty || closed.progress.length > 0;
    if (isResult && isSysbench(closed)) this.#found.push(closed.facts('sysbench', cutOffOf(closed)));
  }
}

/** A lone `total time:` may stand in any text. */
function isSysbench({ cells, percentiles, progress }: FactsBuilder): boolean {
  return progress.length > 0 || Object.keys(cells).length + percentiles.length >= 3;
}

function progressOf(text: string, line: number): ProgressLine | undefined {
  const newer = PROGRESS_1.exec(text);
  if (newer !== null) {
    const [, end, threads, tps, reads, writes, others, , latency, errors, reconnects] = newer;
    return {
      line,
      endS: Number(end),
      threads: Number(threads),
      transactionsPerS: Number(tps),
      ...optional({ readsPerS: reads, writesPerS: writes, othersPerS: others, latencyPercentileMs: latency }),
      ...optional({ errorsPerS: errors, reconnectsPerS: reconnects }),
    };
  }
  const older = PROGRESS_0.exec(text);
  if (older === null) return undefined;
  const [, end, threads, tps, reads, writes, latency, , errors, reconnects] = older;
  return {
    line,
    endS: Number(end),
    threads: Number(threads),
    transactionsPerS: Number(tps),
    ...optional({ readsPerS: reads, writesPerS: writes, latencyPercentileMs: latency }),
    ...optional({ errorsPerS: errors, reconnectsPerS: reconnects }),
  };
}

function optional(texts: Readonly<Record<string, string | undefined>>): Record<string, number> {
  const known = Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(known.map(([name, text]) => [name, Number(text)]));
}

/** In the order in which a report has them: when one is there, those before it were once there, too. */
const PARTS: readonly { readonly name: string; readonly quantities: readonly Quantity[] }[] = [
  { name: 'the total time and number of events', quantities: ['elapsedS', 'events'] },
  { name: 'the latencies', quantities: ['latencyAvgMs'] },
  { name: "the threads' fairness", quantities: ['eventsPerThread'] },
];

/** What a whole report ends with. A text about a run often leaves parts out; it need not be a file cut short. */
function cutOffOf(builder: FactsBuilder): string[] {
  if (builder.isEmpty) return ['the whole report: only progress lines are there'];
  return PARTS.filter(({ quantities }) => quantities.every((quantity) => builder.cells[quantity] === undefined)).map(
    ({ name }) => name,
  );
}
