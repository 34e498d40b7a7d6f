/** The server of the page: on 127.0.0.1 alone, with a token that is drawn anew each time. */
import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { UserError } from '../base/errors.ts';
import { Activities } from './activity.ts';
import { createApp } from './app.ts';
import { readClientFiles } from './client-files.ts';
import type { UiWorld } from './ui-world.ts';

export interface Ui {
  /** With the token behind `#`, which browsers send to nobody. */
  readonly url: string;
  /** What is under way is stopped in good order; told again, at once. */
  stop(because: Error): void;
  /** Whatever is under way is ended in good order first. */
  close(because: Error): Promise<void>;
}

const HOST = '127.0.0.1';
const TOKEN_BYTES = 24;
/** Of the port that is asked for. */
const TAKEN = 'EADDRINUSE';

/** `port`: 0 for any that is free. `onMistake`: for mistakes in this program. */
export async function openUi(world: UiWorld, port: number, onMistake: (error: unknown) => void): Promise<Ui> {
  const files = readClientFiles();
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const activities = new Activities({ problemsOf: (error) => world.problemsOf(error), onMistake });
  let actualPort = port;
  const door = { token, port: () => actualPort };
  const app = createApp({ world, door, activities, files, onMistake });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  actualPort = await listen(server, port);
  return {
    url: `http://${HOST}:${actualPort}/#token=${token}`,
    stop: (because) => void activities.stop(because),
    close: async (because) => {
      await activities.close(because);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Whoever watches would keep it open for ever.
      server.closeAllConnections();
      await closed;
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === TAKEN;
      const is = isTaken ? `Port ${port} is taken.` : `Port ${port} cannot be listened on: ${error.message}.`;
      reject(new UserError(is, { hint: 'Without --port any free one is taken.', cause: error }));
    });
    server.listen(port, HOST, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
