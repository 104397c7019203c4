import { DAY_MS } from '../../domain/shared/instant.ts';

/**
 * Runs `work` now and once a day, until it is told to stop. What goes wrong is told to `fault`, and tried again on the
 * next day. Keeps no process alive.
 */
export const daily = (work: () => Promise<void>, fault: (error: unknown) => void): { readonly stop: () => void } => {
  const run = (): void => void work().catch(fault);
  run();
  const timer = setInterval(run, DAY_MS).unref();
  return { stop: () => clearInterval(timer) };
};
