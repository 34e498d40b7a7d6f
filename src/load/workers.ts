/** How many worker threads a load gets where `--workers` does not say. */

/** One worker sends about 60,000 statements a second; sixteen sessions over a fast socket ask for that much. */
const SESSIONS_PER_WORKER = 16;
/** The server is often on the same machine and needs the rest. */
const CORES_PER_WORKER = 4;

export function workersFor(threads: number, cores: number): number {
  const useful = Math.ceil(threads / SESSIONS_PER_WORKER);
  const affordable = Math.max(1, Math.floor(cores / CORES_PER_WORKER));
  return Math.min(useful, affordable);
}
