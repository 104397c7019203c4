import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
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

/** What is put is what is told and read. */
export const keeping = (use: Use): void => {
  test('answers a ping', async () => {
    await use().ping();
  });

  test('knows nothing of a key that was never put', async () => {
    await expectNothing(use(), newKey());
  });

  test('tells of an object exactly what was put', async () => {
    const key = newKey();
    const bytes = randomBytes(1000);
    const { created, info } = await use().put(key, streamOf(bytes), { sha256: sha256Of(bytes), size: 1000 });
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
  ])('opens %s, both ends included', async (_, start, end) => {
    const bytes = randomBytes(1000);
    const key = await stored(use(), bytes);
    expect(await read(use(), key, { start, end })).toEqual(bytes.subarray(start, end + 1));
    expect(await infoOnOpening(use(), key, { start, end })).toEqual(await use().stat(key));
  });

  test('keeps an object without bytes', async () => {
    const key = newKey();
    const { info } = await use().put(key, Readable.from([]), { size: 0 });
    expect(info).toMatchObject({ size: 0, sha256: sha256Of(Buffer.alloc(0)) });
    expect(await read(use(), key)).toEqual(Buffer.alloc(0));
  });

  test('keeps a large object that arrives in pieces of odd size', async () => {
    const bytes = randomBytes(8 * 1024 * 1024 + 1);
    const key = newKey();
    const { info } = await use().put(key, inPieces(bytes, 77_777));
    expect(info).toMatchObject({ size: bytes.length, sha256: sha256Of(bytes) });
    expect((await read(use(), key))?.equals(bytes)).toBe(true);
    expect(await read(use(), key, { start: 5_000_000, end: 5_000_999 })).toEqual(bytes.subarray(5_000_000, 5_001_000));
  });

  test('gives each content its own ETag', async () => {
    const [a, b] = [await stored(use(), Buffer.from('a')), await stored(use(), Buffer.from('b'))];
    expect((await use().stat(a))?.etag).not.toBe((await use().stat(b))?.etag);
  });
};
