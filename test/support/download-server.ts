import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { UploadSignature } from '../../adapters/filesystem/upload-signature.ts';
import { createHost } from '../../adapters/host/host.ts';
import { downloadsRoute, uploadsRoute } from '../../adapters/host/signed-urls.ts';
import { nodeListener } from '../../adapters/http/node-requests.ts';
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

/**
 * A store and a real server that serves its signed downloads and uploads through the production routes. `pass` advances
 * the clock of the signatures.
 */
export const withDownloads = async <S extends ObjectStore>(
  make: (signature: DownloadSignature, uploads: UploadSignature) => S,
  now: () => number = Date.now,
) => {
  let passed = 0;
  const options = { secret: SECRET, baseUrl: (): string => listening.url, now: () => now() + passed };
  const signature = new DownloadSignature(options);
  const uploads = new UploadSignature(options);
  const store = make(signature, uploads);
  const faults: unknown[] = [];
  const host = createHost([downloadsRoute(store, signature), uploadsRoute(store, uploads)], {
    log: () => {},
    fault: (error) => void faults.push(error),
    health: () => store.ping(),
  });
  const listening = await listen(nodeListener(host));
  const secrets = [
    SECRET.toString(),
    ...(['hex', 'base64', 'base64url'] as const).map((form) => SECRET.toString(form)),
  ];
  const pass = async (ms: number): Promise<void> => {
    passed += ms;
  };
  return { ...listening, store, signature, secrets, faults, pass };
};
