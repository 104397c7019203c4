/** The free and total bytes of a disk. */
export type Disk = { readonly free: number; readonly size: number };

/** The share of a disk that must be free; the alerts of Prometheus in `infra/machine` have the same. */
const LEAST_FREE = 0.1;

/** True if somebody should make room, before the store can't be written. */
export const isNearlyFull = ({ free, size }: Disk): boolean => free < LEAST_FREE * size;
