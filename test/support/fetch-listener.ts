import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';

type FetchHandler = (request: Request) => Promise<Response>;

/** The next bytes of a request; null at its end. Rejects if its sender disconnects. */
const nextOf = async (req: IncomingMessage): Promise<Buffer | null> => {
  for (;;) {
    const chunk: Buffer | null = req.read();
    if (chunk || req.readableEnded) return chunk;
    if (req.destroyed) throw new Error('The sender went away.');
    await new Promise<void>((resolve) => {
      const go = (): void => {
        req.off('readable', go).off('end', go).off('close', go);
        resolve();
      };
      req.on('readable', go).on('end', go).on('close', go);
    });
  }
};

/** The body as a stream that reads nothing until it is needed, and that may stay unread. */
const bodyOf = (req: IncomingMessage): ReadableStream<Uint8Array> =>
  new ReadableStream(
    {
      pull: async (controller) => {
        const chunk = await nextOf(req);
        if (chunk) controller.enqueue(new Uint8Array(chunk));
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );

const requestOf = (req: IncomingMessage): Request => {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(req.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  const hasBody = req.headers['content-length'] !== undefined || req.headers['transfer-encoding'] !== undefined;
  const method = req.method ?? 'GET';
  const takesBody = hasBody && method !== 'GET' && method !== 'HEAD';
  return new Request(`http://${req.headers.host}${req.url}`, {
    method,
    headers,
    ...(takesBody && { body: bodyOf(req), duplex: 'half' }),
  });
};

/** The request's address, which `Request` itself can't contain; runtimes pass it separately. */
const addresses = new WeakMap<Request, string>();

export const addressOf = (request: Request): string => addresses.get(request) ?? '';

const send = async (res: ServerResponse, response: Response): Promise<void> => {
  res.writeHead(response.status, [...response.headers].flat());
  if (!response.body) return void res.end();
  try {
    await pipeline(Readable.fromWeb(response.body as NodeReadableStream), res);
  } catch {
    res.destroy();
  }
};

/** A Node server that uses only `Request` and `Response` with its handler, as other runtimes do. */
export const fetchListener =
  (handler: FetchHandler): RequestListener =>
  async (req, res) => {
    let request: Request;
    try {
      request = requestOf(req);
    } catch {
      // A target that is not a URL never reaches a handler of `Request`.
      return void res.writeHead(400).end();
    }
    addresses.set(request, req.socket.remoteAddress ?? '');
    await send(res, await handler(request));
    // A body that was refused unread is discarded, so that its sender reads the answer.
    if (!req.complete) {
      req.resume();
      await Promise.race([once(req, 'close'), once(res, 'close')]);
    }
  };
