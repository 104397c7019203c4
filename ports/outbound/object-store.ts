import type { Readable } from 'node:stream';
import type { Permit } from '../../domain/access/permit.ts';
import type { StoredFile } from '../../domain/shared/stored-file.ts';

/** The stream of an object's bytes. */
export type ObjectBytes = Readable;

/** The expected size and hash of the bytes, as far as known. */
export type ExpectedFacts = { sha256?: string; size?: number };

/** Size in bytes, `sha256` in lower-case hex, and a strong, quoted `etag` (RFC 9110, 8.8.3) of an object. */
export type ObjectInfo = {
  readonly key: string;
  readonly size: number;
  readonly sha256: string;
  readonly etag: string;
};

/** Bytes `start` to `end`, both inclusive, as in HTTP (RFC 9110, section 14.1.2). */
export type ByteRange = { readonly start: number; readonly end: number };

export type SignedDownload = { readonly url: string; readonly expires_at: string };

/** The options of a signed download. The last two are Instants; without `signedAt`, it is signed now. */
export type DownloadTerms = {
  readonly filename: string;
  readonly contentType: string;
  readonly expiresAt: string;
  readonly signedAt?: string;
};

/**
 * The size in bytes and lower-case hex SHA-256 of the bytes that a signed upload accepts, and its expiry as an Instant.
 */
export type UploadTerms = {
  readonly sha256: string;
  readonly size: number;
  readonly contentType: string;
  readonly expiresAt: string;
};

/**
 * A request with which anybody can upload the signed bytes. It must have exactly these headers; their names are in
 * lower case.
 */
export type SignedUpload = {
  readonly method: 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly expires_at: string;
};

/**
 * The state of stored bytes, compared with their record. `truncated`: there are fewer bytes; `altered`: the size or the
 * SHA-256 differs; `unreadable`: the medium can't read them.
 */
export type ObjectState = 'whole' | 'missing' | 'truncated' | 'altered' | 'unreadable';

/**
 * The depth of an examination. `size`: that it exists, and its size. `bytes`: every byte. `doubtful`: every
 * byte if the medium doesn't verify them, as a disk doesn't, otherwise the size.
 */
export type Depth = 'size' | 'doubtful' | 'bytes';

/** The options of an examination. `seen` is called with the number of bytes of each chunk read. */
export type Examination = { readonly depth: Depth; readonly seen?: ((bytes: number) => void) | undefined };

/** True in `created` if a put created the object, and the object's info. */
export type StoredObject = { readonly created: boolean; readonly info: ObjectInfo };

export type OpenedObject = { readonly info: ObjectInfo; readonly stream: Readable };

/**
 * Immutable files by key. A key has 1 to 200 characters of `[a-z0-9/._-]`, and no part between slashes is empty, `.` or
 * `..`; every method throws InvalidObjectKey for any other key. A key can be the prefix of another (`a` and `a/b`). An
 * implementation must pass the contract suite `contracts/object-store`.
 */
export interface ObjectStore {
  /**
   * Stores a stream under a key, in constant memory. `created` is false if the key already has the same bytes, which
   * stay; damaged bytes are replaced. Throws ObjectExists if the key has an object with other bytes, ChecksumMismatch
   * if the stream's `sha256` or `size` differs from the expected one, and the stream's own error if it fails. A failed
   * call stores nothing.
   */
  put(permit: Permit, key: string, bytes: Readable, expected?: ExpectedFacts): Promise<StoredObject>;

  stat(key: string): Promise<ObjectInfo | undefined>;

  /**
   * The object's bytes; undefined if there is no object. The range must lie within the object. The caller must read the
   * stream to its end or destroy it.
   */
  open(key: string, range?: ByteRange): Promise<OpenedObject | undefined>;

  /** Compares the bytes under a key with a size and a lower-case SHA-256, in constant memory. */
  examine(key: string, expected: StoredFile, how: Examination): Promise<ObjectState>;

  /**
   * Removes the object under a key; does nothing if there is none. Bytes shared with other keys stay. A reader that has
   * opened the object may read it to its end.
   */
  remove(permit: Permit, key: string): Promise<void>;

  /**
   * A URL that downloads the object without a credential until `expiresAt`, under this file name and type only. It
   * contains no API key. `expiresAt` is an Instant; `expires_at` is the same moment, cut to the second if the URL
   * counts seconds. The file name must have 1 to 255 characters without slashes and control characters. Calls with the
   * same past `signedAt` return the same URL as long as the store's own credential is unchanged.
   */
  signDownload(key: string, as: DownloadTerms): Promise<SignedDownload>;

  /**
   * A request that puts exactly the named bytes under the key without a credential until `expiresAt`. It contains no
   * API key. The response is 200 or 201. Other bytes are refused and store nothing, and so is a URL that was changed or
   * has expired (403). If the key already has an object, the request changes nothing, and the response is 200 or 412.
   * `expires_at` is cut to the second if the URL counts seconds.
   */
  signUpload(permit: Permit, key: string, terms: UploadTerms): Promise<SignedUpload>;

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

/** Throws InvalidObjectKey for an invalid key. Every store calls it first. */
export const checkObjectKey = (key: string): void => {
  const parts = key.split('/');
  if (!/^[a-z0-9/._-]{1,200}$/.test(key) || parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw new InvalidObjectKey('Keys are 1 to 200 characters of a-z 0-9 / . _ -, with no part empty, "." or "..".');
  }
};

/** Lists every key of an object store, so that its objects can be copied to another one. */
export interface ObjectListing {
  /**
   * One page of the keys after `after`, ordered by their bytes. An object stored meanwhile may be missing. An
   * implementation must pass the contract suite `contracts/object-listing`.
   */
  list(after?: string): Promise<KeyPage>;
}

export type KeyPage = {
  readonly keys: readonly string[];
  /** The last key of the page; absent on the last page. The page after it can be empty. */
  readonly next?: string | undefined;
};

/** Builds the page of at most `limit` keys after `after` from all keys in any order. */
export const keyPage = (keys: Iterable<string>, after: string | undefined, limit: number): KeyPage => {
  const rest = [...keys].filter((key) => after === undefined || key > after).sort();
  return rest.length > limit ? { keys: rest.slice(0, limit), next: rest[limit - 1] } : { keys: rest };
};
