import type { Hono } from 'hono';
import { beforeEach, describe, expect, test } from 'vitest';
import { SAMPLE_EXPERIMENTS } from '../../test/fixtures/sample-experiments.ts';
import { closedRun, failedRun } from '../../test/fixtures/sample-runs.ts';
import { scratchDirectories } from '../../test/support/scratch.ts';
import { UserError } from '../base/errors.ts';
import { openExperiments } from '../store/experiments.ts';
import { openStore } from '../store/store.ts';
import { Activities } from './activity.ts';
import type { ApiFailure, ExperimentPage, LiveRun, RunForm, RunPage, RunsReply } from './api.ts';
import { createApp } from './app.ts';
import type { UiWorld } from './ui-world.ts';

const scratch = scratchDirectories();
const TOKEN = 'the-token';
const PORT = 4711;
const HERE = `127.0.0.1:${PORT}`;
const FORM: RunForm = {
  workload: 'oltp_read_write',
  options: { threads: '4' },
  target: { is: 'private', name: 'default' },
  tags: [],
  prepares: true,
};
const PAGE = '<!doctype html><title>page</title>';

let store: string;
let app: Hono;
let activities: Activities;
let begun: RunForm[];
let mistakes: unknown[];

const notExpected = () => Promise.reject(new Error('not part of this test'));

function world(): UiWorld {
  return {
    version: '1.2.3',
    storeDirectory: store,
    workloads: async () => [],
    readRun: async (form) => {
      if (form.workload === 'none') throw new UserError('There is no workload none.', { hint: 'See the list.' });
      begun.push(form);
      const load = { timeS: 1, warmupS: 0, percentile: 95 };
      return { title: 'The run', command: 'sqldyno', load, go: (_, signal) => untilStopped(signal) };
    },
    readExperiment: notExpected,
    plan: notExpected,
    resume: notExpected,
    compare: () => Promise.reject(new TypeError('inner workings')),
    examine: notExpected,
    startServer: notExpected,
    ownServers: () => new Set(),
    problemsOf: (error) =>
      error instanceof UserError
        ? [{ is: error.message, ...(error.hint === undefined ? {} : { remedy: error.hint }) }]
        : undefined,
  };
}

function untilStopped(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

beforeEach(() => {
  store = scratch();
  begun = [];
  mistakes = [];
  const onMistake = (error: unknown) => void mistakes.push(error);
  const files = new Map([['/', { type: 'text/html; charset=utf-8', content: new TextEncoder().encode(PAGE) }]]);
  const door = { token: TOKEN, port: () => PORT };
  const parts = { world: world(), door, files, onMistake };
  activities = new Activities({ problemsOf: parts.world.problemsOf, onMistake });
  app = createApp({ ...parts, activities });
});

type Headers = Readonly<Record<string, string>>;
const KNOWN: Headers = { host: HERE, authorization: `Bearer ${TOKEN}` };
const OURS: Headers = { ...KNOWN, origin: `http://${HERE}`, 'content-type': 'application/json' };

const ask = (path: string, headers: Headers = KNOWN) => app.request(path, { headers });
const tell = (path: string, body: unknown, headers: Headers = OURS) =>
  app.request(path, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) });

async function refusal(response: Response | Promise<Response>): Promise<string> {
  const { problems } = (await (await response).json()) as ApiFailure;
  expect(problems.length).toBeGreaterThan(0);
  return problems.map(({ is }) => is).join(' ');
}

