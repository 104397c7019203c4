/**
 * The most works that begin in one turn. A work holds most memory between its begin and its end, and works that begin
 * together end together, so that hundreds of large answers at once would take memory for all of them.
 */
const WORKS_OF_TURN = 32;

/**
 * Begins the works of one turn of the event loop together, at its end. Requests that arrive together then go through
 * each step of the service side by side, while its code is in the processor's caches, which takes a good part of their
 * CPU away. Works beyond 32 begin in the next turns, in their order. A work must not throw, because the works after it
 * would not begin.
 */
export const sideBySide = (): ((work: () => void) => void) => {
  let waiting: (() => void)[] = [];
  const begin = (): void => {
    const works = waiting.slice(0, WORKS_OF_TURN);
    waiting = waiting.slice(WORKS_OF_TURN);
    if (waiting.length > 0) setImmediate(begin);
    for (const work of works) work();
  };
  return (work) => {
    if (waiting.length === 0) setImmediate(begin);
    waiting.push(work);
  };
};
