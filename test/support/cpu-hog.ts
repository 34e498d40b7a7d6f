/** Programs that take all the processors they can get. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** The program's name, as it stands in lists of processes. */
export const HOG = 'yes';

export function startHogs(count: number): AsyncDisposable {
  const hogs: ChildProcess[] = Array.from({ length: count }, () => spawn(HOG, { stdio: 'ignore' }));
  return {
    async [Symbol.asyncDispose]() {
      for (const hog of hogs) {
        const over = once(hog, 'close');
        hog.kill();
        await over;
      }
    },
  };
}