describe('who may ask', () => {
  test.each([
    { headers: { host: HERE }, status: 401, because: 'there is no token' },
    { headers: { ...KNOWN, authorization: 'Bearer the-tokem' }, status: 401, because: 'the token is another' },
    { headers: { ...KNOWN, authorization: `Bearer ${TOKEN}x` }, status: 401, because: 'the token is longer' },
    { headers: { authorization: `Bearer ${TOKEN}` }, status: 403, because: 'no host is named' },
    { headers: { ...KNOWN, host: `evil.example:${PORT}` }, status: 403, because: 'a name was bound to 127.0.0.1' },
    { headers: { ...KNOWN, host: '127.0.0.1:80' }, status: 403, because: 'another port is meant' },
    { headers: { ...KNOWN, origin: 'http://evil.example' }, status: 403, because: 'another site asks' },
    { headers: { ...KNOWN, origin: 'null' }, status: 403, because: 'a page without a place asks' },
    { headers: { ...KNOWN, 'sec-fetch-site': 'cross-site' }, status: 403, because: 'the browser says so' },
    { headers: { ...KNOWN, host: `localhost:${PORT}` }, status: 200, because: 'localhost is this machine' },
    { headers: OURS, status: 200, because: 'the page itself asks' },
  ])('$status where $because', async ({ headers, status }) => {
    const response = await app.request('/api/session', { headers: headers as Headers });
    expect(response.status).toBe(status);
    if (status !== 200) expect(await response.text()).not.toContain(store);
  });

  test.each([
    { headers: KNOWN, status: 403, because: 'it comes from no page' },
    { headers: { ...OURS, 'content-type': 'text/plain' }, status: 415, because: 'a form of any site could send it' },
    { headers: { ...OURS, origin: 'http://evil.example' }, status: 403, because: 'another site sends it' },
    { headers: { ...OURS, authorization: 'Bearer x' }, status: 401, because: 'the token is another' },
    { headers: { ...OURS, host: 'evil.example' }, status: 403, because: 'the host is another' },
  ])('a deed is refused with $status where $because, and nothing is begun', async ({ headers, status }) => {
    const response = await tell('/api/runs', FORM, headers as Headers);
    expect(response.status).toBe(status);
    expect(begun).toEqual([]);
    expect(activities.activity).toEqual({ is: 'idle' });
  });

  test('methods that nobody needs are refused', async () => {
    const response = await app.request('/api/runs', { method: 'DELETE', headers: OURS });
    expect(response.status).toBe(405);
  });

  test('every answer forbids what the page does not need', async () => {
    for (const path of ['/', '/runs/x', '/api/session', '/api/nothing', '/missing.js']) {
      const { headers } = await ask(path);
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'self'.*frame-ancestors/);
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });
});

describe('the page', () => {
  test('is given out for every address of its own, and for no file that it has not', async () => {
    expect(await (await ask('/', { host: HERE })).text()).toBe(PAGE);
    expect(await (await ask('/runs/20261130-x', { host: HERE })).text()).toBe(PAGE);
    expect((await ask('/app.js', { host: HERE })).status).toBe(404);
    expect((await ask('/../package.json', { host: HERE })).status).toBe(404);
    expect((await ask('/', { host: 'evil.example' })).status).toBe(403);
  });

  test('what is no part of the interface is told as such', async () => {
    const response = await ask('/api/nothing');
    expect(response.status).toBe(404);
    expect(await refusal(response)).toContain('/api/nothing');
  });
});

