import type { Context } from '../context.ts';

/** The limits of callers that the context may set, and their variables. */
const LIMITS = {
  ratePerAccount: 'RATE_LIMIT_PER_MINUTE',
  ratePerAgent: 'RATE_LIMIT_AGENT_PER_MINUTE',
  ratePerAddress: 'RATE_LIMIT_ANONYMOUS_PER_MINUTE',
  filesPerAddress: 'RATE_LIMIT_FILES_PER_MINUTE',
} as const;

/** Requests a minute. They are the bounds of the functions themselves, which don't start with another value. */
const BOUNDS = { least: 1, most: 100_000_000 };

/** The variables of the limits that the context sets. */
export const limitsOf = (context: Context): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(LIMITS).flatMap(([name, variable]) => {
      const value = context.whole(name, BOUNDS);
      return value === undefined ? [] : [[variable, String(value)]];
    }),
  );
