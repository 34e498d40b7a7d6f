/** `sqldyno runs export`: runs that go to another machine. */
import { ExitCode, UserError } from '../../base/errors.ts';
import { exportRuns } from '../../store/export-runs.ts';
import { openStore } from '../../store/store.ts';
import { asksForSome, chosenRuns, type RunChoice } from '../run-choice.ts';
import { jsonText } from '../terminal.ts';
import type { RunsWorld } from './runs.ts';

/** Those that are named, or those that are chosen. */
export async function exportCommand(
  references: readonly string[],
  { to, ...choice }: RunChoice & { readonly to: string },
  { terminal, storeDirectory }: RunsWorld,
): Promise<ExitCode> {
  const store = openStore(storeDirectory);
  const isChosen = asksForSome(choice);
  if (references.length > 0 === isChosen) {
    throw new UserError(isChosen ? 'Runs are named and chosen at once.' : 'No run is named or chosen.', {
      hint: 'Name them, as in: sqldyno runs export k3f9 --to=DIR, or choose them, as in: --tag=nightly --to=all.ndjson',
    });
  }
  const directories = isChosen
    ? chosenRuns((await store.list()).runs, choice).map(({ directory }) => directory)
    : await Promise.all(references.map((reference) => store.find(reference)));
  if (directories.length === 0) throw new UserError('No run is so.', { hint: 'See them all: sqldyno runs list' });
  const { written, there } = await exportRuns(directories, to);
  terminal.json(jsonText({ to, written, there }));
  if (written.length > 0) terminal.say(`${countText(written.length)} written to ${to}`);
  for (const id of there) terminal.say(`${id} is there already, and was left as it is.`);
  terminal.say(`To take them up: sqldyno runs import ${to}`);
  return ExitCode.done;
}

function countText(count: number): string {
  return count === 1 ? '1 run' : `${count} runs`;
}
