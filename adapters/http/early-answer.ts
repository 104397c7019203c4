import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { countedAddress } from '../../domain/access/rate-limit.ts';
import { frameHeaders } from '../host/host.ts';
import { STATUS_CODES } from '../host/node-http.ts';
import { jsonReply, NO_STORE, type Reply } from '../host/reply.ts';

/** A request that was refused before any host saw it, or a connection that was refused before its first request. */
export type EarlyRefusal = {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Logs one line for each early refusal. The code is Node's name of the reason, or a name of ours. */
export type EarlyLog = (line: {
  readonly id: string;
  readonly status: number;
  readonly code: string;
  readonly address: string;
}) => void;

/** Milliseconds for which a client may go on sending after its answer, so that it can read the answer. */
const LINGER_MS = 2000;

/** The refusal as a reply, with the headers of every reply. The connection ends with it. */
export const earlyReply = ({ status, message, headers }: EarlyRefusal, id: string): Reply =>
  jsonReply(status, { message }, { ...frameHeaders(id), 'cache-control': NO_STORE, ...headers, connection: 'close' });

const wire = ({ status, headers, body }: Reply): string => {
  const lines = Object.entries({ date: new Date().toUTCString(), ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${String(body)}`;
};

/**
 * Answers a connection on which Node can't or shall not answer a request, and ends it. The rest of a request is thrown
 * away for two seconds at most: a connection that closes with unread bytes would take the answer with it.
 */
export const answerEarly = (socket: Socket, refusal: EarlyRefusal, code: string, log: EarlyLog): void => {
  const id = randomUUID();
  log({ id, status: refusal.status, code, address: countedAddress(socket.remoteAddress ?? '') });
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  // A client that leaves loses its answer. That is no fault.
  socket.once('close', () => clearTimeout(timer)).on('error', () => {});
  socket.end(wire(earlyReply(refusal, id)));
  socket.resume();
};
