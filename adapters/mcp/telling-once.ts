import type { Respond } from '../host/host.ts';

/** Answers as `respond` does. The first reply takes the faults along to the log. */
export const tellingOnce = (faults: readonly unknown[], respond: Respond): Respond => {
  let untold = faults;
  return async (...asked) => {
    const told = untold;
    untold = [];
    const reply = await respond(...asked);
    return told.length === 0 ? reply : { ...reply, faults: [...told, ...(reply.faults ?? [])] };
  };
};
