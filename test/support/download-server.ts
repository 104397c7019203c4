import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { downloadsRouter } from '../../adapters/http/downloads.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';

/** A listening server on this machine. */
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

/** A store whose signed downloads a real server serves, through the router that production mounts. */
export const withDownloads = async <S extends ObjectStore>(
  make: (signature: DownloadSignature) => S,
  now?: () => number,
): Promise<Listening & { store: S; signature: DownloadSignature; secrets: string[] }> => {
  const app = express();
  const listening = await listen(app);
  const signature = new DownloadSignature({ secret: SECRET, baseUrl: () => listening.url, ...(now ? { now } : {}) });
  const store = make(signature);
  app.use(downloadsRouter(store, signature));
  const secrets = [
    SECRET.toString(),
    ...(['hex', 'base64', 'base64url'] as const).map((form) => SECRET.toString(form)),
  ];
  return { ...listening, store, signature, secrets };
};
