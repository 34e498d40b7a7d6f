/** The promise form of the callback interface. */
import type { Outcome, ReplyHandler } from '../types.ts';

/** Resolves with a copy: the outcome itself is used again for the next statement. */
export function promised(send: (handler: ReplyHandler) => void): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    send({ onReply: (outcome) => resolve({ ...outcome }), onFailure: reject });
  });
}
