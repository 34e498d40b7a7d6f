/** What is in the store: runs, experiments, and comparisons of them. */
import type { Context, Hono } from 'hono';
import { UserError } from '../../base/errors.ts';
import { openExperiments } from '../../store/experiments.ts';
import { openStore } from '../../store/store.ts';
import type { ComparePage, ExperimentsReply, RunsReply } from '../api.ts';
import { experimentPage, experimentRow } from '../experiment-page.ts';
import { BadRequest } from '../failure.ts';
import { BODIES, readBody } from '../read-body.ts';
import { experimentForms, renderedExperiment, renderedRun, reportForms } from '../report-forms.ts';
import { resultData } from '../result-data.ts';
import { runPage } from '../run-page.ts';
import { runRow } from '../run-row.ts';
import type { UiWorld } from '../ui-world.ts';

/** More cannot be told apart side by side. */
const REFERENCES_MAX = 20;

export function addStoredRoutes(app: Hono, world: UiWorld): void {
  const store = openStore(world.storeDirectory);
  const experiments = openExperiments(world.storeDirectory);

  app.get('/api/runs', async (context) => {
    const { runs, skipped } = await store.list();
    const reply: RunsReply = { runs: runs.map(runRow).reverse(), skipped };
    return context.json(reply);
  });
  app.get('/api/runs/:id', async (context) => {
    const [record, forms] = await Promise.all([store.load(onlyName(context.req.param('id'))), reportForms()]);
    return context.json(runPage(record, forms));
  });
  app.get('/api/runs/:id/report/:form', async (context) => {
    const record = await store.load(onlyName(context.req.param('id')));
    const content = await renderedRun(record, context.req.param('form'));
    return asFile(context, content);
  });
  app.post('/api/runs/:id/tags', async (context) => {
    const change = await readBody(context, BODIES.tags);
    const { tags } = await store.tag(onlyName(context.req.param('id')), change);
    return context.json({ tags });
  });

  app.get('/api/experiments', async (context) => {
    const { experiments: found, skipped } = await experiments.list();
    const reply: ExperimentsReply = { experiments: found.map(experimentRow).reverse(), skipped };
    return context.json(reply);
  });
  app.get('/api/experiments/:id', async (context) => {
    const { record, journal } = await experiments.load(onlyName(context.req.param('id')));
    return context.json(experimentPage(record, journal, experimentForms()));
  });
  app.get('/api/experiments/:id/report/:form', async (context) => {
    const { record } = await experiments.load(onlyName(context.req.param('id')));
    return asFile(context, renderedExperiment(record, context.req.param('form')));
  });

  app.get('/api/compare', async (context) => {
    const references = (context.req.queries('of') ?? []).map(onlyNames);
    if (references.length > REFERENCES_MAX)
      throw new BadRequest(`More than ${REFERENCES_MAX} are not compared at a time.`);
    const metric = context.req.query('metric') ?? '';
    const comparison = await world.compare({
      references,
      metric: metric === '' ? undefined : metric,
      anyway: context.req.query('anyway') === 'yes',
    });
    const reply: ComparePage = {
      ...resultData(comparison.result, comparison),
      pairing: comparison.pairing,
      differences: comparison.differences,
    };
    return context.json(reply);
  });
}

/** Whatever it holds, it is saved as a file and never shown as a page of ours. */
function asFile(context: Context, content: string | Uint8Array): Response {
  const headers = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' };
  return context.body(typeof content === 'string' ? content : new Uint8Array(content), 200, headers);
}

/** On a command line a path will do too; from a page, only what is in the store. */
function onlyName(reference: string): string {
  if (reference !== '' && !/[/\\]/.test(reference) && !/^\.+$/.test(reference)) return reference;
  throw new UserError('Only names of what is in the store are understood here, no paths.');
}

/** Several by comma stand for one. */
function onlyNames(references: string): string {
  for (const reference of references.split(',').filter((each) => each !== '')) onlyName(reference);
  return references;
}
