import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Host } from '../host/host.ts';
import { isStreamed, type Reply } from '../host/reply.ts';
import type { HostHeaders, HostRequest } from '../host/request.ts';
import { discardRest } from './discard.ts';

/** The network address of a request's sender. */
export type AddressOf = (req: IncomingMessage) => string;

/** Turns Node's request into a host's request. `url` is the request target, from the first slash on. */
export const requestOf = (req: IncomingMessage, url: string, addressOf: AddressOf): HostRequest => {
  const mark = url.indexOf('?');
  return {
    method: req.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    headers: req.headers as HostHeaders,
    address: () => addressOf(req),
    body: () => req,
  };
};

/**
 * Sends a reply as the response of Node's server. Resolves when the connection has taken everything, or when the client
 * went away. A source that fails breaks the connection off. Rejects, with nothing sent, if a
 * header or the status is invalid.
 */
export const sendReply = async (res: ServerResponse, { status, headers, body }: Reply): Promise<void> => {
  if (!isStreamed(body)) {
    // A string goes out in one write with the headers; a buffer takes a second one, which costs more CPU.
    res.writeHead(status, headers).end(body ?? undefined);
    return;
  }
  if (res.destroyed) return void body.stream.destroy();
  res.writeHead(status, headers);
  try {
    // The pipeline does not end the response: Node would end a truncated answer as if it were complete.
    await pipeline(body.stream, res, { end: false });
    res.end();
  } catch {
    // The host has logged any fault of the source. Any other error is a client that went away.
    res.destroy();
  }
};

/** Carries one request to the host and its reply back. */
export const carry = async (
  host: Host,
  req: IncomingMessage,
  res: ServerResponse,
  request: HostRequest,
): Promise<void> => {
  const reply = await host.handle(request);
  if (!req.complete) discardRest(req, res);
  try {
    await sendReply(res, reply);
  } catch (error) {
    if (isStreamed(reply.body)) reply.body.stream.destroy();
    await sendReply(res, host.instead(reply, error));
  }
};
