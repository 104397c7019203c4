import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { FilesystemObjects } from '../../adapters/filesystem/filesystem-objects.ts';
import { chunksOf } from '../../adapters/store/records.ts';
import { atMost } from '../../application/shared/at-most.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { ObjectInfo, ObjectListing, ObjectStore } from '../../ports/outbound/object-store.ts';
import { dataFiles } from '../configuration/data-dir.ts';
import { type Part, type Sums, sumsOf } from './compare.ts';

export type Objects = { readonly objects: ObjectStore; readonly listing: ObjectListing };

/** The objects in the folder of a store or of a backup. Nobody downloads them here, so any secret will do. */
export const objectsIn = (folder: string): Objects => {
  const signature = new DownloadSignature({ secret: randomBytes(32), baseUrl: '' });
  const objects = new FilesystemObjects(dataFiles(folder).objects, signature);
  return { objects, listing: objects };
};

/** Called with the number of further bytes done. */
export type BytesDone = (bytes: number) => void;

/** The maximum number of concurrent calls to one side. */
export const AT_ONCE = 8;

/** The number of keys handled together. */
const BATCH = 200;

/** False for the probe that `doctor` writes, which is not part of the data. */
const isMoved = (key: string): boolean => !key.startsWith('doctor/');

/** The results of the work for every key, in the order of the keys, a few at a time. */
export async function* eachKey<T>({ listing }: Objects, work: (key: string) => Promise<T>): AsyncGenerator<T> {
  const slot = atMost(AT_ONCE);
  for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
    const { keys, next } = await listing.list(after);
    for (const some of chunksOf(keys.filter(isMoved), BATCH)) {
      yield* await Promise.all(some.map((key) => slot(() => work(key))));
    }
    after = next;
  }
}

/** The size of all objects by their records, except damaged ones, in bytes. */
export const bytesOf = async (of: Objects): Promise<number> => {
  let bytes = 0;
  const infos = eachKey(of, (key) => of.objects.stat(key).catch(() => undefined));
  for await (const info of infos) bytes += info?.size ?? 0;
  return bytes;
};

const partOf = ({ key, size, sha256 }: ObjectInfo): Part => ({ key, name: key, content: `${size} ${sha256}`, size });

/** The objects as their records describe them. */
export async function* recordsOf(of: Objects): AsyncGenerator<Part> {
  for await (const info of eachKey(of, (key) => of.objects.stat(key))) if (info) yield partOf(info);
}

/** The record of an intact object; undefined for any other. */
const wholeOne = async ({ objects }: Objects, key: string, seen?: BytesDone): Promise<ObjectInfo | undefined> => {
  const info = await objects.stat(key).catch(() => undefined);
  return info && (await objects.examine(key, info, { depth: 'bytes', seen })) === 'whole' ? info : undefined;
};

/** Reads every object. Returns the checksums of the intact objects, and the keys of the others. */
export const examineObjects = async (of: Objects, seen: BytesDone): Promise<{ sums: Sums; faulty: string[] }> => {
  const faulty: string[] = [];
  async function* wholeOnes(): AsyncGenerator<Part> {
    const examined = eachKey(of, async (key) => ({ key, info: await wholeOne(of, key, seen) }));
    for await (const { key, info } of examined) {
      if (info) yield partOf(info);
      else faulty.push(key);
    }
  }
  return { sums: await sumsOf(wholeOnes()), faulty };
};

/** The stream, which reports how many bytes of it were read. */
const counted = (stream: Readable, seen: BytesDone): Readable =>
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
 * Copies the objects that the target lacks, and verifies each against its SHA-256. Returns the number and bytes copied.
 * `lost` collects the keys of those that are lost or damaged in the source; without it, such an object ends the copy.
 */
export const copyObjects = async (from: Objects, to: Objects, seen: BytesDone, lost?: string[]) => {
  const copy = async (key: string): Promise<number | undefined> => {
    const [info, there] = await Promise.all([from.objects.stat(key), to.objects.stat(key)]);
    if (info && there?.sha256 === info.sha256) return void seen(info.size);
    const opened = info && (await from.objects.open(key));
    if (!opened) throw new Error(`The object ${key} is listed but missing; run doctor on its store.`);
    const { sha256, size } = info;
    await to.objects.put(grantPermit(), key, counted(opened.stream, seen), { sha256, size });
    return size;
  };
  const unlessLost = async (key: string): Promise<number | undefined> => {
    try {
      return await copy(key);
    } catch (error) {
      // If the source has every byte, the target is at fault.
      if (!lost || (await wholeOne(from, key))) throw error;
      lost.push(key);
      return undefined;
    }
  };
  const copied = { objects: 0, bytes: 0 };
  for await (const size of eachKey(from, unlessLost)) {
    if (size === undefined) continue;
    copied.objects++;
    copied.bytes += size;
  }
  return copied;
};
