import pino, { type Logger } from 'pino';
import type { HostOptions } from '../../adapters/host/host.ts';
import type { EarlyLog } from '../../adapters/http/early-answer.ts';
import type { Config } from '../composition/config.ts';
import { LogLines } from './log-lines.ts';

/** A logger with the levels and the calls of pino. */
export type OwnLogger = Pick<Logger, 'info' | 'warn' | 'error' | 'isLevelEnabled'>;

export type Log = {
  readonly logger: OwnLogger;
  /** The lines that were lost since the process started. */
  readonly linesLost: () => number;
  readonly close: () => Promise<void>;
};

/** Opens the log: JSON lines on standard error. Standard output is for people. */
export const openLog = (level: string): Log => {
  const lines = new LogLines(process.stderr.fd);
  return { logger: pino({ level, base: null }, lines), linesLost: () => lines.lost, close: () => lines.close() };
};

/** A log whose lines go to the logger of another program, which closes it. */
export const logTo = (logger: OwnLogger): Log => ({ logger, linesLost: () => 0, close: async () => {} });

/**
 * Logs requests at `info` and faults at `error`. The log never has keys, queries or bodies, and without `logAddresses`
 * no addresses of clients.
 */
export const logging = (
  { logger }: Log,
  { logAddresses }: Pick<Config, 'logAddresses'>,
): Pick<HostOptions, 'log' | 'fault'> => ({
  log: ({ id, method, path, address, status, ms, answered }) => {
    if (!logger.isLevelEnabled('info')) return;
    const line = { id, method, path, status, ms, ...(logAddresses && { address }) };
    logger.info(Object.assign(line, answered), 'request');
  },
  fault: (error, requestId) => logger.error({ id: requestId, err: error }, 'fault'),
});

/** Logs requests and connections that were refused before a host saw them, at `info`. */
export const loggingEarly =
  ({ logger }: Log, { logAddresses }: Pick<Config, 'logAddresses'>): EarlyLog =>
  ({ address, ...line }) =>
    logger.info({ ...line, ...(logAddresses && { address }) }, 'refused early');
