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
 * Immutable files by key. Keys are 1 to 200 characters of `[a-z0-9/._-]`, where no part between slashes is empty, `.` or
 * `..`; any other fails with InvalidObjectKey. A key may be the beginning of another (`a` and `a/b`).
 * Right when it passes the contract suite `test/contracts/object-store.ts`.
 */
export interface ObjectStore {
  /**
   * Stores a stream under a key that has none yet, in constant memory. `created` tells whether it was new; an object of
   * the same bytes is left as it is, one of other bytes makes it fail with ObjectExists, a sum other than `sha256` or
   * another `size` with ChecksumMismatch, and then nothing is stored. A stream that fails half-way leaves nothing behind
   * that can be read, and its own error is what put fails with.
   */
  put(
    key: string,
    bytes: Readable,
    expect?: { sha256?: string; size?: number },
  ): Promise<{ created: boolean; info: ObjectInfo }>;

  stat(key: string): Promise<ObjectInfo | undefined>;

  /**
   * The object's bytes, or undefined where there is none. The range must lie within the object. Whoever opens a stream
   * reads it to its end or destroys it.
   */
  open(key: string, range?: ByteRange): Promise<{ info: ObjectInfo; stream: Readable } | undefined>;

  /**
   * A URL that needs no credential and ends by itself, bound to the object, the file name and the type. It contains no
   * API key. `expiresAt` is an Instant; `expires_at` is the same moment, cut to the second where the URL counts seconds.
   * The file name is 1 to 255 characters without slashes and control characters.
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

export class InvalidObjectKey extends Error {
  override name = 'InvalidObjectKey';
}

/** Throws InvalidObjectKey where no object can have the key. Every store checks so before it does anything. */
export const checkObjectKey = (key: string): void => {
  const parts = key.split('/');
  if (!/^[a-z0-9/._-]{1,200}$/.test(key) || parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw new InvalidObjectKey('Keys are 1 to 200 characters of a-z 0-9 / . _ -, with no part empty, "." or "..".');
  }
};
