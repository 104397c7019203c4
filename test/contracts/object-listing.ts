import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { ObjectListing, ObjectStore } from '../../ports/outbound/object-store.ts';
import { type ContractOptions, PutObjects, TIMEOUT } from './clean.ts';
import { breakingOff, newKey } from './object-store/helpers.ts';

export type OpenedListing = { readonly store: ObjectStore & ObjectListing; readonly close?: () => Promise<void> };

/** Far more pages than any store shared by tests should have. */
const MOST_PAGES = 1000;

/**
 * Registers the tests that an object store must pass to be migrated. The store is opened once and closed at the end. It
 * may have other objects, but nobody else may put any during the tests. The objects of a test are removed afterwards.
 */
export const objectListingContract = (
  name: string,
  open: () => Promise<OpenedListing> | OpenedListing,
  { timeout = TIMEOUT }: ContractOptions = {},
): void => {
  describe(`${name} as an object listing`, { timeout }, () => {
    const written = new PutObjects();
    let opened: OpenedListing;
    let store: OpenedListing['store'];
    beforeAll(async () => {
      opened = await open();
      store = written.watch(opened.store);
    }, timeout);
    afterEach(() => written.removeFrom(store), timeout);
    afterAll(() => opened.close?.(), timeout);

    const put = (key: string) => store.put(grantPermit(), key, Readable.from([Buffer.from(key)]));
    const listed = async (after?: string): Promise<string[]> => {
      const keys: string[] = [];
      let next = after;
      for (let i = 0; i < MOST_PAGES; i++) {
        const page = await store.list(next);
        keys.push(...page.keys);
        if (page.next === undefined) return keys;
        expect(page.next).toBe(page.keys.at(-1));
        next = page.next;
      }
      throw new Error(`There are more than ${MOST_PAGES} pages.`);
    };

    test('a listing returns each key once, in byte order', async () => {
      const key = newKey();
      const keys = [`${key}b`, `${key}-b`, `${key}/b`, key, `${key}/b/c`, `${key}.b`, `${key}_b`, `${key}0`];
      for (const each of keys) await put(each);
      await put(keys[0] ?? '');
      const all = await listed();
      expect(all.filter((each) => each.startsWith(key))).toEqual(keys.sort());
      expect(all).toEqual([...new Set(all)].sort());
    });

    test('a listing continues after any key, whether the key exists or not', async () => {
      const key = newKey();
      for (const end of ['a', 'c', 'd']) await put(`${key}/${end}`);
      const behind = async (end: string) =>
        (await listed(`${key}/${end}`)).filter((each) => each.startsWith(key)).map((each) => each.at(-1));
      expect(await behind('a')).toEqual(['c', 'd']);
      expect(await behind('b')).toEqual(['c', 'd']);
      expect(await behind('d')).toEqual([]);
    });

    test('a listing leaves out an incomplete object', async () => {
      const key = newKey();
      const broken = breakingOff(Buffer.from('half'), new Error('gone'));
      await expect(store.put(grantPermit(), key, broken)).rejects.toThrow('gone');
      expect(await listed()).not.toContain(key);
    });
  });
};
