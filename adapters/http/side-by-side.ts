/**
 * Begins the works of one turn of the event loop together, at its end. Requests that arrive together then go through
 * each step of the service side by side, while its code is in the processor's caches, which takes a good part of their
 * CPU away. A work must not throw, because the works after it would not begin.
 */
export const sideBySide = (): ((work: () => void) => void) => {
  let waiting: (() => void)[] = [];
  const begin = (): void => {
    const works = waiting;
    waiting = [];
    for (const work of works) work();
  };
  return (work) => {
    if (waiting.length === 0) setImmediate(begin);
    waiting.push(work);
  };
};
