import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import type { HostFunction } from '../host/host.ts';
import { isStreamed, type Reply } from '../host/reply.ts';
import type { HostRequest } from '../host/request.ts';

/** Statuses whose response has no body (Fetch, null body status). */
const WITHOUT_BODY = new Set([204, 304]);

const lengthOf = ({ body, headers }: Request): number | undefined => {
  if (body === null) return 0;
  const length = Number(headers.get('content-length') ?? Number.NaN);
  return Number.isSafeInteger(length) ? length : undefined;
};

const requestOf = (request: Request, address: () => string, body: HostRequest['body']): HostRequest => {
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    headers: Object.fromEntries(request.headers),
    address,
    length: lengthOf(request),
    body,
  };
};

const responseBody = ({ status, body }: Reply) => {
  if (body === null || WITHOUT_BODY.has(status)) return null;
  return isStreamed(body) ? (Readable.toWeb(body.stream) as ReadableStream<Uint8Array>) : body;
};

/**
 * Serves a host to any runtime with `Request` and `Response` (Fetch). `addressOf` returns the client's IP address,
 * by which callers without a key are rate limited. A `Request` does not contain it, so the handler passes `addressOf`
 * all its other arguments, such as the context of a framework or the connection of a runtime. If a body is refused
 * early, the rest of it is cancelled.
 */
export const fetchHandler =
  <Context extends readonly unknown[] = []>(
    host: HostFunction,
    addressOf: (request: Request, ...context: Context) => string,
  ): ((request: Request, ...context: Context) => Promise<Response>) =>
  async (request, ...context) => {
    let opened: Readable | undefined;
    const body = (): Uint8Array | Readable => {
      if (!request.body) return new Uint8Array();
      opened = Readable.fromWeb(request.body as NodeReadableStream<Uint8Array>);
      return opened;
    };
    const reply = await host.handle(requestOf(request, () => addressOf(request, ...context), body));
    opened?.destroy();
    return new Response(responseBody(reply), { status: reply.status, headers: reply.headers });
  };
