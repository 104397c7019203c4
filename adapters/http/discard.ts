import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a client may go on sending what nobody reads. */
const LINGER_MS = 5000;

/**
 * Throws away what is left of a body that was refused before its end, so that its sender gets to read the answer instead
 * of a broken connection (RFC 9112, section 9.6); one who goes on for too long is cut off.
 */
export const discardRest = (req: IncomingMessage, res: ServerResponse): void => {
  // Else Node closes the connection with its answer where the client asked for that, while the client still writes.
  res.shouldKeepAlive = true;
  const timer = setTimeout(() => req.destroy(), LINGER_MS).unref();
  req.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  // The client may leave as well; its answer is lost then, and nothing is wrong here.
  req.on('error', () => {});
  req.resume();
};
