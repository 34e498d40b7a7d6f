/**
 * With what a server was started, as far as runs of before tell: what an experiment has set and put back is as it was,
 * and the server itself says only that somebody has set it while it ran.
 */
import type { Collected } from '../doctor/collected.ts';
import type { RunRecord } from '../model/run.ts';
import type { Store } from '../store/store.ts';

type Runs = Pick<Store, 'list' | 'load'>;
interface Place {
  /** As records have it. */
  readonly address: string;
  readonly nowMs: number;
}

/** Of one run after another, as few as will do: the first since the start that tells. */
const RUNS_READ_MAX = 5;
const MS_PER_S = 1000;

/** Reads the store only where the server says that something was set while it ran. */
export async function withStart(collected: Collected, runs: Runs, { address, nowMs }: Place): Promise<Collected> {
  const { server } = collected;
  if (server.is === 'unseen' || server.value.setAtRuntime.is === 'unseen') return collected;
  const uptimeS = Number(server.value.status.later.get('uptime') ?? Number.NaN);
  if (server.value.setAtRuntime.value.size === 0 || !Number.isFinite(uptimeS)) return collected;
  const startMs = nowMs - uptimeS * MS_PER_S;
  const all = (await runs.list()).runs.filter((run) => run.address === address && Date.parse(run.startedAt) > startMs);
  for (const { id } of all.slice(0, RUNS_READ_MAX)) {
    const startedWith = valuesOfStart(await runs.load(id));
    if (startedWith.size > 0) return { ...collected, server: { is: 'seen', value: { ...server.value, startedWith } } };
  }
  return collected;
}

/** Of the variables that nobody had set by then while the server ran; empty where that was not told. */
export function valuesOfStart({ environment, target }: Pick<RunRecord, 'environment' | 'target'>) {
  const facts = Object.entries(environment?.server ?? {});
  if (!facts.some(([name]) => name.startsWith('set'))) return new Map<string, string>();
  const set = facts.flatMap(([name, value]) =>
    name.startsWith('set.') ? [[name.slice(4), String(value)] as const] : [],
  );
  const values = new Map([...Object.entries(target.variables), ...set]);
  for (const [name] of facts)
    if (name.startsWith('set-at-runtime.')) values.delete(name.slice('set-at-runtime.'.length));
  return values;
}
