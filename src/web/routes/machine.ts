/** Private servers, and the doctor. */
import type { Hono } from 'hono';
import { listPrivateServers, stopPrivateServer } from '../../lab/server.ts';
import type { FoundServer } from '../../lab/server-directory.ts';
import type { Activities } from '../activity.ts';
import type { ServerRow, ServersReply } from '../api.ts';
import { BODIES, readBody } from '../read-body.ts';
import type { UiWorld } from '../ui-world.ts';

export function addMachineRoutes(app: Hono, world: UiWorld, activities: Activities): void {
  const { storeDirectory } = world;
  const list = async (): Promise<ServersReply> => {
    const found = await listPrivateServers(storeDirectory);
    return { servers: found.map((server) => serverRow(server, world.ownServers())) };
  };

  app.get('/api/servers', async (context) => context.json(await list()));
  app.post('/api/servers', async (context) => {
    const { name, arguments: extra } = await readBody(context, BODIES.server);
    const { signal: gone } = context.req.raw;
    await activities.alone(`the private server '${name}' is being started`, (signal) =>
      world.startServer(name, extra, AbortSignal.any([signal, gone])),
    );
    return context.json(await list());
  });
  app.post('/api/servers/:name/stop', async (context) => {
    await readBody(context, BODIES.nothing);
    const name = context.req.param('name');
    await activities.alone(`the private server '${name}' is being stopped`, () =>
      stopPrivateServer(name, storeDirectory === undefined ? {} : { directory: storeDirectory }),
    );
    return context.json(await list());
  });

  app.post('/api/doctor', async (context) => {
    const form = await readBody(context, BODIES.doctor);
    const { signal: gone } = context.req.raw;
    const checkup = await activities.alone('the doctor looks at this machine', (signal) =>
      world.examine(form, AbortSignal.any([signal, gone])),
    );
    return context.json(checkup);
  });
}

function serverRow({ file, state }: FoundServer, own: ReadonlySet<string>): ServerRow {
  const { name, keep, flavor, version, socketPath, server } = file;
  const isRunning = state === 'running';
  return {
    name,
    state,
    version: `${flavor} ${version}`,
    ...(isRunning && server !== null ? { process: server.pid } : {}),
    ...(isRunning ? { socket: socketPath } : {}),
    isKept: keep,
    endsWithPage: isRunning && own.has(name),
  };
}