describe('what is stored', () => {
  test('runs, newest first, with what a list shows', async () => {
    const older = { ...closedRun(), id: 'a-older', startedAt: '2026-01-01T00:00:00.000Z', tags: ['night'] };
    const newer = { ...failedRun(), id: 'b-newer', startedAt: '2026-01-02T00:00:00.000Z' };
    for (const run of [older, newer]) await openStore(store).save(run);
    const { runs } = (await (await ask('/api/runs')).json()) as RunsReply;
    expect(runs.map(({ id, ending, tags }) => ({ id, ending, tags }))).toEqual([
      { id: 'b-newer', ending: 'failed', tags: newer.tags },
      { id: 'a-older', ending: 'time', tags: ['night'] },
    ]);
    expect(runs[1]?.transactionsPerS).toBe(older.rates.transactionsPerS);
    expect(JSON.stringify(runs)).not.toContain('directory');
  });

  test('one run, its forms, and its tags', async () => {
    const run = closedRun();
    await openStore(store).save(run);
    const page = (await (await ask(`/api/runs/${run.id}`)).json()) as RunPage;
    expect(page.headline).toContain('transactions');
    expect(page.charts.map(({ title }) => title)).toEqual(expect.arrayContaining(['Transactions', 'Latency']));
    expect(page.forms.map(({ name }) => name)).toEqual(expect.arrayContaining(['csv', 'json', 'text']));
    for (const { name } of page.forms) {
      const { status, headers } = await ask(`/api/runs/${run.id}/report/${name}`);
      expect({ name, status }).toEqual({ name, status: 200 });
      expect(headers.get('content-disposition')).toBe('attachment');
    }
    const tagged = await tell(`/api/runs/${run.id}/tags`, { add: ['kept'], remove: run.tags });
    expect(await tagged.json()).toEqual({ tags: ['kept'] });
    expect((await openStore(store).load(run.id)).tags).toEqual(['kept']);
  });

  test('one experiment, its tables, and its forms', async () => {
    const record = SAMPLE_EXPERIMENTS['whole']!;
    await openExperiments(store).create(record);
    const page = (await (await ask(`/api/experiments/${record.id}`)).json()) as ExperimentPage;
    expect(page.result?.is).toBe(record.result?.is);
    expect(page.result?.variants.rows.map(([name]) => name)).toEqual(record.plan.variants.map(({ name }) => name));
    for (const { name } of page.forms) {
      const report = await ask(`/api/experiments/${record.id}/report/${name}`);
      expect(await report.text()).toContain(record.plan.name);
    }
    expect((await ask(`/api/experiments/${record.id}/report/none`)).status).toBe(400);
  });

  test.each(['/api/runs/nothing', '/api/runs/..%2F..%2Fetc', '/api/experiments/%2Fetc', '/api/compare?of=/etc/x&of=y'])(
    '%s gives a sentence',
    async (path) => {
      const response = await ask(path);
      expect(response.status).toBe(400);
      expect(await refusal(response)).toMatch(/There is no run|only names/i);
    },
  );

  test('a mistake of the program is told as one, and shows nothing of its inside', async () => {
    const response = await ask('/api/compare?of=a&of=b');
    expect(response.status).toBe(500);
    expect(await refusal(response)).toMatch(/mistake in sqldyno/);
    expect(mistakes).toHaveLength(1);
  });
});

describe('what is begun', () => {
  test('a run, a second is refused, and it is stopped', async () => {
    const response = await tell('/api/runs', FORM);
    expect(response.status).toBe(202);
    expect((await response.json()) as LiveRun).toMatchObject({ is: 'run', state: 'going', number: 1 });
    const second = await tell('/api/runs', FORM);
    expect(second.status).toBe(409);
    expect(await refusal(second)).toMatch(/under way/);
    expect((await tell('/api/activity/stop', {})).status).toBe(200);
    await activities.settled();
    expect(activities.activity).toMatchObject({ state: 'done', step: 'Stopped from the page.' });
    expect(await refusal(tell('/api/activity/stop', {}))).toBe('Nothing is under way.');
  });

  test('it is watched as a stream whose first event is all there is', async () => {
    await tell('/api/runs', FORM);
    const response = await ask('/api/activity/events');
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const reader = response.body!.getReader();
    const text = new TextDecoder().decode((await reader.read()).value);
    expect(text).toMatch(/^event: snapshot\ndata: \{"activity":\{"is":"run"/);
    await reader.cancel();
    await activities.close(new UserError('end'));
  });

  test.each([
    { body: '{', says: /no JSON/ },
    { body: {}, says: /workload/ },
    { body: { ...FORM, more: 1 }, says: /more/ },
    { body: { ...FORM, options: { '--threads': '4' } }, says: /no name of an option/ },
    { body: { ...FORM, options: { threads: 4 } }, says: /options\.threads/ },
    { body: { ...FORM, target: { is: 'private', name: '../x' } }, says: /no name of a server/ },
    { body: { ...FORM, target: { is: 'server', url: 'file:///etc/passwd' } }, says: /mysql:\/\// },
    { body: { ...FORM, tags: ['a b'] }, says: /no tag/ },
    { body: { ...FORM, workload: 'none' }, says: /no workload none/ },
  ])('a body is refused that is not as it should be: $says', async ({ body, says }) => {
    const response = await tell('/api/runs', body);
    expect(response.status).toBe(400);
    expect(await refusal(response)).toMatch(says);
    expect(begun).toEqual([]);
    expect(activities.activity).toEqual({ is: 'idle' });
  });

  test('a body that is too large is not read', async () => {
    const response = await tell('/api/runs', `{"workload":"${'x'.repeat(300 * 1024)}"}`);
    expect(response.status).toBe(413);
    expect(begun).toEqual([]);
  });
});
