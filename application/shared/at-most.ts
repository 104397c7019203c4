/** Returns a function that runs tasks, at most `limit` at a time. Waiting tasks start in the order of their arrival. */
export const atMost = (limit: number): (<T>(task: () => Promise<T>) => Promise<T>) => {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async function atMost(task) {
    if (running === limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await task();
    } finally {
      // The slot passes directly to the next waiting task, so a task arriving now can't overtake it.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
};
