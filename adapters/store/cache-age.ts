/**
 * How old what is kept of the catalog may be, in milliseconds; at most 30,000 where other processes write. `unbounded`
 * is for an engine that only this process writes to.
 */
export type CacheAge = number | 'unbounded';

export const cacheOptions = (age: CacheAge) => (age === 'unbounded' ? {} : { ttl: age, ttlResolution: 0 });
