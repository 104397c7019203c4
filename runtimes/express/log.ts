import pino, { type Logger } from 'pino';
import type { AppOptions } from '../../adapters/http/app.ts';

/** Logs go to standard error as JSON lines; standard output is for people. */
export const openLog = (level: string): Logger => pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));

/** Requests at `info`, faults at `error`. Neither keys nor queries nor bodies ever get here. */
export const logging = (log: Logger): Pick<AppOptions, 'log' | 'fault'> => ({
  log: ({ answered, ...line }) => {
    if (log.isLevelEnabled('info')) log.info({ ...line, ...answered }, 'request');
  },
  fault: (error, requestId) => log.error({ id: requestId, err: error }, 'fault'),
});
