import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ObjectListing } from '../../ports/outbound/object-listing.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import { breakingOff, newKey } from './object-store/helpers.ts';

export type OpenedListing = { readonly store: ObjectStore & ObjectListing; readonly close?: () => Promise<void> };

/** Far more than any store that tests share should have. */
const MOST_PAGES = 1000;

/**
 * Registers, in a vitest file, what an object store has to pass that can be moved. It is opened once and closed at the
 * end. It may hold other objects, but nobody else puts any meanwhile.
 */
export const objectListingContract = (name: string, open: () => Promise<OpenedListing> | OpenedListing): void => {
  describe(`${name} as a store that can be listed`, () => {
    let opened: OpenedListing;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close?.());

    const put = (key: string) => opened.store.put(key, Readable.from([Buffer.from(key)]));
    const listed = async (after?: string): Promise<string[]> => {
      const keys: string[] = [];
      let next = after;
      for (let i = 0; i < MOST_PAGES; i++) {
        const page = await opened.store.list(next);
        keys.push(...page.keys);
        if (page.next === undefined) return keys;
        expect(page.next).toBe(page.keys.at(-1));
        next = page.next;
      }
      throw new Error(`There are more than ${MOST_PAGES} pages.`);
    };

    test('lists each key once, in the order of their bytes', async () => {
      const key = newKey();
      const keys = [`${key}b`, `${key}-b`, `${key}/b`, key, `${key}/b/c`, `${key}.b`, `${key}_b`, `${key}0`];
      for (const each of keys) await put(each);
      await put(keys[0] ?? '');
      const all = await listed();
      expect(all.filter((each) => each.startsWith(key))).toEqual(keys.sort());
      expect(all).toEqual([...new Set(all)].sort());
    });

    test('goes on after any key, be it there or not', async () => {
      const key = newKey();
      for (const end of ['a', 'c', 'd']) await put(`${key}/${end}`);
      const behind = async (end: string) =>
        (await listed(`${key}/${end}`)).filter((each) => each.startsWith(key)).map((each) => each.at(-1));
      expect(await behind('a')).toEqual(['c', 'd']);
      expect(await behind('b')).toEqual(['c', 'd']);
      expect(await behind('d')).toEqual([]);
    });

    test('lists nothing that did not arrive whole', async () => {
      const key = newKey();
      const broken = breakingOff(Buffer.from('half'), new Error('gone'));
      await expect(opened.store.put(key, broken)).rejects.toThrow('gone');
      expect(await listed()).not.toContain(key);
    });
  });
};
