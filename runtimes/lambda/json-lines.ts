import type { Config } from '../configuration/config.ts';
import type { WorkerLog } from '../worker/replay-worker.ts';

type Level = Config['logLevel'];

/**
 * pino's level numbers, as in the server's log. The functions omit pino itself, which would be a fifteenth of their
 * code.
 */
const LEVELS = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: Number.POSITIVE_INFINITY,
} as const satisfies Record<Level, number>;

export const levelOf = (level: Level): number => LEVELS[level];

const CAUSES = 5;

/** An error for the log: type, message, code and stack, and those of its causes. */
export const errorFields = (error: unknown, depth = 0): object => {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { name, message, stack, cause } = error;
  const further = depth < CAUSES;
  return {
    type: name,
    message,
    ...('code' in error && { code: String(error.code) }),
    stack,
    ...(further &&
      error instanceof AggregateError && { errors: error.errors.map((one) => errorFields(one, depth + 1)) }),
    ...(further && cause !== undefined && { cause: errorFields(cause, depth + 1) }),
  };
};

/** A complete line of the log. */
export const lineOf = (level: Level, fields: object, msg: string): string =>
  `${JSON.stringify({ level: levelOf(level), time: Date.now(), ...fields, msg })}\n`;

/**
 * Writes one line to standard output synchronously, because an instance may be frozen as soon as it has answered. Node
 * writes to pipes and files synchronously, except on Windows.
 */
export const jsonLine = (level: Level, fields: object, msg: string): void => {
  process.stdout.write(lineOf(level, fields, msg));
};

/** The log of a worker as JSON lines on standard output. Its faults look like those of other functions. */
export const jobLog = (name: string, stage: string): WorkerLog => ({
  info: (line, message) => jsonLine('info', { stage, function: name, ...line }, message),
  error: ({ err, ...line }, message) =>
    jsonLine('error', { stage, function: name, ...line, ...(err !== undefined && { err: errorFields(err) }) }, message),
});
