/** Stands between a client and a real server, and takes capabilities out of the server's greeting. */
import net from 'node:net';

export interface GreetingProxy extends Disposable {
  readonly host: '127.0.0.1';
  readonly port: number;
}

export async function startGreetingProxy(socketPath: string, withheld: number): Promise<GreetingProxy> {
  const sockets = new Set<net.Socket>();
  const listener = net.createServer((client) => {
    const server = net.connect({ path: socketPath });
    server.once('data', (greeting) => {
      client.write(without(greeting, withheld));
      server.pipe(client);
    });
    client.pipe(server);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
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

/** Capabilities stand in two halves, behind version, connection id, eight bytes of nonce and a zero. */
function without(greeting: Buffer, withheld: number): Buffer {
  const low = greeting.indexOf(0, 5) + 1 + 4 + 8 + 1;
  const high = low + 2 + 1 + 2;
  greeting.writeUInt16LE(greeting.readUInt16LE(low) & ~(withheld & 0xffff), low);
  greeting.writeUInt16LE(greeting.readUInt16LE(high) & ~(withheld >>> 16), high);
  return greeting;
}
