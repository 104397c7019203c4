import { hash } from 'node:crypto';
import { keyName } from '../../../adapters/store/table-checks.ts';
import { type Entry, isCounter } from '../../../adapters/store/table-dump.ts';

const BUCKETS = 4096;
const BYTES = 32;

/** The bucket of a key. It is the same on every engine. */
export const bucketOf = (key: string): number => hash('sha256', key, 'buffer').readUInt16BE() % BUCKETS;

/**
 * A sum over keys and their contents in any order. The SHA-256 of each goes by exclusive or into one of 4096 buckets,
 * so that the buckets that differ tell which keys to compare. The sum guards against loss and damage, not against
 * forged entries. Add each key once.
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

  /** The numbers of the buckets that differ. */
  bucketsUnlike(other: Digest): number[] {
    const at = (digest: Digest, bucket: number) => digest.#sums.subarray(bucket * BYTES, (bucket + 1) * BYTES);
    return Array.from({ length: BUCKETS }, (_, bucket) => bucket).filter(
      (bucket) => !at(this, bucket).equals(at(other, bucket)),
    );
  }
}

/** The value with its members sorted by name, because engines need not keep their order. */
const ordered = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(ordered);
  // As pairs, because an object would put numeric names first and drop `__proto__`.
  return {
    members: Object.entries(value)
      .map(([name, member]) => [name, ordered(member)] as const)
      .sort(byName),
  };
};

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

/** The key of an entry in a sum. It differs for an item and a counter with the same key. */
export const entryKey = (entry: Entry): string => `${isCounter(entry) ? 'counter' : 'item'} ${keyName(entry)}`;

/** The content of an entry in a sum: its expiry, and its data or counter. */
export const entryContent = (entry: Entry): string =>
  JSON.stringify([entry.expires_at ?? null, isCounter(entry) ? entry.counter : ordered(entry.data)]);
