import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { ObjectExists } from '../../../ports/outbound/object-store.ts';
import { inPieces, newKey, read, stored, streamOf, type Use } from './helpers.ts';

/** An object never changes. */
export const createOnly = (use: Use): void => {
  test('a second put of the same bytes changes nothing', async () => {
    const bytes = randomBytes(100);
    const key = newKey();
    const first = await use().put(grantPermit(), key, streamOf(bytes));
    expect(await use().put(grantPermit(), key, streamOf(bytes))).toEqual({ created: false, info: first.info });
    expect(await read(use(), key)).toEqual(bytes);
  });

  test('a put of other bytes under the same key is refused and keeps the old bytes', async () => {
    const bytes = randomBytes(100);
    const key = await stored(use(), bytes);
    await expect(use().put(grantPermit(), key, streamOf(randomBytes(100)))).rejects.toThrow(ObjectExists);
    await expect(use().put(grantPermit(), key, Readable.from([]))).rejects.toThrow(ObjectExists);
    expect(await read(use(), key)).toEqual(bytes);
  });

  test('exactly one of several simultaneous puts of the same bytes creates the object', async () => {
    const bytes = randomBytes(100_000);
    const key = newKey();
    const puts = await Promise.all(
      Array.from({ length: 6 }, () => use().put(grantPermit(), key, inPieces(bytes, 10_000))),
    );
    expect(puts.filter(({ created }) => created)).toHaveLength(1);
    expect(await read(use(), key)).toEqual(bytes);
  });

  test('one of several simultaneous puts of different bytes wins and the others are refused', async () => {
    const contents = Array.from({ length: 6 }, () => randomBytes(100_000));
    const key = newKey();
    const puts = await Promise.allSettled(
      contents.map((bytes) => use().put(grantPermit(), key, inPieces(bytes, 10_000))),
    );
    const kept = await read(use(), key);
    const faults = puts.flatMap((put) => (put.status === 'rejected' ? [put.reason] : []));
    expect(faults).toHaveLength(contents.length - 1);
    expect(faults.every((fault) => fault instanceof ObjectExists)).toBe(true);
    expect(contents[puts.findIndex((put) => put.status === 'fulfilled')]).toEqual(kept);
  });
};
