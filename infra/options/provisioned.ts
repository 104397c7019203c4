import { FUNCTIONS, type FunctionName } from '../bundles/functions.ts';
import type { Context } from '../context.ts';
import { BACKGROUND } from '../routes.ts';
import type { Concurrency } from './concurrency.ts';
import type { Deployment } from './deployment.ts';

/** The instances of a function that are kept started; a function without a number has none. */
export type Provisioned = Readonly<Partial<Record<FunctionName, number>>>;

/**
 * Reads `-c apiProvisioned=N`, and likewise for every function that requests reach. Lambda refuses started instances on
 * an alias that two versions share, which a canary's alias is, and more of them than the function has reserved.
 */
export const provisionedOf = (
  context: Context,
  { deployment, concurrency }: { readonly deployment: Deployment; readonly concurrency: Concurrency },
): Provisioned =>
  Object.fromEntries(
    FUNCTIONS.filter((name) => !BACKGROUND.includes(name)).flatMap((name) => {
      const instances = context.whole(`${name}Provisioned`, { least: 1, most: 9999 });
      if (instances === undefined) return [];
      if (deployment === 'canary') {
        throw new Error(`-c ${name}Provisioned and -c deployment=canary exclude each other: an alias can't have both.`);
      }
      const reserved = concurrency[name];
      if (reserved !== undefined && instances > reserved) {
        throw new Error(`-c ${name}Provisioned is at most ${reserved}, which -c ${name}Concurrency reserves.`);
      }
      return [[name, instances]];
    }),
  );
