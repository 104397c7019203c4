import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import { type ContractOptions, PutObjects, TIMEOUT } from './clean.ts';
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
 * Registers the tests that every object store must pass. The store is opened once and closed at the end. It may have
 * other objects, because every test uses its own random keys, whose objects are removed afterwards.
 */
export const objectStoreContract = (
  name: string,
  open: () => Promise<OpenedObjectStore> | OpenedObjectStore,
  { timeout = TIMEOUT }: ContractOptions = {},
): void => {
  describe(`${name} as an object store`, { timeout }, () => {
    const put = new PutObjects();
    let opened: OpenedObjectStore;
    let store: ObjectStore;
    const use = () => store;
    const useAll = () => ({ ...opened, store });

    beforeAll(async () => {
      opened = await open();
      store = put.watch(opened.store);
    }, timeout);
    afterEach(() => put.removeFrom(store), timeout);
    afterAll(() => opened.close?.(), timeout);

    describe('stored objects', () => keeping(use));
    describe('create-only puts', () => createOnly(use));
    describe('incomplete puts', () => allOrNothing(use));
    describe('examinations', () => examining(use));
    describe('removals', () => removing(use));
    describe('keys', () => keys(use));
    describe('signed downloads', () => signedDownloads(useAll));
    describe('signed uploads', () => signedUploads(useAll));
  });
};
