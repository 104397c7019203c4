import { afterAll, beforeAll, describe } from 'vitest';
import { allOrNothing } from './object-store/all-or-nothing.ts';
import { createOnly } from './object-store/create-only.ts';
import { examining } from './object-store/examining.ts';
import type { OpenedObjectStore } from './object-store/helpers.ts';
import { keeping } from './object-store/keeping.ts';
import { keys } from './object-store/keys.ts';
import { removing } from './object-store/removing.ts';
import { signedDownloads } from './object-store/signed-downloads.ts';
import { signedUploads } from './object-store/signed-uploads.ts';

export type { OpenedObjectStore } from './object-store/helpers.ts';

/**
 * Registers the tests that every object store has to pass. The store is opened once and closed at the end. It may hold
 * other objects, because every test uses random keys of its own.
 */
export const objectStoreContract = (name: string, open: () => Promise<OpenedObjectStore> | OpenedObjectStore): void => {
  describe(`${name} as an object store`, () => {
    let opened: OpenedObjectStore;
    const use = () => opened.store;

    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close?.());

    describe('stored objects', () => keeping(use));
    describe('create-only puts', () => createOnly(use));
    describe('incomplete puts', () => allOrNothing(use));
    describe('examinations', () => examining(use));
    describe('removals', () => removing(use));
    describe('keys', () => keys(use));
    describe('signed downloads', () => signedDownloads(() => opened));
    describe('signed uploads', () => signedUploads(() => opened));
  });
};
