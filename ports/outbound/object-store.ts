import type { Readable } from 'node:stream';

/** The bytes of an object as they are read. */
export type ObjectBytes = Readable;

/** What is kept of an object; `etag` is strong and quoted, `sha256` lower-case hex, `size` bytes. */
export type ObjectInfo = {
  readonly key: string;
  readonly size: number;
  readonly sha256: string;
  readonly etag: string;
};

/** Bytes `start` to `end`, both inclusive, as in HTTP. */
export type ByteRange = { readonly start: number; readonly end: number };

export type SignedDownload = { readonly url: string; readonly expires_at: string };

/**
 * Immutable files by key. Keys are 1 to 200 characters of `[a-z0-9/._-]`, with no part `.` or `..`.
 * Right when it passes the contract suite `test/contracts/object-store.ts`.
 */
export interface ObjectStore {
  /**
   * Stores a stream under a key that has none yet, in constant memory. `created` tells whether it was new; an object of
   * the same bytes is left as it is, one of other bytes makes it fail with ObjectExists, a sum other than `sha256` with
   * ChecksumMismatch, and then nothing is stored. A stream that fails half-way leaves nothing behind that can be read.
   */
  put(
    key: string,
    bytes: Readable,
    expect?: { sha256?: string; size?: number },
  ): Promise<{ created: boolean; info: ObjectInfo }>;

  stat(key: string): Promise<ObjectInfo | undefined>;

  /** The object's bytes, or undefined where there is none. The range must lie within the object. */
  open(key: string, range?: ByteRange): Promise<{ info: ObjectInfo; stream: Readable } | undefined>;

  /**
   * A URL that needs no credential and ends by itself, bound to the object, the file name and the type. It contains no
   * key. `expiresAt` is an Instant.
   */
  signDownload(key: string, as: { filename: string; contentType: string; expiresAt: string }): Promise<SignedDownload>;

  ping(): Promise<void>;
}

export class ObjectExists extends Error {
  override name = 'ObjectExists';
}

export class ChecksumMismatch extends Error {
  override name = 'ChecksumMismatch';
}
