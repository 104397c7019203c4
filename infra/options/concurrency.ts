import { FUNCTIONS, type FunctionName } from '../bundles/functions.ts';
import type { Context } from '../context.ts';

/** The instances that each function has reserved, which are also the most that it gets. A function may have none. */
export type Concurrency = Readonly<Partial<Record<FunctionName, number>>>;

/**
 * A function that streams is busy for as long as a client reads, up to 15 minutes. Without a bound, downloads would
 * take all 1,000 instances that an account has by default, and license checks would find none. With these, 800 are left
 * to the other functions. An account with fewer than 300 instances can't reserve them, because Lambda keeps 100 of an
 * account's instances unreserved: there the operator sets `off`.
 */
const DEFAULTS: Readonly<Record<'dev' | 'prod', Concurrency>> = {
  dev: {},
  prod: { downloads: 100, media: 100 },
};

/** The concurrency that the context sets by `<function>Concurrency`: a number of instances, or `off`. */
export const concurrencyOf = (context: Context, stage: 'dev' | 'prod'): Concurrency => {
  context.refuse('reservedConcurrency', 'set each function’s own, such as -c downloadsConcurrency=100');
  return Object.fromEntries(
    FUNCTIONS.flatMap((name) => {
      const given = context.wholeOrOff(`${name}Concurrency`, { least: 1, most: 9999 }) ?? DEFAULTS[stage][name];
      return given === undefined || given === 'off' ? [] : [[name, given]];
    }),
  );
};
