/** Stands between a client and a real server, and holds back what passes: a network that is long, or that stalls. */
import net from 'node:net';

export interface SlowProxy extends Disposable {
  readonly host: '127.0.0.1';
  readonly port: number;
}

export interface Slowness {
  /** Every piece, each way. */
  readonly delayMs?: number;
  /** Every so many pieces one is held back for so long, and what comes behind it too, as where a packet was lost. */
  readonly stall?: { readonly everyPieces: number; readonly ms: number };
}

export async function startSlowProxy(socketPath: string, slowness: Slowness): Promise<SlowProxy> {
  const sockets = new Set<net.Socket>();
  const listener = net.createServer({ noDelay: true }, (client) => {
    const server = net.connect({ path: socketPath });
    pass(client, server, slowness);
    pass(server, client, slowness);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
  });
  await new Promise<void>((resolve) => {
    listener.listen(0, '127.0.0.1', resolve);
  });
  return {
    host: '127.0.0.1',
    port: (listener.address() as net.AddressInfo).port,
    [Symbol.dispose]() {
      listener.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function pass(from: net.Socket, to: net.Socket, { delayMs = 0, stall }: Slowness): void {
  let pieces = 0;
  let heldUntilMs = 0;
  const later = (act: () => void) => {
    const stalledMs = stall !== undefined && pieces % stall.everyPieces === 0 ? stall.ms : 0;
    // In order: nothing overtakes what is held back.
    heldUntilMs = Math.max(heldUntilMs, performance.now() + delayMs + stalledMs);
    const ms = heldUntilMs - performance.now();
    if (ms <= 0) act();
    else setTimeout(act, ms);
  };
  from.on('data', (piece) => {
    pieces++;
    later(() => to.write(piece));
  });
  from.on('end', () => later(() => to.end()));
}
