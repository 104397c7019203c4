import { Readable } from 'node:stream';
import { atMost } from '../../../adapters/crypto/at-most.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Fault } from '../../../domain/shared/fault.ts';
import type { ObjectInfo, ObjectStore } from '../../../ports/outbound/object-store.ts';
import { Digest } from './digest.ts';
import { AT_ONCE, type MigrateProgress, NAMED, type Place } from './place.ts';

/** Keys handled together. */
const BATCH = 200;

/** False for the probe that `doctor` writes, which is not part of the data. */
const isMoved = (key: string): boolean => !key.startsWith('doctor/');

/** Every key that belongs to the data, in order. */
export async function* keysOf({ listing }: Pick<Place, 'listing'>): AsyncGenerator<string, undefined> {
  for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
    const { keys, next } = await listing.list(after);
    yield* keys.filter(isMoved);
    after = next;
  }
}

type Pair = { readonly key: string; readonly inFrom: boolean; readonly inTo: boolean };

/** Every key of both sides, in order. */
async function* pairsOf(from: Place, to: Place): AsyncGenerator<Pair> {
  const [left, right] = [keysOf(from), keysOf(to)];
  let [a, b] = [(await left.next()).value, (await right.next()).value];
  while (a !== undefined || b !== undefined) {
    const key = b === undefined || (a !== undefined && a < b) ? (a as string) : b;
    const pair = { key, inFrom: a === key, inTo: b === key };
    yield pair;
    if (pair.inFrom) a = (await left.next()).value;
    if (pair.inTo) b = (await right.next()).value;
  }
}

/** Does the work for every value, a few at a time. */
export const forAll = async <T>(values: AsyncIterable<T>, work: (value: T) => Promise<void>): Promise<void> => {
  const slot = atMost(AT_ONCE);
  let batch: T[] = [];
  const flush = async () => {
    const now = batch;
    batch = [];
    await Promise.all(now.map((value) => slot(() => work(value))));
  };
  for await (const value of values) if (batch.push(value) === BATCH) await flush();
  await flush();
};

/** The first few objects that only the target has. */
export const objectsOnlyIn = async (from: Place, to: Place): Promise<string[]> => {
  const found: string[] = [];
  for await (const { key, inFrom } of pairsOf(from, to)) {
    if (!inFrom && found.push(key) === NAMED) break;
  }
  return found;
};

export type ObjectCounts = { readonly objects: number; readonly bytes: number };

const infoOf = async (store: ObjectStore, key: string): Promise<ObjectInfo> => {
  const info = await store.stat(key);
  if (!info) throw new Error(`The object ${key} is listed but missing; run doctor on its store.`);
  return info;
};

const countsOf = async (place: Place): Promise<ObjectCounts> => {
  const counts = { objects: 0, bytes: 0 };
  await forAll(keysOf(place), async (key) => {
    counts.bytes += (await infoOf(place.objects, key)).size;
    counts.objects++;
  });
  return counts;
};

/** The stream, which tells how many bytes of it were read. */
export const told = (stream: Readable, seen: (bytes: number) => void): Readable =>
  Readable.from(
    (async function* () {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        yield chunk;
        seen(chunk.length);
      }
    })(),
    { objectMode: false },
  );

/**
 * Copies the objects that the target lacks, and checks each against its SHA-256. Returns the number and bytes copied.
 */
export const copyObjects = async (from: Place, to: Place, progress: MigrateProgress): Promise<ObjectCounts> => {
  const total = await countsOf(from);
  const copied = { objects: 0, bytes: 0 };
  let [objects, bytes] = [0, 0];
  const seen = (more: number) => progress('Bytes', (bytes += more), total.bytes);
  await forAll(keysOf(from), async (key) => {
    const [{ sha256, size }, there] = await Promise.all([infoOf(from.objects, key), to.objects.stat(key)]);
    if (there?.sha256 === sha256) seen(size);
    else {
      const opened = await from.objects.open(key);
      if (!opened) throw new Error(`The object ${key} is listed but missing; run doctor on its store.`);
      await to.objects.put(grantPermit(), key, told(opened.stream, seen), { sha256, size });
      copied.objects++;
      copied.bytes += size;
    }
    progress('Objects', ++objects, total.objects);
  });
  return copied;
};

export type ObjectsCompared = ObjectCounts & { readonly sha256: string; readonly unlike: readonly Fault[] };

/**
 * Compares the objects of both sides. Count, bytes, and the sum over keys, sizes and SHA-256 are those of the source;
 * `unlike` has the first few objects that differ.
 */
export const compareObjects = async (from: Place, to: Place): Promise<ObjectsCompared> => {
  const sum = new Digest();
  const unlike: Fault[] = [];
  let bytes = 0;
  await forAll(pairsOf(from, to), async ({ key, inFrom, inTo }) => {
    const [a, b] = await Promise.all([
      inFrom ? infoOf(from.objects, key) : undefined,
      inTo ? infoOf(to.objects, key) : undefined,
    ]);
    if (a) {
      sum.add(key, `${a.size} ${a.sha256}`);
      bytes += a.size;
    }
    if (a?.sha256 === b?.sha256 && a?.size === b?.size) return;
    const message = !b ? `only in ${from.name}` : !a ? `only in ${to.name}` : 'not the same';
    if (unlike.length < NAMED) unlike.push({ path: key, message });
  });
  return { objects: sum.count, bytes, sha256: sum.sha256, unlike };
};
