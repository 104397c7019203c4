import { late } from '../../../adapters/host/late.ts';
import type { ObjectListing, ObjectStore } from '../../../ports/outbound/object-store.ts';

/**
 * An object store that is loaded with the first call. License checks never call one, and S3's client is a large part of
 * what a Lambda function would load before its first check.
 */
export const lateObjects = (load: () => Promise<ObjectStore>): ObjectStore => {
  const store = late(load);
  return {
    put: async (permit, key, bytes, expected) => {
      // A stream error before the store is loaded needs a listener. The reader of the stream meets the error later.
      bytes.once('error', () => {});
      return (await store()).put(permit, key, bytes, expected);
    },
    stat: async (key) => (await store()).stat(key),
    open: async (key, range) => (await store()).open(key, range),
    examine: async (key, expected, how) => (await store()).examine(key, expected, how),
    remove: async (permit, key) => (await store()).remove(permit, key),
    signDownload: async (key, as) => (await store()).signDownload(key, as),
    signUpload: async (permit, key, terms) => (await store()).signUpload(permit, key, terms),
    ping: async () => (await store()).ping(),
  };
};

/** A listing that is loaded with the first call. */
export const lateListing = (load: () => Promise<ObjectListing>): ObjectListing => {
  const listing = late(load);
  return { list: async (after) => (await listing()).list(after) };
};
