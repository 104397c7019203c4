import pino, { type Logger } from 'pino';
import type { AppOptions } from '../../adapters/http/app.ts';

/** How much is written at once, and how long a line may wait for more: a write for each request would cost a quarter of it. */
const BUFFER_BYTES = 8 * 1024;
const FLUSH_MS = 250;

export type Log = { readonly logger: Logger; readonly close: () => void };

/** Logs go to standard error as JSON lines; standard output is for people. */
export const openLog = (level: string): Log => {
  const destination = pino.destination({ fd: 2, sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_MS });
  const logger = pino({ level, base: null }, destination);
  return { logger, close: () => destination.flushSync() };
};

/** Requests at `info`, faults at `error`. Neither keys nor queries nor bodies ever get here. */
export const logging = ({ logger }: Log): Pick<AppOptions, 'log' | 'fault'> => ({
  log: ({ answered, ...line }) => {
    if (logger.isLevelEnabled('info')) logger.info({ ...line, ...answered }, 'request');
  },
  fault: (error, requestId) => logger.error({ id: requestId, err: error }, 'fault'),
});
