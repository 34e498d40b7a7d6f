/** Gathers the facts of one run while its lines go by. */
import type {
  Cell,
  HistogramLine,
  MeasuredFacts,
  MeasuredPart,
  Percentile,
  ProgressLine,
  Quantity,
  Tool,
} from './facts.ts';
import type { Found } from './labels.ts';

/** What is known of a run beside its figures. */
export interface Heading {
  toolVersion?: string;
  ratePerS?: number;
  isBetweenCheckpoints?: boolean;
  isPaced?: boolean;
}

export class FactsBuilder {
  readonly heading: Heading = {};
  readonly cells: Partial<Record<Quantity, Cell>> = {};
  readonly percentiles: Percentile[] = [];
  readonly parts: MeasuredPart[] = [];
  readonly progress: ProgressLine[] = [];
  readonly histogram: HistogramLine[] = [];
  firstLine = 0;
  lastLine = 0;

  /** True where nothing that makes a result has been found yet. */
  get isEmpty(): boolean {
    return (
      Object.keys(this.cells).every((name) => name === 'threads') &&
      this.percentiles.length === 0 &&
      this.parts.length === 0
    );
  }

  touch(line: number): void {
    this.firstLine = this.firstLine === 0 ? line : Math.min(this.firstLine, line);
    this.lastLine = Math.max(this.lastLine, line);
  }

  set(quantity: Quantity, cell: Cell): void {
    this.touch(cell.line);
    // The first one counts: what repeats a label later belongs to something else.
    this.cells[quantity] ??= cell;
  }

  add({ cells, percentiles }: Found): void {
    for (const [quantity, cell] of cells) this.set(quantity, cell);
    for (const percentile of percentiles) {
      this.touch(percentile.cell.line);
      this.percentiles.push(percentile);
    }
  }

  facts(tool: Tool, cutOff: readonly string[], place: Partial<Pick<MeasuredFacts, 'name' | 'table' | 'column'>> = {}) {
    const { heading, cells, percentiles, parts, progress, histogram, firstLine, lastLine } = this;
    const facts: MeasuredFacts = {
      tool,
      name: `lines ${firstLine} to ${lastLine}`,
      ...place,
      firstLine,
      lastLine,
      cells,
      percentiles,
      parts,
      progress,
      histogram,
      isBetweenCheckpoints: heading.isBetweenCheckpoints ?? false,
      isPaced: heading.isPaced ?? heading.ratePerS !== undefined,
      ...(heading.toolVersion === undefined ? {} : { toolVersion: heading.toolVersion }),
      ...(heading.ratePerS === undefined ? {} : { ratePerS: heading.ratePerS }),
      cutOff,
    };
    return facts;
  }
}
