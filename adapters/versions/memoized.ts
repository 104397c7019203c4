import { LRUCache } from 'lru-cache';

/** Versions remembered at most: those of some hundred products, and what clients say they run. */
const REMEMBERED = 5000;

/** The function with its latest results kept, which must be values that never change. */
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
