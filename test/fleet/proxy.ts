import { connect, createServer, type Socket } from 'node:net';

/** A network that can be cut, between a client and Redis. */
export interface CutNetwork {
  readonly url: string;
  /** From now on nothing passes, and nothing is said about it. */
  cut(): void;
  heal(): void;
  close(): void;
}

export async function proxyTo(port: number): Promise<CutNetwork> {
  let isCut = false;
  const sockets = new Set<Socket>();
  const server = createServer((from) => {
    const to = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one);
      // Packets of a connection that was cut once are lost for good.
      one.on('data', (bytes) => void (!isCut && !lost.has(one) && other.write(bytes)));
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  const lost = new WeakSet<Socket>();
  const own = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  return {
    url: `redis://127.0.0.1:${own}`,
    cut: () => {
      isCut = true;
      for (const socket of sockets) lost.add(socket);
    },
    heal: () => {
      isCut = false;
      // What was cut ends, as after the time-out of a firewall.
      for (const socket of sockets) if (lost.has(socket)) socket.destroy();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
