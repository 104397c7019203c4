import type { Readable } from 'node:stream';
import type { Permit } from '../../domain/access/permit.ts';
import type {
  ByteRange,
  DownloadTerms,
  ObjectInfo,
  ObjectStore,
  SignedDownload,
  SignedUpload,
  UploadTerms,
} from '../../ports/outbound/object-store.ts';
import { Operations } from './operations.ts';

/** The times of an object store's calls, for a `MeasuredObjects`. */
export const objectOperations = () =>
  new Operations(
    ['put', 'stat', 'open', 'examine', 'remove', 'signDownload', 'signUpload', 'ping'],
    ['StoreUnavailable', 'ObjectExists', 'ChecksumMismatch', 'InvalidObjectKey'],
  );

/**
 * An object store that times the calls of another one, and passes its results and errors on as they are. The time of an
 * `open` ends with the first byte, because the reader sets the pace of the others.
 */
export class MeasuredObjects implements ObjectStore {
  readonly #objects: ObjectStore;
  readonly #operations: ReturnType<typeof objectOperations>;

  constructor(objects: ObjectStore, operations: ReturnType<typeof objectOperations>) {
    this.#objects = objects;
    this.#operations = operations;
  }

  put(
    permit: Permit,
    key: string,
    bytes: Readable,
    expect?: { sha256?: string; size?: number },
  ): Promise<{ created: boolean; info: ObjectInfo }> {
    return this.#operations.time('put', () => this.#objects.put(permit, key, bytes, expect));
  }

  stat(key: string): Promise<ObjectInfo | undefined> {
    return this.#operations.time('stat', () => this.#objects.stat(key));
  }

  open(key: string, range?: ByteRange): Promise<{ info: ObjectInfo; stream: Readable } | undefined> {
    return this.#operations.time('open', () => this.#objects.open(key, range));
  }

  examine(...args: Parameters<ObjectStore['examine']>): ReturnType<ObjectStore['examine']> {
    return this.#operations.time('examine', () => this.#objects.examine(...args));
  }

  remove(permit: Permit, key: string): Promise<void> {
    return this.#operations.time('remove', () => this.#objects.remove(permit, key));
  }

  signDownload(key: string, as: DownloadTerms): Promise<SignedDownload> {
    return this.#operations.time('signDownload', () => this.#objects.signDownload(key, as));
  }

  signUpload(permit: Permit, key: string, terms: UploadTerms): Promise<SignedUpload> {
    return this.#operations.time('signUpload', () => this.#objects.signUpload(permit, key, terms));
  }

  ping(): Promise<void> {
    return this.#operations.time('ping', () => this.#objects.ping());
  }
}
