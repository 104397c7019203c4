/** Runs tasks, no more than `limit` of them at any time; the others wait their turn, first come first served. */
export const atMost = (limit: number): (<T>(task: () => Promise<T>) => Promise<T>) => {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running === limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await task();
    } finally {
      // The place goes straight to the next in line, so nobody who comes now can overtake.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
};
