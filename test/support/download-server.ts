import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { downloadsRoute } from '../../adapters/host/downloads.ts';
import { createHost } from '../../adapters/host/host.ts';
import { nodeListener } from '../../adapters/http/node-listener.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';

/** A server that listens on this machine. */
export type Listening = { readonly url: string; readonly server: Server; readonly close: () => Promise<void> };

export const listen = async (listener: RequestListener): Promise<Listening> => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
  };
  return { url: `http://127.0.0.1:${port}`, server, close };
};

export const SECRET = Buffer.from('a secret of exactly 32 bytes: ok');

/** A store and a real server that serves its signed downloads through the route of production. */
export const withDownloads = async <S extends ObjectStore>(
  make: (signature: DownloadSignature) => S,
  now?: () => number,
): Promise<Listening & { store: S; signature: DownloadSignature; secrets: string[] }> => {
  const signature = new DownloadSignature({ secret: SECRET, baseUrl: () => listening.url, ...(now ? { now } : {}) });
  const store = make(signature);
  const host = createHost([downloadsRoute(store, signature)], {
    log: () => {},
    fault: () => {},
    health: () => store.ping(),
  });
  const listening = await listen(nodeListener(host));
  const secrets = [
    SECRET.toString(),
    ...(['hex', 'base64', 'base64url'] as const).map((form) => SECRET.toString(form)),
  ];
  return { ...listening, store, signature, secrets };
};
