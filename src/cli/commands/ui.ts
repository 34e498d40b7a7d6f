/** `sqldyno ui`: the page in the browser, until Ctrl-C. */
import { ExitCode, UserError } from '../../base/errors.ts';
import { shellQuoted } from '../../base/shell-words.ts';
import { openInBrowser } from '../../lab/open-in-browser.ts';
import { openUi } from '../../web/open-ui.ts';
import { Interrupted } from '../interrupts.ts';
import type { Session } from '../session.ts';
import { tellError } from '../tell-error.ts';
import { jsonText } from '../terminal.ts';
import { openUiWorld } from '../ui-world.ts';
import type { LineWorld } from '../workload-line.ts';

export interface UiLine {
  /** As typed. */
  readonly port: string;
  readonly open: boolean;
  readonly session: Session;
  readonly line: LineWorld;
  readonly storeDirectory: string | undefined;
}

const PORT_MAX = 65_535;

export async function uiCommand({ port, open, session, line, storeDirectory }: UiLine): Promise<ExitCode> {
  const { terminal, interrupts } = session;
  await using world = openUiWorld({ line, storeDirectory, onNote: (note) => terminal.warn(note) });
  const ui = await openUi(
    world,
    portOf(port),
    (error) => void tellError(error, { warn: terminal.warn, json: () => {} }),
  );
  terminal.json(jsonText({ url: ui.url }));
  terminal.say(`The page is at ${ui.url}`);
  terminal.say(
    'It is for this machine alone; the token in it is new each time. Ctrl-C ends it, and what it has started.',
  );
  using _shown = open && terminal.stream.isTTY === true ? openInBrowser(ui.url) : undefined;
  await interrupted(interrupts.signal);
  terminal.say('Ending ...');
  const because = new Interrupted('The program of the page was ended.');
  interrupts.atOnce.addEventListener('abort', () => ui.stop(because));
  await ui.close(because);
  return ExitCode.done;
}

function portOf(written: string): number {
  const port = /^\d{1,5}$/.test(written) ? Number(written) : Number.NaN;
  if (port <= PORT_MAX) return port;
  throw new UserError(`--port must be a port, not ${shellQuoted(written)}.`, {
    hint: 'Without it, or with 0, any free one is taken.',
  });
}

function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
