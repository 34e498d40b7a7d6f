/** The runs of an experiment that count, from the store: those of which its journal says that they are done. */
import type { ExperimentRecord, JournalEntry } from '../../model/experiment.ts';
import type { Store } from '../../store/store.ts';
import type { PlacedRun } from './placed-run.ts';

export async function runsOf(
  { runs }: ExperimentRecord,
  journal: readonly JournalEntry[],
  store: Pick<Store, 'load'>,
): Promise<readonly PlacedRun[]> {
  const done = new Map(journal.flatMap((entry) => (entry.is === 'done' ? [[entry.number, entry] as const] : [])));
  const placed = runs.map(async ({ number, block, variant }): Promise<PlacedRun[]> => {
    const entry = done.get(number);
    if (entry === undefined) return [];
    return [{ block, variant, record: await store.load(entry.run), entered: entry.entered }];
  });
  return (await Promise.all(placed)).flat();
}
