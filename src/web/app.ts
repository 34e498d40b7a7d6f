/** What the page asks for, by address. Everything below /api/ needs the token; nothing else holds a figure. */
import { Hono } from 'hono';
import { storeDirectory } from '../store/location.ts';
import type { Activities } from './activity.ts';
import type { SessionInfo } from './api.ts';
import type { ClientFiles } from './client-files.ts';
import { failure, failureOf } from './failure.ts';
import { type Door, onlyFromHere, onlyOwnDeeds, onlySmallBodies, onlyWithToken, withHeaders } from './guard.ts';
import { addBeginRoutes } from './routes/begin.ts';
import { addMachineRoutes } from './routes/machine.ts';
import { addStoredRoutes } from './routes/stored.ts';
import type { UiWorld } from './ui-world.ts';

export interface AppParts {
  readonly world: UiWorld;
  readonly door: Door;
  readonly activities: Activities;
  readonly files: ClientFiles;
  /** For a mistake in this program. */
  onMistake(error: unknown): void;
}

export function createApp({ world, door, activities, files, onMistake }: AppParts): Hono {
  const app = new Hono();
  app.use(withHeaders(), onlyFromHere(door));
  app.use('/api/*', onlyWithToken(door), onlyOwnDeeds(), onlySmallBodies());
  app.onError((error, context) => {
    if (world.problemsOf(error) === undefined) onMistake(error);
    return failureOf(error, context, world);
  });
  app.get('/api/session', (context) => {
    const session: SessionInfo = { version: world.version, store: storeDirectory(world.storeDirectory) };
    return context.json(session);
  });
  addStoredRoutes(app, world);
  addBeginRoutes(app, world, activities);
  addMachineRoutes(app, world, activities);
  app.all('/api/*', (context) => failure(context, 404, `There is no ${context.req.path}.`));
  app.get('*', (context) => {
    // Addresses of single runs and such are all the one page, which looks at the address itself.
    const file = files.get(context.req.path) ?? (/\.\w+$/.test(context.req.path) ? undefined : files.get('/'));
    if (file === undefined) return context.text('There is no such file.', 404);
    return context.body(file.content, 200, { 'content-type': file.type });
  });
  return app;
}
