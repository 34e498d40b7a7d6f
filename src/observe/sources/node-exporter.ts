/**
 * A host through Prometheus' node_exporter: one page for every sample. It knows nothing of single processes, so what
 * the server and others use is not to be had from it.
 */
import { UserError } from '../../base/errors.ts';
import type { HostFacts, HostSample, HostSource, HostTarget } from '../host-sample.ts';
import { COLLECTORS, factsOfMetrics, isNodeMetric, roomOfMetrics, sampleOfMetrics } from '../parse/node-exporter.ts';
import { type Metrics, parseMetrics } from '../parse/prometheus.ts';
import { watchOwnTime } from './own-time.ts';

export interface NodeExporterOptions {
  /** A page that takes longer is dropped; the next sample asks again. Default: 3 s. */
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 3_000;
/** A page of a host with a thousand disks has 2 MB; what is larger is none. */
const PAGE_BYTES_MAX = 16 * 1024 * 1024;
const MS_PER_S = 1000;
const HINT = 'Give the address of a node_exporter, like http://db1:9100 or http://db1:9100/metrics.';

interface Page {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** Rejects with a UserError where nothing answers, or something else does. */
export async function openNodeExporter(
  address: string,
  target: HostTarget,
  options: NodeExporterOptions = {},
): Promise<HostSource> {
  const page = pageOf(address);
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  const state = { samples: 0, clientCpuS: 0, hostCpuS: undefined as number | undefined };
  let exporterCpuS: number | undefined;

  const scrape = async (url: URL): Promise<Metrics> => {
    const ownTimeS = watchOwnTime();
    const text = await fetchText(url, page.headers, deadlineMs);
    const metrics = parseMetrics(text, isNodeMetric);
    if (!metrics.has('node_cpu_seconds_total')) {
      throw new Error(`${placeOf(page.url)} answered, but not like a node_exporter with its collector \`cpu\`.`);
    }
    const usedS = metrics.get('process_cpu_seconds_total')?.[0]?.value;
    if (usedS !== undefined) {
      // Less than before: it was started again.
      const sinceS = exporterCpuS === undefined ? 0 : usedS >= exporterCpuS ? usedS - exporterCpuS : usedS;
      state.hostCpuS = (state.hostCpuS ?? 0) + sinceS;
      exporterCpuS = usedS;
    }
    state.clientCpuS += ownTimeS();
    return metrics;
  };
  const whole = await scrape(page.url).catch((error: unknown) => {
    throw new UserError((error as Error).message, { hint: HINT, cause: error });
  });
  const url = narrowed(page.url, whole);
  const speeds = whole.get('node_network_speed_bytes');
  const unchanging: Metrics = new Map(speeds === undefined ? [] : [['node_network_speed_bytes', speeds]]);
  return {
    description: placeOf(page.url),
    untold: UNTOLD,
    sample: async (): Promise<HostSample> => {
      const metrics = await scrape(url);
      state.samples++;
      return sampleOfMetrics(new Map([...unchanging, ...metrics]));
    },
    facts: async (): Promise<HostFacts> => factsOfMetrics(await scrape(page.url), target.dataDirectory),
    room: async () => roomOfMetrics(await scrape(page.url), target.dataDirectory),
    get cost() {
      const { samples, clientCpuS, hostCpuS } = state;
      return { samples, clientCpuS, ...(hostCpuS === undefined ? {} : { hostCpuS }) };
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** What an exporter never tells: that it was not found would be another thing. */
const UNTOLD = {
  server_process: 'A node_exporter tells nothing of single processes.',
  other_processes: 'A node_exporter tells nothing of single processes.',
  cgroup: 'A node_exporter tells nothing of control groups.',
};

/** A password in the address goes where it belongs, and is shown to nobody. */
function pageOf(address: string): Page {
  const text = /^https?:\/\//i.test(address) ? address : `http://${address}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.hostname === '') throw new UserError(`'${address}' is no address.`, { hint: HINT });
  if (url.pathname === '/' || url.pathname === '') url.pathname = '/metrics';
  const secret = [url.username, url.password].map(decodeURIComponent).join(':');
  const headers = url.username === '' ? {} : { authorization: `Basic ${Buffer.from(secret).toString('base64')}` };
  url.username = '';
  url.password = '';
  return { url, headers };
}

/** What follows the question mark may be a secret too. */
function placeOf(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** Asks for the collectors that are used, of those that the page shows to be on: an unknown one would be refused. */
function narrowed(url: URL, metrics: Metrics): URL {
  const working = (metrics.get('node_scrape_collector_success') ?? [])
    .filter(({ value }) => value === 1)
    .map(({ labels }) => labels['collector']);
  const wanted = COLLECTORS.filter((name) => working.includes(name));
  if (wanted.length === 0 || url.search !== '') return url;
  const narrow = new URL(url);
  for (const name of wanted) narrow.searchParams.append('collect[]', name);
  return narrow;
}

async function fetchText(url: URL, headers: Readonly<Record<string, string>>, deadlineMs: number): Promise<string> {
  try {
    // Packing and unpacking would cost both sides more than the few packets are worth.
    const unpacked = { ...headers, 'accept-encoding': 'identity' };
    const response = await fetch(url, { headers: unpacked, signal: AbortSignal.timeout(deadlineMs) });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`it answered ${response.status} ${response.statusText}`.trimEnd());
    }
    return await bodyOf(response);
  } catch (error) {
    throw new Error(`${placeOf(url)} could not be read: ${reasonOf(error as Error, deadlineMs)}.`, { cause: error });
  }
}

async function bodyOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += (chunk as Uint8Array).length;
    // Leaving the loop closes the connection.
    if (bytes > PAGE_BYTES_MAX) throw new Error('its answer has no end');
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** `fetch` says only that it failed; why is in the cause. */
function reasonOf(error: Error, deadlineMs: number): string {
  if (error.name === 'TimeoutError') return `no answer within ${deadlineMs / MS_PER_S} s`;
  const cause = error.cause as { message?: string; code?: string } | undefined;
  return cause?.message || cause?.code || error.message;
}
