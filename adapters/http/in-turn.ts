import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Answers the requests of a connection one after the other (RFC 9112, section 9.3.2). Node begins with every pipelined
 * request at once and holds each answer until its turn, so that a client who reads nothing would fill the memory with
 * answers. A client who waits for its answers notices no difference.
 */
export const inTurn = (listener: RequestListener): RequestListener => {
  const answers = new WeakMap<Socket, ServerResponse>();
  return (req, res) => {
    const { socket } = req;
    const before = answers.get(socket);
    answers.set(socket, res);
    if (before === undefined || before.writableFinished) {
      listener(req, res);
      return;
    }
    before.once('close', () => {
      if (!socket.destroyed) listener(req, res);
    });
  };
};
