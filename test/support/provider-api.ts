import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** An answer of a stub: JSON with a status, by default 200. */
export type StubAnswer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** The delay of the answer in milliseconds. */
  readonly after?: number;
};

/** A stub of a provider's API on this machine, until the test ends, and the requests that it received. */
export const providerApi = async (answer: (url: URL, request: IncomingMessage) => StubAnswer | undefined) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://stub');
    asked.push(url.pathname + url.search);
    const { status, headers, json = {}, after = 0 } = answer(url, request) ?? { status: 404, json: { error: {} } };
    setTimeout(() => {
      response.writeHead(status ?? 200, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(json));
    }, after);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const options = { host: '127.0.0.1', port, protocol: 'http' } as const;
  return { asked, base: `http://127.0.0.1:${port}`, options };
};

/** A page of Stripe's lists. */
export const stripePage = (data: readonly object[], has_more = false): StubAnswer => ({
  json: { object: 'list', url: '/v1/any', has_more, data },
});
