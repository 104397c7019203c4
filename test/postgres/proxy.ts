import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A network between clients and a server that forwards bytes, drops them, or cuts the connections. */
export const openProxy = async (server: string) => {
  let isSilent = false;
  const sockets = new Set<Socket>();
  const join = (from: Socket, to: Duplex): void => {
    sockets.add(from);
    from.on('error', () => {});
    from.once('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    from.on('data', (bytes) => {
      if (!isSilent) to.write(bytes);
    });
  };
  const listener = createServer((client) => {
    const peer = connect(server);
    join(client, peer);
    join(peer, client);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    silence: (silent: boolean): void => {
      isSilent = silent;
      // Bytes that a silent network has dropped are lost.
      if (!silent) for (const socket of sockets) socket.destroy();
    },
    close: (): void => {
      for (const socket of sockets) socket.destroy();
      listener.close();
    },
  };
};
