import { expect, test } from 'vitest';
import { runShell } from './shell.ts';

const never = new AbortController().signal;

async function linesOf(command: string, signal = never): Promise<string[]> {
  const lines: string[] = [];
  await runShell(command, (line) => lines.push(line), signal);
  return lines;
}

test('what it writes is told line by line', async () => {
  expect(await linesOf("printf 'one\\ntwo\\nthree'")).toEqual(['one', 'two', 'three']);
  expect(await linesOf('echo wrong >&2')).toEqual(['wrong']);
  expect(await linesOf('true')).toEqual([]);
});

test.each([
  { command: 'exit 3', says: /exit 3 \(it ended with exit code 3\)/ },
  { command: 'no-such-program', says: /exit code 127/ },
  { command: 'kill -9 $$', says: /SIGKILL/ },
])('$command fails', async ({ command, says }) => {
  await expect(linesOf(command)).rejects.toThrow(says);
});

test('aborted, it ends with all that it has started', async () => {
  const interrupts = new AbortController();
  // What it has started holds the pipe open: as long as that runs, this does not end.
  const command = 'sleep 60 & echo begun; wait';
  const running = runShell(command, () => interrupts.abort(new Error('Ctrl-C')), interrupts.signal);
  await expect(running).rejects.toThrow('Ctrl-C');
});

test('once aborted, nothing is started', async () => {
  await expect(linesOf('echo no', AbortSignal.abort(new Error('Ctrl-C')))).rejects.toThrow('Ctrl-C');
});
