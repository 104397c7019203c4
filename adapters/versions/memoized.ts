import { LRUCache } from 'lru-cache';

/** The most versions to keep: those of some hundred products, and those that clients report. */
const REMEMBERED = 5000;

/** Returns a function that keeps the latest results of `parse`. The results must never change. */
export const memoized = <T extends object>(parse: (version: string) => T): ((version: string) => T) => {
  const known = new LRUCache<string, T>({ max: REMEMBERED });
  return (version) => {
    const kept = known.get(version);
    if (kept !== undefined) return kept;
    const parsed = parse(version);
    known.set(version, parsed);
    return parsed;
  };
};
