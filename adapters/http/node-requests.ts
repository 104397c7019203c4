import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler } from 'express';
import proxyAddr from 'proxy-addr';
import type { HostFunction } from '../host/host.ts';
import { peerAddress } from '../host/peer-address.ts';
import { isStreamed, type Reply } from '../host/reply.ts';
import type { HostHeaders, HostRequest } from '../host/request.ts';

/** Milliseconds for which a client may continue sending a body that nobody reads. */
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
  // A client that disconnects loses its answer. That is not a fault.
  req.on('error', () => {});
  req.resume();
};

export type AddressOf = (req: IncomingMessage) => string;

/**
 * The path and the query of a request target in origin form or absolute form (RFC 9112, section 3.2), as they were
 * sent. A fragment, which clients should not send, is dropped.
 */
export const targetOf = (url: string): { readonly path: string; readonly query: string } => {
  const sent = url.startsWith('/') ? url : url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  const [target = ''] = sent.split('#', 1);
  const mark = target.indexOf('?');
  return mark < 0
    ? { path: target || '/', query: '' }
    : { path: target.slice(0, mark) || '/', query: target.slice(mark + 1) };
};

/**
 * The host and port of a request, in lower case: those of an absolute target, whatever the Host header says, otherwise
 * those of the Host header (RFC 9112, section 3.3). The trailing dot of a full name is dropped.
 */
export const authorityOf = ({ url = '', headers }: IncomingMessage): string => {
  const [, absolute] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url) ?? [];
  return (absolute ?? headers.host ?? '').toLowerCase().replace(/\.(?=(?::\d*)?$)/, '');
};

/** The number of body bytes that Node will read (RFC 9112, section 6.3). */
const lengthOf = ({ headers }: IncomingMessage): number | undefined =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;

/** True if the headers announce a body. */
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
 * has disconnected. A failing source closes the connection before the reply is complete.
 */
export const sendReply = (res: ServerResponse, { status, headers, body }: Reply): Promise<void> | undefined => {
  if (isStreamed(body)) return sendStream(res, status, headers, body.stream);
  // A string is sent in one write with the headers; a buffer takes a second write, which costs more CPU.
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
    // The host has logged any fault of the source. Any other error is a client that disconnected.
    res.destroy();
  }
};

/** Passes one request to the host and sends its reply. Rejects if the reply can't be sent. */
export const serveRequest = async (
  host: Pick<HostFunction, 'handle'>,
  req: IncomingMessage,
  res: ServerResponse,
  request: HostRequest,
): Promise<void> => {
  const reply = await host.handle(request);
  if (!req.complete && request.length !== 0) discardRest(req, res);
  await sendReply(res, reply);
};

/** Whether an address is a trusted proxy's. `hop` is 0 for the socket's own address. */
type Trust = (address: string, hop: number) => boolean;

/**
 * The client's address: the nearest one that is not a trusted proxy's, without the port that some proxies append. If a
 * proxy names no address, or `unknown`, it counts as the client itself, so all clients behind it share one limit.
 */
const clientOf = ({ socket, headers }: IncomingMessage, isTrusted: Trust): string => {
  const named = String(headers['x-forwarded-for'] ?? '').split(',');
  const chain = named.map((text) => text.trim()).filter((text) => text !== '');
  let client = peerAddress(socket.remoteAddress ?? '') ?? '';
  for (const [hop, text] of chain.reverse().entries()) {
    const address = isTrusted(client, hop) ? peerAddress(text) : undefined;
    if (address === undefined) break;
    client = address;
  }
  return client;
};

/**
 * The client's address behind proxies. `trustedProxies` are addresses, ranges, or names such as `loopback`. Without any,
 * the address is the socket's own. No header that a client can forge counts.
 */
export const addressBehind = (trustedProxies: readonly string[]): AddressOf => {
  if (trustedProxies.length === 0) return ({ socket }) => peerAddress(socket.remoteAddress ?? '') ?? '';
  const trust = proxyAddr.compile([...trustedProxies]);
  return (req) => clientOf(req, trust);
};

/** True for the address of a trusted proxy, which carries the requests of many clients. */
export const isProxy = (trustedProxies: readonly string[]): ((address: string) => boolean) => {
  if (trustedProxies.length === 0) return () => false;
  const trust = proxyAddr.compile([...trustedProxies]);
  return (address) => isIP(address) > 0 && trust(address, 0);
};

/** A listener that serves a host on a Node server, without a framework. */
export const nodeListener =
  (host: HostFunction, addressOf: AddressOf = addressBehind([])): RequestListener =>
  (req, res) => {
    const request = requestOf(req, req.url ?? '/', addressOf);
    serveRequest(host, req, res, request).catch(() => res.destroy());
  };

const ipOf: AddressOf = (req) => clientOf(req, (req as Request).app.get('trust proxy fn') as Trust);

/**
 * Mounts a host in an Express app. The host answers its own paths; all others continue to the app's routes. The app's
 * `trust proxy` setting determines the client's address, unless `addressOf` does. Mount it before any middleware that
 * reads bodies.
 */
export const expressRouter = (host: HostFunction, addressOf = ipOf): RequestHandler => {
  const begin = sideBySide();
  return (req, res, next) => {
    const address = addressOf(req);
    const request = requestOf(req, req.url, () => address);
    if (host.serves(request.path)) begin(() => void serveRequest(host, req, res, request).catch(next));
    else next();
  };
};

/**
 * The maximum number of tasks started in one turn. A task uses most memory while it runs, and tasks that start together
 * end together, so hundreds of large answers would need memory for all of them.
 */
const WORKS_OF_TURN = 32;

/**
 * Starts the tasks of one event-loop turn together, at its end. Requests that arrive together then pass through each
 * step of the service while its code is in the processor's caches, which saves much CPU. Tasks beyond 32 start in the
 * next turns, in order. A task must not throw, because later ones would not start.
 */
export const sideBySide = (): ((work: () => void) => void) => {
  let waiting: (() => void)[] = [];
  const begin = (): void => {
    const works = waiting.slice(0, WORKS_OF_TURN);
    waiting = waiting.slice(WORKS_OF_TURN);
    if (waiting.length > 0) setImmediate(begin);
    for (const work of works) work();
  };
  return (work) => {
    if (waiting.length === 0) setImmediate(begin);
    waiting.push(work);
  };
};
