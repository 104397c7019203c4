/** A disk in bytes and inodes. A filesystem that makes inodes as needed has 0 of them in all. */
export type Disk = {
  readonly free: number;
  readonly size: number;
  readonly freeInodes: number;
  readonly inodes: number;
};

/** The share of a disk that must be free; the alerts of Prometheus in `infra/machine` have the same. */
const LEAST_FREE = 0.1;

/** The free share of the inodes, of which a file takes one, however short it is. */
export const freeInodeShare = ({ freeInodes, inodes }: Disk): number => (inodes > 0 ? freeInodes / inodes : 1);

/** True if somebody should make room, before the store can't be written. */
export const isNearlyFull = (disk: Disk): boolean => Math.min(disk.free / disk.size, freeInodeShare(disk)) < LEAST_FREE;
