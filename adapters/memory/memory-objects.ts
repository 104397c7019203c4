import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Permit } from '../../domain/access/permit.ts';
import {
  type ByteRange,
  ChecksumMismatch,
  checkObjectKey,
  type DownloadTerms,
  type KeyPage,
  keyPage,
  ObjectExists,
  type ObjectInfo,
  type ObjectListing,
  type ObjectState,
  type ObjectStore,
  type SignedDownload,
  type SignedUpload,
  type UploadTerms,
} from '../../ports/outbound/object-store.ts';
import type { DownloadSignature } from '../filesystem/download-signature.ts';
import { stateOfBytes } from '../filesystem/receive.ts';
import type { UploadSignature } from '../filesystem/upload-signature.ts';

/** The most keys of a page. */
const PAGE = 1000;

const PIECE = 64 * 1024;

/**
 * Copies of the bytes, so that a reader who changes them leaves the object as it is. They are made as they are read,
 * because a reader who stops would otherwise hold a copy of the whole.
 */
const pieces = function* (bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) yield Buffer.from(bytes.subarray(at, at + PIECE));
};

/** Keeps objects in memory as long as the process lives, for tests and demonstrations. */
export class MemoryObjects implements ObjectStore, ObjectListing {
  readonly #signature: DownloadSignature;
  readonly #uploads: UploadSignature | undefined;
  readonly #objects = new Map<string, { readonly info: ObjectInfo; readonly bytes: Buffer }>();

  /** Without `uploads`, the store signs no uploads. */
  constructor(signature: DownloadSignature, uploads?: UploadSignature) {
    this.#signature = signature;
    this.#uploads = uploads;
  }

  async put(
    _permit: Permit,
    key: string,
    stream: Readable,
    expected: { sha256?: string; size?: number } = {},
  ): Promise<{ created: boolean; info: ObjectInfo }> {
    checkObjectKey(key);
    const bytes = await buffer(stream);
    const sha256 = hash('sha256', bytes);
    const size = bytes.length;
    if ((expected.sha256 ?? sha256) !== sha256 || (expected.size ?? size) !== size) {
      throw new ChecksumMismatch(`${size} bytes of SHA-256 ${sha256} arrived, which is not what was expected.`);
    }
    const kept = this.#objects.get(key);
    if (kept && kept.info.sha256 !== sha256) throw new ObjectExists(`${key} is kept with other bytes.`);
    if (kept) return { created: false, info: kept.info };
    const info: ObjectInfo = Object.freeze({ key, size, sha256, etag: `"${sha256}"` });
    this.#objects.set(key, { info, bytes });
    return { created: true, info };
  }

  async stat(key: string): Promise<ObjectInfo | undefined> {
    checkObjectKey(key);
    return this.#objects.get(key)?.info;
  }

  async open(key: string, range?: ByteRange): Promise<{ info: ObjectInfo; stream: Readable } | undefined> {
    checkObjectKey(key);
    const object = this.#objects.get(key);
    if (!object) return undefined;
    const bytes = range ? object.bytes.subarray(range.start, range.end + 1) : object.bytes;
    return { info: object.info, stream: Readable.from(pieces(bytes), { objectMode: false }) };
  }

  async examine(
    key: string,
    expected: { readonly sha256: string; readonly size: number },
    { seen }: Parameters<ObjectStore['examine']>[2],
  ): Promise<ObjectState> {
    const opened = await this.open(key);
    return opened ? stateOfBytes(opened.stream, expected, seen) : 'missing';
  }

  async remove(_permit: Permit, key: string): Promise<void> {
    checkObjectKey(key);
    this.#objects.delete(key);
  }

  async signDownload(key: string, { filename, contentType, expiresAt }: DownloadTerms): Promise<SignedDownload> {
    checkObjectKey(key);
    return this.#signature.sign({ key, filename, contentType }, expiresAt);
  }

  async signUpload(_permit: Permit, key: string, { expiresAt, ...bytes }: UploadTerms): Promise<SignedUpload> {
    checkObjectKey(key);
    if (!this.#uploads) throw new Error('This object store was opened without a signature of uploads.');
    return this.#uploads.sign({ key, ...bytes }, expiresAt);
  }

  async list(after?: string): Promise<KeyPage> {
    return keyPage(this.#objects.keys(), after, PAGE);
  }

  async ping(): Promise<void> {}
}
