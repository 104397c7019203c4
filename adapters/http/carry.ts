import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Host } from '../host/host.ts';
import { isStreamed, type Reply } from '../host/reply.ts';
import type { HostHeaders, HostRequest } from '../host/request.ts';

/** Milliseconds for which a client may go on sending a body that nobody reads. */
const LINGER_MS = 5000;

/**
 * Discards the rest of a body that was refused before its end, so that the client can read the answer instead of
 * meeting a broken connection (RFC 9112, section 9.6). A client that sends for more than five seconds is cut off.
 */
const discardRest = (req: IncomingMessage, res: ServerResponse): void => {
  // Otherwise Node closes the connection with its answer, if the client asked for that, while the client still writes.
  res.shouldKeepAlive = true;
  const timer = setTimeout(() => req.destroy(), LINGER_MS).unref();
  req.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  // A client that leaves loses its answer. That is no fault.
  req.on('error', () => {});
  req.resume();
};

/** The network address of a request's sender. */
export type AddressOf = (req: IncomingMessage) => string;

/**
 * The path and the query of a request target in origin form or absolute form (RFC 9112, section 3.2), as they were
 * sent. A fragment, which no client should send, is left out.
 */
export const targetOf = (url: string): { readonly path: string; readonly query: string } => {
  const sent = url.startsWith('/') ? url : url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  const [target = ''] = sent.split('#', 1);
  const mark = target.indexOf('?');
  return mark < 0
    ? { path: target || '/', query: '' }
    : { path: target.slice(0, mark) || '/', query: target.slice(mark + 1) };
};

/** Bytes of the body that Node is to read (RFC 9112, section 6.3). */
const lengthOf = ({ headers }: IncomingMessage): number | undefined =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;

/** True for a request that has a body, as far as its headers say. */
export const hasBody = (req: IncomingMessage): boolean => lengthOf(req) !== 0;

/** Turns Node's request into a host's request. `url` is the request target. */
export const requestOf = (req: IncomingMessage, url: string, addressOf: AddressOf): HostRequest => ({
  method: req.method ?? 'GET',
  ...targetOf(url),
  headers: req.headers as HostHeaders,
  address: () => addressOf(req),
  length: lengthOf(req),
  body: () => req,
});

/**
 * Sends a reply as the response of Node's server. Resolves when the connection has taken everything, or when the client
 * went away. A source that fails ends the connection before the reply is complete.
 */
export const sendReply = (res: ServerResponse, { status, headers, body }: Reply): Promise<void> | undefined => {
  if (isStreamed(body)) return sendStream(res, status, headers, body.stream);
  // A string goes out in one write with the headers; a buffer takes a second one, which costs more CPU.
  res.writeHead(status, headers).end(body ?? undefined);
  return undefined;
};

const sendStream = async (
  res: ServerResponse,
  status: number,
  headers: Reply['headers'],
  stream: Readable,
): Promise<void> => {
  if (res.destroyed) return void stream.destroy();
  res.writeHead(status, headers);
  try {
    // The pipeline does not end the response: Node would end a truncated answer as if it were complete.
    await pipeline(stream, res, { end: false });
    res.end();
  } catch {
    // The host has logged any fault of the source. Any other error is a client that went away.
    res.destroy();
  }
};

/** Carries one request to the host and its reply back. Rejects where the reply can't be sent. */
export const carry = async (
  host: Pick<Host, 'handle'>,
  req: IncomingMessage,
  res: ServerResponse,
  request: HostRequest,
): Promise<void> => {
  const reply = await host.handle(request);
  if (!req.complete && request.length !== 0) discardRest(req, res);
  await sendReply(res, reply);
};
