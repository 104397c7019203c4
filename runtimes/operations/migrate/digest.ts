import { hash } from 'node:crypto';
import { keyName } from '../../../adapters/store/table.ts';
import { type Entry, isCounter } from '../../../adapters/store/table-dump.ts';

const BUCKETS = 4096;
const BYTES = 32;

/** The bucket that a key falls into, wherever it is kept. */
export const bucketOf = (key: string): number => hash('sha256', key, 'buffer').readUInt16BE() % BUCKETS;

/**
 * A sum over keys and what they hold, whatever the order they come in: SHA-256 of each, combined by exclusive or in one
 * of 4096 buckets, so that where two sums differ they tell which keys to look at. It guards against loss and damage,
 * not against somebody who makes up entries. Each key may be added once.
 */
export class Digest {
  readonly #sums = Buffer.alloc(BUCKETS * BYTES);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get sha256(): string {
    return hash('sha256', this.#sums);
  }

  add(key: string, content: string): void {
    const sum = hash('sha256', `${key.length}:${key}${content}`, 'buffer');
    const start = bucketOf(key) * BYTES;
    for (let i = 0; i < BYTES; i++) this.#sums[start + i] = (this.#sums[start + i] ?? 0) ^ (sum[i] ?? 0);
    this.#count++;
  }

  equals(other: Digest): boolean {
    return this.#count === other.#count && this.#sums.equals(other.#sums);
  }

  /** The buckets whose keys are not all the same. */
  bucketsUnlike(other: Digest): number[] {
    const at = (digest: Digest, bucket: number) => digest.#sums.subarray(bucket * BYTES, (bucket + 1) * BYTES);
    return Array.from({ length: BUCKETS }, (_, bucket) => bucket).filter(
      (bucket) => !at(this, bucket).equals(at(other, bucket)),
    );
  }
}

/** JSON whose members are in the order of their names, for engines need not keep any. */
const ordered = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(ordered);
  // As pairs, for an object would put names that are numbers first, and drop `__proto__`.
  return {
    members: Object.entries(value)
      .map(([name, member]) => [name, ordered(member)] as const)
      .sort(byName),
  };
};

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** An item and a counter of the same key are two things. */
export const entryKey = (entry: Entry): string => `${isCounter(entry) ? 'counter' : 'item'} ${keyName(entry)}`;

/** All that has to be the same of an entry, besides its key. */
export const entryContent = (entry: Entry): string =>
  JSON.stringify([entry.expires_at ?? null, isCounter(entry) ? entry.counter : ordered(entry.data)]);
