/** Places for so many at once. Those that wait enter in the order of their arrival. */
export const places = (count: number) => {
  let free = count;
  const waiting = new Set<() => void>();

  /** Gives the place back, or on to the next one that waits. */
  const leave = (): void => {
    const [next] = waiting;
    if (next) {
      waiting.delete(next);
      next();
    } else {
      free++;
    }
  };

  /** Waits for a place until `late` rejects, and then throws its reason. */
  const enter = async (late: Promise<never>): Promise<void> => {
    if (free > 0) {
      free--;
      return;
    }
    let turn = (): void => {};
    const turned = new Promise<void>((resolve) => {
      turn = resolve;
    });
    waiting.add(turn);
    try {
      await Promise.race([turned, late]);
    } catch (error) {
      // A place may have been given at the same moment.
      if (!waiting.delete(turn)) leave();
      throw error;
    }
  };

  return { enter, leave };
};
