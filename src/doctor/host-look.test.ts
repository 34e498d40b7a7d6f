/** A host that fails while it is looked at: which one, and how. */
import { expect, test } from 'vitest';
import type { HostSource } from '../observe/host-sample.ts';
import { seen } from './collected.ts';
import { beginHost, sampleHost } from './host-look.ts';

function failing(message: string): HostSource {
  const fail = () => Promise.reject(new Error(message));
  return {
    description: 'ssh dba@db1',
    sample: fail,
    facts: fail,
    room: fail,
    cost: { samples: 0, clientCpuS: 0 },
    [Symbol.asyncDispose]: async () => {},
  };
}

test.each([
  { message: 'it was closed' },
  // As some sources say it.
  { message: 'ssh dba@db1: it was closed.' },
])("'$message' is said of the host that it is about", async ({ message }) => {
  const source = failing(message);
  const because = 'The host could not be read (ssh dba@db1): it was closed.';
  const endMs = Number.MAX_SAFE_INTEGER;
  const late = { endMs, now: () => 0 };
  expect(await sampleHost({ source, facts: {}, room: { is: 'unseen', because: '' } }, late)).toEqual({
    is: 'unseen',
    because,
  });
  expect(await beginHost(seen(source), endMs)).toEqual({ is: 'unseen', because });
});
