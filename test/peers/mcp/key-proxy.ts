import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export type KeyProxy = { readonly url: string; readonly close: () => void };

/**
 * A proxy that only adds a key to every request, for programs that can't send their own header. Host and Origin are
 * forwarded unchanged.
 */
export const openKeyProxy = async (target: string, key: string): Promise<KeyProxy> => {
  const { hostname, port } = new URL(target);
  const server = createServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${key}` };
    const onward = request({ hostname, port, method: req.method, path: req.url, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
};
