import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { ObjectExists } from '../../../ports/outbound/object-store.ts';
import { inPieces, newKey, read, stored, streamOf, type Use } from './helpers.ts';

/** An object never changes. */
export const createOnly = (use: Use): void => {
  test('takes the same bytes again as no change', async () => {
    const bytes = randomBytes(100);
    const key = newKey();
    const first = await use().put(key, streamOf(bytes));
    expect(await use().put(key, streamOf(bytes))).toEqual({ created: false, info: first.info });
    expect(await read(use(), key)).toEqual(bytes);
  });

  test('refuses other bytes and keeps the old', async () => {
    const bytes = randomBytes(100);
    const key = await stored(use(), bytes);
    await expect(use().put(key, streamOf(randomBytes(100)))).rejects.toThrow(ObjectExists);
    await expect(use().put(key, Readable.from([]))).rejects.toThrow(ObjectExists);
    expect(await read(use(), key)).toEqual(bytes);
  });

  test('lets one of several puts of the same bytes at once create the object', async () => {
    const bytes = randomBytes(100_000);
    const key = newKey();
    const puts = await Promise.all(Array.from({ length: 6 }, () => use().put(key, inPieces(bytes, 10_000))));
    expect(puts.filter(({ created }) => created)).toHaveLength(1);
    expect(await read(use(), key)).toEqual(bytes);
  });

  test('lets one of several puts of different bytes at once win, and refuses the others', async () => {
    const contents = Array.from({ length: 6 }, () => randomBytes(100_000));
    const key = newKey();
    const puts = await Promise.allSettled(contents.map((bytes) => use().put(key, inPieces(bytes, 10_000))));
    const kept = await read(use(), key);
    const faults = puts.flatMap((put) => (put.status === 'rejected' ? [put.reason] : []));
    expect(faults).toHaveLength(contents.length - 1);
    expect(faults.every((fault) => fault instanceof ObjectExists)).toBe(true);
    expect(contents[puts.findIndex((put) => put.status === 'fulfilled')]).toEqual(kept);
  });
};
