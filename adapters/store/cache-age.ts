/**
 * The greatest age of a catalog or release in the cache, in milliseconds; at most 30,000 where other processes write.
 * `unbounded` is for an engine that only this process writes to.
 */
export type CacheAge = number | 'unbounded';

/** The options that make an LRUCache drop its entries at this age. */
export const cacheOptions = (age: CacheAge) => (age === 'unbounded' ? {} : { ttl: age, ttlResolution: 0 });
