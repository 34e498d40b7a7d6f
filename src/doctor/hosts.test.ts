/** What the user names and does not answer: whose mistake it is. */
import { expect, test } from 'vitest';
import { ExitCode, UserError } from '../base/errors.ts';
import { type HostsRequest, openHosts } from './hosts.ts';

/** A port at which nothing listens: privileged, and given to nobody. */
const NOBODY = '127.0.0.1:1';

async function refusal(request: Pick<HostsRequest, 'ssh' | 'metricsUrl'>): Promise<unknown> {
  const opening = openHosts({ ...request, processId: process.pid });
  return opening.then(() => undefined).catch((error: unknown) => error);
}

test.each<Pick<HostsRequest, 'ssh' | 'metricsUrl'> & { exitCode: ExitCode; why: string }>([
  { why: 'nothing answers over SSH', ssh: NOBODY, exitCode: ExitCode.targetUnavailable },
  { why: 'there is no exporter', metricsUrl: `http://${NOBODY}`, exitCode: ExitCode.targetUnavailable },
  { why: 'it is no host', ssh: '-oProxyCommand=x', exitCode: ExitCode.usage },
  { why: 'it is no address', metricsUrl: 'http://', exitCode: ExitCode.usage },
])('$why: ends with $exitCode', async ({ exitCode, why: _, ...request }) => {
  const error = await refusal(request);
  expect(error).toBeInstanceOf(UserError);
  expect(error).toMatchObject({ exitCode, hint: expect.stringMatching(/\S/) });
});
