import type { IncomingMessage } from 'node:http';

const CODES = /^(?:ECONNRESET|ECONNABORTED|EPIPE|ERR_STREAM_PREMATURE_CLOSE|HPE_\w+)$/;

/** True for the error of a request whose client broke the connection off. That is no fault of ours. */
export const isBrokenOff = ({ socket }: IncomingMessage, error: unknown): boolean =>
  socket.destroyed && error instanceof Error && CODES.test(String((error as NodeJS.ErrnoException).code));
