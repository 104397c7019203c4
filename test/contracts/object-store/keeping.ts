import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import {
  expectNothing,
  infoOnOpening,
  inPieces,
  newKey,
  read,
  sha256Of,
  stored,
  streamOf,
  type Use,
} from './helpers.ts';

/** An object is reported and read exactly as it was put. */
export const keeping = (use: Use): void => {
  test('an object store answers a ping', async () => {
    await use().ping();
  });

  test('an object store has nothing under a key that was never put', async () => {
    await expectNothing(use(), newKey());
  });

  test('an object store reports and reads exactly what was put', async () => {
    const key = newKey();
    const bytes = randomBytes(1000);
    const { created, info } = await use().put(grantPermit(), key, streamOf(bytes), {
      sha256: sha256Of(bytes),
      size: 1000,
    });
    expect(created).toBe(true);
    expect(info).toEqual({ key, size: 1000, sha256: sha256Of(bytes), etag: expect.stringMatching(/^"[^"]+"$/) });
    expect(await use().stat(key)).toEqual(info);
    expect(await infoOnOpening(use(), key)).toEqual(info);
    expect(await read(use(), key)).toEqual(bytes);
  });

  test.each([
    ['the first byte', 0, 0],
    ['a part', 10, 499],
    ['all but the first', 1, 999],
    ['the last byte', 999, 999],
    ['everything', 0, 999],
  ])('a range that includes both of its ends reads %s', async (_, start, end) => {
    const bytes = randomBytes(1000);
    const key = await stored(use(), bytes);
    expect(await read(use(), key, { start, end })).toEqual(bytes.subarray(start, end + 1));
    expect(await infoOnOpening(use(), key, { start, end })).toEqual(await use().stat(key));
  });

  test('an object store keeps an object without bytes', async () => {
    const key = newKey();
    const { info } = await use().put(grantPermit(), key, Readable.from([]), { size: 0 });
    expect(info).toMatchObject({ size: 0, sha256: sha256Of(Buffer.alloc(0)) });
    expect(await read(use(), key)).toEqual(Buffer.alloc(0));
  });

  test('an object store keeps a large object that arrives in pieces of odd size', async () => {
    const bytes = randomBytes(8 * 1024 * 1024 + 1);
    const key = newKey();
    const { info } = await use().put(grantPermit(), key, inPieces(bytes, 77_777));
    expect(info).toMatchObject({ size: bytes.length, sha256: sha256Of(bytes) });
    expect((await read(use(), key))?.equals(bytes)).toBe(true);
    expect(await read(use(), key, { start: 5_000_000, end: 5_000_999 })).toEqual(bytes.subarray(5_000_000, 5_001_000));
  });

  test('objects with different content have different ETags', async () => {
    const [a, b] = [await stored(use(), Buffer.from('a')), await stored(use(), Buffer.from('b'))];
    expect((await use().stat(a))?.etag).not.toBe((await use().stat(b))?.etag);
  });
};
