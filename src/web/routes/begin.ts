/** What can be begun from the page: a run, an experiment; what is under way, and its end. */
import type { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { UserError } from '../../base/errors.ts';
import { listRecipes } from '../../lab/experiment/recipes.ts';
import type { Activities, ActivityEvent } from '../activity.ts';
import type { RecipeData } from '../api.ts';
import { BODIES, readBody } from '../read-body.ts';
import { startExperiment } from '../start-experiment.ts';
import { startRun } from '../start-run.ts';
import type { UiWorld } from '../ui-world.ts';

/** So that a reader who is gone is noticed, and a proxy in between does not take the silence for the end. */
const SIGN_OF_LIFE_MS = 15_000;
const BEGUN = 202;

export function addBeginRoutes(app: Hono, world: UiWorld, activities: Activities): void {
  app.get('/api/workloads', async (context) => context.json(await world.workloads()));
  app.get('/api/recipes', (context) => {
    const recipes: readonly RecipeData[] = listRecipes();
    return context.json(recipes);
  });

  app.post('/api/runs', async (context) => {
    const form = await readBody(context, BODIES.run);
    return context.json(startRun(activities, await world.readRun(form)), BEGUN);
  });
  app.post('/api/experiments/plan', async (context) =>
    context.json(await world.plan(await readBody(context, BODIES.experiment))),
  );
  app.post('/api/experiments', async (context) => {
    const form = await readBody(context, BODIES.experiment);
    return context.json(startExperiment(activities, await world.readExperiment(form)), BEGUN);
  });
  app.post('/api/experiments/:id/resume', async (context) => {
    await readBody(context, BODIES.nothing);
    return context.json(startExperiment(activities, await world.resume(context.req.param('id'))), BEGUN);
  });

  app.get('/api/activity', (context) => context.json(activities.activity));
  app.post('/api/activity/stop', async (context) => {
    await readBody(context, BODIES.nothing);
    if (!activities.stop(new UserError('Stopped from the page.'))) throw new UserError('Nothing is under way.');
    return context.json(activities.activity);
  });
  app.get('/api/activity/events', (context) =>
    streamSSE(context, async (stream) => {
      let last = Promise.resolve();
      const send = ({ name, data }: ActivityEvent) => {
        last = last.then(() => stream.writeSSE({ event: name, data: JSON.stringify(data) })).catch(() => {});
      };
      const silence = activities.listen(send);
      stream.onAbort(silence);
      while (!stream.aborted) {
        await stream.sleep(SIGN_OF_LIFE_MS);
        await stream.write(': still here\n\n');
      }
    }),
  );
}
