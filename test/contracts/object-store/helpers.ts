import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { ByteRange, ObjectInfo, ObjectStore } from '../../../ports/outbound/object-store.ts';

/** An object store under test. It need not be empty, because the tests use random keys. */
export type OpenedObjectStore = {
  readonly store: ObjectStore;
  /** Fetches or puts by a signed URL; `fetch` by default. */
  readonly fetchUrl?: (url: string, init?: RequestInit) => Promise<Response>;
  /** Texts that no signed URL may contain, such as the signing secret. */
  readonly secrets?: readonly string[];
  /** Lets time pass for signed URLs, in milliseconds; by default it waits. */
  readonly pass?: (ms: number) => Promise<unknown>;
  readonly close?: () => Promise<void>;
};

/** The store under test, which is open while tests run. */
export type Use = () => ObjectStore;

/** A key that no other test uses. */
export const newKey = (): string => `contract/${randomBytes(12).toString('hex')}`;

export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

export const streamOf = (...chunks: Buffer[]): Readable => Readable.from(chunks, { objectMode: false });

export const inPieces = (bytes: Buffer, size: number): Readable =>
  streamOf(
    ...Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size)),
  );

export const breakingOff = (bytes: Buffer, fault: Error): Readable =>
  Readable.from(
    (async function* () {
      yield bytes;
      throw fault;
    })(),
    { objectMode: false },
  );

export const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();

/** Puts the bytes under a new key and returns the key. */
export const stored = async (store: ObjectStore, bytes: Buffer): Promise<string> => {
  const key = newKey();
  await store.put(grantPermit(), key, streamOf(bytes));
  return key;
};

export const read = async (store: ObjectStore, key: string, range?: ByteRange): Promise<Buffer | undefined> => {
  const object = await store.open(key, range);
  return object && buffer(object.stream);
};

export const infoOnOpening = async (
  store: ObjectStore,
  key: string,
  range?: ByteRange,
): Promise<ObjectInfo | undefined> => {
  const object = await store.open(key, range);
  object?.stream.destroy();
  return object?.info;
};

export const expectNothing = async (store: ObjectStore, key: string): Promise<void> => {
  expect(await store.stat(key)).toBeUndefined();
  expect(await store.open(key)).toBeUndefined();
};
