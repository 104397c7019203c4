import { hash } from 'node:crypto';
import type { Fault } from '../../domain/shared/fault.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';

const BUCKETS = 4096;
const BYTES = 32;

const bucketOf = (key: string): number => hash('sha256', key, 'buffer').readUInt16BE() % BUCKETS;

/**
 * An order-independent checksum over keys and their contents, the same on every engine. The SHA-256 of each is combined
 * by exclusive or into one of 4096 buckets, so that the buckets that differ show which keys to compare. The checksum
 * detects loss and damage, but not forged entries. Add each key once.
 */
class Digest {
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
    return Array.from({ length: BUCKETS }, (_, n) => n).filter((n) => !at(this, n).equals(at(other, n)));
  }
}

/** An entry of a table, or an object. */
export type Part = {
  readonly key: string;
  /** The key in a form for people. */
  readonly name: string;
  readonly content: string;
  /** The size of an object in bytes. */
  readonly size?: number;
  /** True for an entry that will expire. */
  readonly expires?: boolean;
};

/** One side of a comparison, with the parts that have not expired by a moment (Unix seconds). */
export type Side = { readonly name: string; readonly parts: (liveAt: number) => AsyncIterable<Part> };

/**
 * The checksums: `entries` over everything, `keys` only over the keys, `lasting` over everything that never expires.
 */
export type Sums = {
  readonly entries: Digest;
  readonly keys: Digest;
  readonly lasting: Digest;
  readonly bytes: number;
};

type OnEntry = () => void;

export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

export const sumsOf = async (parts: AsyncIterable<Part>, seen: OnEntry = () => {}): Promise<Sums> => {
  const sums = { entries: new Digest(), keys: new Digest(), lasting: new Digest(), bytes: 0 };
  for await (const { key, content, size = 0, expires = false } of parts) {
    sums.entries.add(key, content);
    sums.keys.add(key, '');
    if (!expires) sums.lasting.add(key, content);
    sums.bytes += size;
    seen();
  }
  return sums;
};

/** The checksums of both sides as of the same moment. */
export const sumsOfBoth = (from: Side, to: Side, seen?: OnEntry): Promise<[Sums, Sums]> => {
  const liveAt = nowInSeconds();
  return Promise.all([sumsOf(from.parts(liveAt), seen), sumsOf(to.parts(liveAt), seen)]);
};

/** The maximum number of keys to name if two sides differ. */
const NAMED = 5;

/** The maximum number of comparisons. A second one is needed only if entries expire while both sides are read. */
const LOOKS = 3;

const inBucket = async (parts: AsyncIterable<Part>, bucket: number): Promise<Map<string, Part>> => {
  const found = new Map<string, Part>();
  for await (const part of parts) if (bucketOf(part.key) === bucket) found.set(part.key, part);
  return found;
};

/**
 * One fault for each of the first keys that differ; none if all of these have expired meanwhile. Memory holds a 4096th
 * of the parts at a time, and both sides are read at most five times.
 */
const firstUnlike = async (from: Side, to: Side, buckets: readonly number[]): Promise<Fault[]> => {
  const faults: Fault[] = [];
  for (const bucket of buckets.slice(0, NAMED)) {
    const liveAt = nowInSeconds();
    const [here, there] = await Promise.all([from, to].map(({ parts }) => inBucket(parts(liveAt), bucket)));
    for (const [key, { name }] of new Map([...(here ?? []), ...(there ?? [])])) {
      const [source, target] = [here?.get(key), there?.get(key)];
      if (source?.content === target?.content) continue;
      const how = !target ? `only in ${from.name}` : !source ? `only in ${to.name}` : 'not the same';
      faults.push({ path: name, message: how });
    }
    if (faults.length >= NAMED) break;
  }
  return faults.slice(0, NAMED);
};

/** Compares both sides. A refusal has the first keys that differ in `data.faults`. */
export const compare = async (from: Side, to: Side, seen?: OnEntry): Promise<Outcome<Sums, 'not_equal'>> => {
  let faults: Fault[] = [];
  for (let look = 0; look < LOOKS && faults.length === 0; look++) {
    const [source, target] = await sumsOfBoth(from, to, seen);
    if (source.entries.equals(target.entries)) return ok(target);
    faults = await firstUnlike(from, to, source.entries.bucketsUnlike(target.entries));
  }
  const message = `${to.name} and ${from.name} differ; was one of them written to meanwhile? The first differences:`;
  return refuse('not_equal', { message, data: { faults } });
};
