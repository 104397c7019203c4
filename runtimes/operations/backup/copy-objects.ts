import { StoreUnavailable } from '../../../adapters/store/table.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { ObjectListing } from '../../../ports/outbound/object-listing.ts';
import { ChecksumMismatch, type ObjectInfo, type ObjectStore } from '../../../ports/outbound/object-store.ts';
import { Digest } from '../migrate/digest.ts';
import { forAll, keysOf, told } from '../migrate/objects.ts';
import type { Manifest } from './manifest.ts';

export type Objects = ObjectStore & ObjectListing;

/** Called with the bytes that are done. */
export type BytesDone = (bytes: number) => void;

/** The record of an object; undefined where the record itself is damaged. */
const infoOf = async (objects: Objects, key: string): Promise<ObjectInfo | undefined> => {
  try {
    return await objects.stat(key);
  } catch (error) {
    if (error instanceof StoreUnavailable) return undefined;
    throw error;
  }
};

/** The bytes of all objects by their records. */
export const bytesOf = async (objects: Objects): Promise<number> => {
  let bytes = 0;
  await forAll(keysOf({ listing: objects }), async (key) => {
    bytes += (await infoOf(objects, key))?.size ?? 0;
  });
  return bytes;
};

/** True where the object was copied, with the very bytes of its record. */
const copied = async (from: Objects, to: Objects, key: string, done: BytesDone): Promise<boolean> => {
  const info = await infoOf(from, key);
  if (!info) return false;
  const { sha256, size } = info;
  if ((await from.examine(key, info, { depth: 'size' })) !== 'whole') return false;
  const opened = await from.open(key);
  if (!opened) return false;
  try {
    await to.put(grantPermit(), key, told(opened.stream, done), { sha256, size });
    return true;
  } catch (error) {
    // The bytes are not those of the record, or the disk can't read them.
    if (error instanceof ChecksumMismatch || (error as NodeJS.ErrnoException).code === 'EIO') return false;
    throw error;
  }
};

/** Copies every object and checks each against its SHA-256. Returns the keys of those that are lost or damaged. */
export const copyObjects = async (from: Objects, to: Objects, done: BytesDone): Promise<string[]> => {
  const damaged: string[] = [];
  await forAll(keysOf({ listing: from }), async (key) => {
    if (!(await copied(from, to, key, done))) damaged.push(key);
  });
  return damaged.sort();
};

export type Examined = { readonly sums: Manifest['objects']; readonly faulty: readonly string[] };

/** Reads every object and compares it with its record. The sum is that of the manifest. */
export const examineObjects = async (objects: Objects, done: BytesDone): Promise<Examined> => {
  const sum = new Digest();
  const faulty: string[] = [];
  let bytes = 0;
  await forAll(keysOf({ listing: objects }), async (key) => {
    const info = await infoOf(objects, key);
    const state = info && (await objects.examine(key, info, { depth: 'bytes', seen: done }));
    if (!info || state !== 'whole') faulty.push(key);
    if (!info) return;
    sum.add(key, `${info.size} ${info.sha256}`);
    bytes += info.size;
  });
  return { sums: { objects: sum.count, bytes, sha256: sum.sha256 }, faulty: faulty.sort() };
};
