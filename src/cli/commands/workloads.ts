/** `sqldyno workloads`: what there is to run. */
import { ExitCode } from '../../base/errors.ts';
import { loadWorkload, workloadNames } from '../../workload/find.ts';
import { wrapped } from '../options-help.ts';
import { jsonText, type Terminal } from '../terminal.ts';

const GAP = 2;

export async function workloadsCommand(terminal: Terminal): Promise<ExitCode> {
  const found = await Promise.all(workloadNames().map((name) => loadWorkload(name)));
  const list = found.map(({ name, workload }) => ({ name, summary: workload.summary }));
  terminal.json(jsonText(list));
  if (terminal.wantsJson) return ExitCode.done;
  const indent = Math.max(...list.map(({ name }) => name.length)) + GAP;
  for (const { name, summary } of list) {
    const [first = '', ...others] = wrapped(summary, terminal.columns - indent);
    terminal.say(name.padEnd(indent) + first);
    for (const line of others) terminal.say(' '.repeat(indent) + line);
  }
  terminal.say(
    '\nOptions of one: sqldyno WORKLOAD help. Files of your own: sqldyno ./transfer.sql run, sqldyno ./mine.ts run',
  );
  terminal.say('To begin one: sqldyno new workload NAME');
  return ExitCode.done;
}
