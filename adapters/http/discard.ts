import type { IncomingMessage, ServerResponse } from 'node:http';

/** Milliseconds for which a client may go on sending a body that nobody reads. */
const LINGER_MS = 5000;

/**
 * Discards the rest of a body that was refused before its end, so that the client can read the answer instead of
 * meeting a broken connection (RFC 9112, section 9.6). A client that sends for more than five seconds is cut off.
 */
export const discardRest = (req: IncomingMessage, res: ServerResponse): void => {
  // Otherwise Node closes the connection with its answer, if the client asked for that, while the client still writes.
  res.shouldKeepAlive = true;
  const timer = setTimeout(() => req.destroy(), LINGER_MS).unref();
  req.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  // A client that leaves loses its answer. That is no fault.
  req.on('error', () => {});
  req.resume();
};
