/** Waiting, but not for ever. */
import { monotonicMs } from '../base/clock.ts';

/** Undefined where the promise is not done by then. It may reject later without anybody hearing of it. */
export async function before<T>(endMs: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, endMs - monotonicMs()));
  });
  promise.catch(() => {});
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
