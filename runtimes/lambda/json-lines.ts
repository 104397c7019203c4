import type { Config } from '../composition/config.ts';

type Level = Config['logLevel'];

/** pino's numbers, which the server's log has too. pino itself would be a fifteenth of what a function loads. */
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

/** What is said of an error: its kind, its words and where it comes from, and the same of its causes. */
export const told = (error: unknown, depth = 0): object => {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { name, message, stack, cause } = error;
  const further = depth < CAUSES;
  return {
    type: name,
    message,
    ...('code' in error && { code: String(error.code) }),
    stack,
    ...(further && error instanceof AggregateError && { errors: error.errors.map((one) => told(one, depth + 1)) }),
    ...(further && cause !== undefined && { cause: told(cause, depth + 1) }),
  };
};

/**
 * Writes one line to standard output. It is out when this returns, for an instance may be frozen as soon as it has
 * answered: Node writes to a pipe or a file at once, except on Windows.
 */
export const jsonLine = (level: Level, fields: object, msg: string): void => {
  process.stdout.write(`${JSON.stringify({ level: levelOf(level), time: Date.now(), ...fields, msg })}\n`);
};
