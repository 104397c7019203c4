import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { newKey, stored, type Use } from './helpers.ts';

const permit = grantPermit();

/** A removed object leaves no trace, and other objects stay. */
export const removing = (use: Use): void => {
  test('a removed object is not found, and removing it again does nothing', async () => {
    const key = await stored(use(), randomBytes(100));
    await use().remove(permit, key);
    expect(await use().stat(key)).toBeUndefined();
    expect(await use().open(key)).toBeUndefined();
    await use().remove(permit, key);
  });

  test('the same bytes under another key are kept', async () => {
    const bytes = randomBytes(100);
    const [removed, kept] = [await stored(use(), bytes), await stored(use(), bytes)];
    await use().remove(permit, removed);
    const opened = await use().open(kept);
    expect(opened && (await buffer(opened.stream)).equals(bytes)).toBe(true);
  });

  test('a key whose object was removed accepts other bytes', async () => {
    const key = await stored(use(), randomBytes(100));
    await use().remove(permit, key);
    expect(await use().put(permit, key, Readable.from([randomBytes(50)]))).toMatchObject({ created: true });
  });

  test('an invalid key is refused', async () => {
    await expect((async () => use().remove(permit, '../x'))()).rejects.toThrow('Keys are 1 to 200 characters');
  });

  test('a removed key does not affect similar keys', async () => {
    const [key, beside] = [newKey(), `${newKey()}/b`];
    await use().put(permit, key, Readable.from([randomBytes(10)]));
    await use().put(permit, beside, Readable.from([randomBytes(10)]));
    await use().remove(permit, key);
    expect(await use().stat(beside)).toMatchObject({ size: 10 });
  });
};
