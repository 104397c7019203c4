import { Readable } from 'node:stream';
import type { Permit } from '../../domain/access/permit.ts';
import type { StoredFile } from '../../domain/shared/stored-file.ts';
import {
  type ByteRange,
  checkObjectKey,
  type Examination,
  type ExpectedFacts,
  type KeyPage,
  keyPage,
  type ObjectInfo,
  type ObjectListing,
  type ObjectState,
  type ObjectStore,
  type OpenedObject,
  type StoredObject,
} from '../../ports/outbound/object-store.ts';
import { infoOf, receive, refuseOtherBytes, stateOfBytes } from '../filesystem/receive.ts';
import { SelfSigned } from '../filesystem/self-signed.ts';

const PAGE = 1000;

const PIECE = 64 * 1024;

/**
 * Copies of the bytes, so that a reader who changes them does not change the object. They are copied on demand, because
 * a reader who stops early would otherwise hold a copy of the whole.
 */
const pieces = function* (bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) yield Buffer.from(bytes.subarray(at, at + PIECE));
};

/** Keeps objects in memory for the life of the process, for tests and demonstrations. */
export class MemoryObjects extends SelfSigned implements ObjectStore, ObjectListing {
  readonly #objects = new Map<string, { readonly info: ObjectInfo; readonly bytes: Buffer }>();

  async put(_permit: Permit, key: string, stream: Readable, expected: ExpectedFacts = {}): Promise<StoredObject> {
    checkObjectKey(key);
    const chunks: Buffer[] = [];
    const received = await receive(stream, expected, (chunk) => chunks.push(chunk));
    const stored = this.#objects.get(key)?.info;
    refuseOtherBytes(stored, received);
    if (stored) return { created: false, info: stored };
    const info: ObjectInfo = Object.freeze(infoOf(key, received));
    this.#objects.set(key, { info, bytes: Buffer.concat(chunks) });
    return { created: true, info };
  }

  async stat(key: string): Promise<ObjectInfo | undefined> {
    checkObjectKey(key);
    return this.#objects.get(key)?.info;
  }

  async open(key: string, range?: ByteRange): Promise<OpenedObject | undefined> {
    checkObjectKey(key);
    const object = this.#objects.get(key);
    if (!object) return undefined;
    const bytes = range ? object.bytes.subarray(range.start, range.end + 1) : object.bytes;
    return { info: object.info, stream: Readable.from(pieces(bytes), { objectMode: false }) };
  }

  async examine(key: string, expected: StoredFile, { seen }: Examination): Promise<ObjectState> {
    const opened = await this.open(key);
    return opened ? stateOfBytes(opened.stream, expected, seen) : 'missing';
  }

  async remove(_permit: Permit, key: string): Promise<void> {
    checkObjectKey(key);
    this.#objects.delete(key);
  }

  async list(after?: string): Promise<KeyPage> {
    return keyPage(this.#objects.keys(), after, PAGE);
  }

  async ping(): Promise<void> {}
}
