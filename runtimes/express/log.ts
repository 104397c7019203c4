import pino, { type Logger } from 'pino';
import type { HostOptions } from '../../adapters/host/host.ts';
import type { EarlyLog } from '../../adapters/http/early-answer.ts';
import type { Config } from '../composition/config.ts';

/**
 * Bytes to collect before a write, and milliseconds that a line waits for more. One write for each request would be a
 * quarter of its cost.
 */
const BUFFER_BYTES = 8 * 1024;
const FLUSH_MS = 250;

export type Log = { readonly logger: Logger; readonly close: () => void };

/** Opens the log: JSON lines on standard error. Standard output is for people. */
export const openLog = (level: string): Log => {
  const destination = pino.destination({ fd: 2, sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_MS });
  const logger = pino({ level, base: null }, destination);
  return { logger, close: () => destination.flushSync() };
};

/**
 * Logs requests at `info` and faults at `error`. The log never has keys, queries or bodies, and without `logAddresses`
 * no addresses of clients.
 */
export const logging = (
  { logger }: Log,
  { logAddresses }: Pick<Config, 'logAddresses'>,
): Pick<HostOptions, 'log' | 'fault'> => ({
  log: ({ answered, address, ...line }) => {
    if (logger.isLevelEnabled('info'))
      logger.info({ ...line, ...(logAddresses && { address }), ...answered }, 'request');
  },
  fault: (error, requestId) => logger.error({ id: requestId, err: error }, 'fault'),
});

/** Logs requests and connections that were refused before a host saw them, at `info`. */
export const loggingEarly =
  ({ logger }: Log, { logAddresses }: Pick<Config, 'logAddresses'>): EarlyLog =>
  ({ address, ...line }) =>
    logger.info({ ...line, ...(logAddresses && { address }) }, 'refused early');
