/** `sqldyno environment diff RUN RUN`: in what two runs differ beside what they measured. */
import { ExitCode } from '../../base/errors.ts';
import { environmentDiffText } from '../../report/environment-diff-text.ts';
import { environmentDiff } from '../../stats/environment-diff.ts';
import { openStore } from '../../store/store.ts';
import { jsonText, type Terminal } from '../terminal.ts';

export async function diffEnvironments(
  references: readonly [string, string],
  { terminal, storeDirectory }: { readonly terminal: Terminal; readonly storeDirectory: string | undefined },
): Promise<ExitCode> {
  const store = openStore(storeDirectory);
  const [one, other] = references;
  const diff = environmentDiff(await store.load(one), await store.load(other));
  terminal.json(jsonText(diff));
  if (!terminal.wantsJson) terminal.say(environmentDiffText(diff).trimEnd());
  return ExitCode.done;
}
