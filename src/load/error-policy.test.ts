import { describe, expect, test } from 'vitest';
import { createRandom } from '../base/random.ts';
import { ServerError, WireError } from '../wire/errors.ts';
import { ValidationError } from '../workload/workload.ts';
import { pauseMs, RETRY_BACKOFF, reactionTo } from './error-policy.ts';
import type { ErrorPolicy } from './plan.ts';

function serverError(code: number): ServerError {
  return new ServerError({ code, sqlState: 'HY000', symbol: 'ER_X', message: 'x' });
}

const strict: ErrorPolicy = {
  ignore: [1213],
  attemptsMax: 3,
  lostConnection: 'stop',
  reconnectDeadlineS: 1,
  reconnectEveryEvents: 0,
};
const resume: ErrorPolicy = { ...strict, lostConnection: 'resume' };
const all: ErrorPolicy = { ...strict, ignore: 'all' };

test.each([
  { error: serverError(1213), policy: strict, reaction: 'retry', because: 'it is on the list' },
  { error: serverError(1062), policy: strict, reaction: 'stop', because: 'it is not' },
  { error: serverError(1062), policy: all, reaction: 'retry', because: 'all server errors are' },
  { error: new WireError('closed', 'x'), policy: strict, reaction: 'stop', because: 'nobody asked to reconnect' },
  { error: new WireError('closed', 'x'), policy: resume, reaction: 'reconnect', because: 'that was asked for' },
  { error: serverError(1927), policy: resume, reaction: 'reconnect', because: 'KILL closes the connection next' },
  {
    error: serverError(1053),
    policy: all,
    reaction: 'stop',
    because: 'a server that shuts down does not take a retry',
  },
  { error: new ValidationError('x'), policy: strict, reaction: 'note', because: 'the run goes on, and is invalid' },
  {
    error: new TypeError('x'),
    policy: all,
    reaction: 'stop',
    because: 'a mistake of the workload is not the server’s',
  },
])('$error.name $error.code: $reaction, because $because', ({ error, policy, reaction }) => {
  expect(reactionTo(error, policy)).toBe(reaction);
});

describe('pauses', () => {
  test('double with every failure up to the longest, and at least half of each passes', () => {
    const random = createRandom(1);
    for (let failures = 1; failures < 40; failures++) {
      const longest = Math.min(2 ** (failures - 1), RETRY_BACKOFF.longestMs);
      const pause = pauseMs(RETRY_BACKOFF, failures, random);
      expect(pause).toBeGreaterThanOrEqual(longest / 2);
      expect(pause).toBeLessThanOrEqual(longest);
    }
  });

  test('of two sessions differ, so that they do not meet again', () => {
    expect(pauseMs(RETRY_BACKOFF, 5, createRandom(1))).not.toBe(pauseMs(RETRY_BACKOFF, 5, createRandom(2)));
  });
});
