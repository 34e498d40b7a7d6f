/** `/metrics` for Prometheus and its kin, while a run runs: read-only, and on loopback unless it is asked otherwise. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { UserError } from '../base/errors.ts';
import { OPENMETRICS_TYPE } from '../report/openmetrics.ts';

export interface MetricsPlace {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
}

export interface MetricsEndpoint extends AsyncDisposable {
  readonly url: string;
}

/** A few Prometheus servers and a browser; more would only take from the load. */
const CONNECTIONS_MAX = 16;
/** Whoever takes longer to ask keeps a connection from others. */
const REQUEST_MS_MAX = 5_000;
const PATH = '/metrics';
const LOOPBACK = /^(?:127(?:\.\d+){3}|::1|localhost)$/;

/** Throws a `UserError` where it cannot listen there. */
export async function openMetricsEndpoint(place: MetricsPlace, text: () => string): Promise<MetricsEndpoint> {
  const server = createServer({ requestTimeout: REQUEST_MS_MAX, headersTimeout: REQUEST_MS_MAX }, (request, response) =>
    answer(request, response, { place, text }),
  );
  server.maxConnections = CONNECTIONS_MAX;
  await listening(server, place);
  const address = server.address();
  // A pipe's would be a name.
  const port = address === null || typeof address === 'string' ? place.port : address.port;
  const host = place.host.includes(':') ? `[${place.host}]` : place.host;
  return {
    url: `http://${host}:${port}${PATH}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, { host, port }: MetricsPlace): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const hint =
        error.code === 'EADDRINUSE'
          ? 'Another program listens there: choose another port, or 0 for a free one.'
          : 'Choose a port above 1023, and an address of this machine.';
      reject(
        new UserError(`--metrics-port: ${host}:${port} cannot be listened on (${error.code}).`, { hint, cause: error }),
      );
    });
    server.listen({ host, port }, resolve);
  });
}

interface Answering {
  readonly place: MetricsPlace;
  readonly text: () => string;
}

function answer(request: IncomingMessage, response: ServerResponse, { place, text }: Answering): void {
  const { method, url = '/' } = request;
  if (!isForUs(request, place)) end(response, 403, 'Ask for it by the address it listens on.\n');
  else if (url.split('?')[0] !== PATH) end(response, 404, `There is only ${PATH}.\n`);
  else if (method !== 'GET' && method !== 'HEAD') end(response, 405, 'It can only be read.\n', { allow: 'GET, HEAD' });
  else end(response, 200, text(), { 'content-type': OPENMETRICS_TYPE });
}

/** A page of another site must not reach a loopback address by a name of its own (DNS rebinding). */
function isForUs({ headers }: IncomingMessage, { host }: MetricsPlace): boolean {
  if (!LOOPBACK.test(host)) return true;
  const named = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  return LOOPBACK.test(named);
}

function end(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  const own = {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
  // A HEAD gets the same headers; node leaves out the body.
  response.writeHead(status, { ...own, 'content-length': Buffer.byteLength(body), ...headers }).end(body);
}
