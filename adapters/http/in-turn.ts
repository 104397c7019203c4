import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { IncomingMessage as Message } from '../host/node-http.ts';

/** Requests of one connection that wait behind the one that is answered. Hardly a client sends a second one early. */
const WAITING_REQUESTS = 2;

/**
 * The requests of a server whose connections can be ended in the middle of a piece. Node's parser reads a piece of 64 KiB
 * to its end even where the connection was ended by the first of its requests: 2,400 short ones take 5 MB and 40 ms. It
 * stops at a request that asks for another protocol, and closes the connection where the server speaks none. So every
 * request on an ended connection says of itself that it asks for one.
 */
export class StoppableRequest extends Message {
  private declare isUpgrade: boolean;

  /** Set and read by Node. */
  get upgrade(): boolean {
    return this.isUpgrade || this.socket.destroyed;
  }

  set upgrade(isUpgrade: boolean) {
    this.isUpgrade = isUpgrade;
  }
}

/** Calls the listener with a request once it is the request's turn. */
type TakeTurn = (req: IncomingMessage, res: Response, listener: RequestListener) => void;

type Response = ServerResponse<IncomingMessage> & { readonly req: IncomingMessage };

type Line = { last: Response; waiting: number };

/**
 * Begins the requests of a connection one after the other (RFC 9112, section 9.3.2). Node begins with every pipelined
 * request at once and holds each answer until its turn, so that a client who reads nothing would fill the memory with
 * answers. Two may wait: `tooMany` gets the connection of one more, and has to end it. A client who waits for its
 * answers notices no difference.
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
