/**
 * A process of its own for the fake server, so that its cost is not the client's. Says 'ready' to the process that
 * started it, and ends with it.
 */

import { startFakeServer } from '../src/wire/fake-server/fake-server.ts';
import { MARIADB_1011 } from '../src/wire/fake-server/profile.ts';
import { answerAboutTables } from './null-tables.ts';

const socketPath = process.argv[2];
if (socketPath === undefined) throw new Error('usage: null-server SOCKET');
const server = await startFakeServer({ socketPath, profile: MARIADB_1011, answer: answerAboutTables });
process.send?.('ready');
await new Promise((resolve) => process.once('disconnect', resolve));
await server.close();
