import { afterAll, beforeAll, describe } from 'vitest';
import { allOrNothing } from './object-store/all-or-nothing.ts';
import { createOnly } from './object-store/create-only.ts';
import type { OpenedObjectStore } from './object-store/helpers.ts';
import { keeping } from './object-store/keeping.ts';
import { keys } from './object-store/keys.ts';
import { signedDownloads } from './object-store/signed-downloads.ts';

/**
 * Registers, in a vitest file, everything that an object store has to pass. The store is opened once and closed at the
 * end. It may hold other objects, since every test keeps to keys of its own, with random names.
 */
export const objectStoreContract = (name: string, open: () => Promise<OpenedObjectStore> | OpenedObjectStore): void => {
  describe(`${name} as an object store`, () => {
    let opened: OpenedObjectStore;
    const use = () => opened.store;

    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close?.());

    describe('keeping', () => keeping(use));
    describe('create-only', () => createOnly(use));
    describe('all or nothing', () => allOrNothing(use));
    describe('keys', () => keys(use));
    describe('signed downloads', () => signedDownloads(() => opened));
  });
};
