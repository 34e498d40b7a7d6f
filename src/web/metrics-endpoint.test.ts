import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { type MetricsEndpoint, openMetricsEndpoint } from './metrics-endpoint.ts';

const HERE = { host: '127.0.0.1', port: 0 };

interface Asked {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

/** `fetch` would not let a test name another host. */
function ask({ url }: MetricsEndpoint, { path = '/metrics', method = 'GET', host = '' } = {}): Promise<Asked> {
  const headers = host === '' ? {} : { host };
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, url), { method, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => {
        resolve({ status: response.statusCode, type: response.headers['content-type'], body });
      });
    });
    asked.on('error', reject).end();
  });
}

test('answers with what there is at that moment', async () => {
  let text = 'one\n';
  await using endpoint = await openMetricsEndpoint(HERE, () => text);
  expect(endpoint.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
  expect(await ask(endpoint)).toEqual({
    status: 200,
    type: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
    body: 'one\n',
  });
  text = 'two\n';
  expect((await ask(endpoint)).body).toBe('two\n');
});

test.each([
  { because: 'another path', how: { path: '/' }, status: 404 },
  { because: 'a path that begins alike', how: { path: '/metrics/x' }, status: 404 },
  { because: 'a query is no other path', how: { path: '/metrics?x=1' }, status: 200 },
  { because: 'writing', how: { method: 'POST' }, status: 405 },
  { because: 'only the heading', how: { method: 'HEAD' }, status: 200 },
  { because: 'the name of another site', how: { host: 'evil.example' }, status: 403 },
  { because: 'a name that begins alike', how: { host: 'localhost.evil.example:80' }, status: 403 },
  { because: 'a name of this machine', how: { host: 'localhost:1' }, status: 200 },
  { because: 'an address of this machine', how: { host: '[::1]:1' }, status: 200 },
])('$because: $status', async ({ how, status }) => {
  await using endpoint = await openMetricsEndpoint(HERE, () => 'text\n');
  expect((await ask(endpoint, how)).status).toBe(status);
});

test('closed, it answers no more, and waits for nobody', async () => {
  const endpoint = await openMetricsEndpoint(HERE, () => 'text\n');
  await ask(endpoint);
  await endpoint[Symbol.asyncDispose]();
  await expect(ask(endpoint)).rejects.toThrow(/ECONNREFUSED/);
});

test('a port that is taken is told with a remedy', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(HERE, resolve));
  const { port } = taken.address() as AddressInfo;
  await expect(openMetricsEndpoint({ ...HERE, port }, () => '')).rejects.toMatchObject({
    name: 'UserError',
    message: `--metrics-port: 127.0.0.1:${port} cannot be listened on (EADDRINUSE).`,
    hint: expect.stringContaining('another port'),
  });
  await new Promise((resolve) => taken.close(resolve));
});
