import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { Host } from '../host/host.ts';
import { isStreamed, type Reply } from '../host/reply.ts';
import type { HostRequest } from '../host/request.ts';

/** Statuses whose response has no body (Fetch, null body status). */
const WITHOUT_BODY = new Set([204, 304]);

const requestOf = (request: Request, address: () => string): HostRequest => {
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    headers: Object.fromEntries(request.headers),
    address,
    body: () => (request.body ? Readable.fromWeb(request.body as NodeReadableStream<Uint8Array>) : new Uint8Array()),
  };
};

const responseBody = ({ status, body }: Reply) => {
  if (body === null || WITHOUT_BODY.has(status)) return null;
  return isStreamed(body) ? (Readable.toWeb(body.stream) as ReadableStream<Uint8Array>) : body;
};

/** Throws where a header is none. */
const responseOf = (reply: Reply): Response =>
  new Response(responseBody(reply), { status: reply.status, headers: reply.headers });

/**
 * Serves a host to any runtime with `Request` and `Response` (Fetch). `addressOf` returns the client's network address,
 * by which callers without a key are rate limited.
 */
export const fetchHandler =
  (host: Host, addressOf: (request: Request) => string): ((request: Request) => Promise<Response>) =>
  async (request) => {
    const reply = await host.handle(requestOf(request, () => addressOf(request)));
    try {
      return responseOf(reply);
    } catch (error) {
      return responseOf(host.instead(reply, error));
    }
  };
