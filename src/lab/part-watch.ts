/** What each part of a run costs, where transactions come in a fixed order: looked at as parts begin and at the end. */
import { monotonicMs } from '../base/clock.ts';
import type { PartCost } from '../model/run.ts';
import type { ServerProcess } from '../observe/server-process.ts';

/** Includes the fsyncs of the log. */
const FSYNCS = 'Innodb_data_fsyncs';

export interface PartWorld {
  /** Undefined where the server does not run here, or there are several. */
  readonly process: Pick<ServerProcess, 'cpuS'> | undefined;
  /** The server's counters; undefined where they cannot be read. */
  status(): Promise<ReadonlyMap<string, number> | undefined>;
}

interface Seam {
  readonly atMs: number;
  readonly cpuS: number | undefined;
  readonly clientCpuS: number;
  readonly fsyncs: Promise<number | undefined>;
}

export class PartWatch {
  readonly #world: PartWorld;
  readonly #begun: { readonly part: string; readonly seam: Seam }[] = [];
  #end: Seam | undefined;

  constructor(world: PartWorld) {
    this.#world = world;
  }

  /** Its first transaction has begun. */
  onPart(part: string): void {
    this.#begun.push({ part, seam: this.#look() });
  }

  /** The last reply has arrived. Resolves when the server has been asked. */
  async finish(): Promise<void> {
    this.#end = this.#look();
    await this.#end.fsyncs;
  }

  async costs(): Promise<PartCost[]> {
    const costs: PartCost[] = [];
    for (const [at, { part, seam }] of this.#begun.entries()) {
      const next = this.#begun[at + 1]?.seam ?? this.#end;
      // Cut off before its end could be looked at.
      if (next !== undefined) costs.push(await costOf(part, seam, next));
    }
    return costs;
  }

  #look(): Seam {
    const { user, system } = process.cpuUsage();
    return {
      atMs: monotonicMs(),
      cpuS: this.#world.process?.cpuS(),
      clientCpuS: (user + system) / 1e6,
      fsyncs: this.#world.status().then((status) => status?.get(FSYNCS)),
    };
  }
}

async function costOf(part: string, from: Seam, to: Seam): Promise<PartCost> {
  const [before, after] = [await from.fsyncs, await to.fsyncs];
  return {
    part,
    elapsedS: (to.atMs - from.atMs) / 1000,
    ...(from.cpuS === undefined || to.cpuS === undefined ? {} : { cpuS: rounded(to.cpuS - from.cpuS) }),
    clientCpuS: to.clientCpuS - from.clientCpuS,
    ...(before === undefined || after === undefined ? {} : { fsyncs: Math.max(0, after - before) }),
  };
}

/** Hundredths, which is all that the kernel tells. */
function rounded(seconds: number): number {
  return Math.max(0, Math.round(seconds * 100) / 100);
}
