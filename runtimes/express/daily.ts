import { DAY_MS } from '../../domain/shared/instant.ts';

/**
 * Runs `work` now and once a day, until `stop`. An error goes to `fault`, and `work` runs again the next day. The timer
 * keeps no process alive.
 */
export const daily = (work: () => Promise<void>, fault: (error: unknown) => void): { readonly stop: () => void } => {
  const run = (): void => void work().catch(fault);
  run();
  const timer = setInterval(run, DAY_MS).unref();
  return { stop: () => clearInterval(timer) };
};
