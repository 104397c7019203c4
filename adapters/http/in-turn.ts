import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that wait behind the one that is answered. Few clients send a second one early. */
const WAITING_REQUESTS = 16;

/** Calls the listener with a request once it is the request's turn. */
type TakeTurn = (req: IncomingMessage, res: Response, listener: RequestListener) => void;

type Response = ServerResponse<IncomingMessage> & { readonly req: IncomingMessage };

type Line = { last: Response; waiting: number };

/**
 * Begins the requests of a connection one after the other (RFC 9112, section 9.3.2). Node begins with every pipelined
 * request at once and holds each answer until its turn, so that a client who reads nothing would fill the memory with
 * answers. A request that waits takes some 10 KB, so that few may wait: `tooMany` gets the connection of one more, and
 * has to end it. A client who waits for its answers notices no difference.
 */
export const inTurn = (tooMany: (socket: Socket) => void): TakeTurn => {
  const lines = new WeakMap<Socket, Line>();
  return (req, res, listener) => {
    const { socket } = req;
    const line = lines.get(socket);
    if (line === undefined) {
      lines.set(socket, { last: res, waiting: 0 });
      listener(req, res);
      return;
    }
    const before = line.last;
    line.last = res;
    if (before.writableFinished) {
      listener(req, res);
      return;
    }
    // Requests that came in one piece with the one too many.
    if (socket.destroyed) return;
    if (line.waiting === WAITING_REQUESTS) {
      tooMany(socket);
      return;
    }
    line.waiting++;
    before.once('close', () => {
      line.waiting--;
      if (!socket.destroyed) listener(req, res);
    });
  };
};
