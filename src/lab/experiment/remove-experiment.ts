/** Removes an experiment with the data that its runs began with, on other disks too. The runs themselves stay. */
import { openExperiments } from '../../store/experiments.ts';
import { ownIdentity } from '../server-directory.ts';
import { isAlive } from './conduct.ts';
import { removePlaces } from './data-place.ts';

/** Returns its id. Refused while it is being conducted. */
export async function removeExperiment(reference: string, storeDirectory: string | undefined): Promise<string> {
  const experiments = openExperiments(storeDirectory);
  const { record } = await experiments.load(reference);
  {
    await using _lock = await experiments.lock(record.id, ownIdentity(), isAlive);
    await removePlaces(record.id, storeDirectory);
  }
  return experiments.remove(record.id, isAlive);
}
