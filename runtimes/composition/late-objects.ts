import type { ObjectStore } from '../../ports/outbound/object-store.ts';

/**
 * An object store that is loaded with the first call. A license check never calls one, and S3's client is a good part of
 * what a function would have to load before it.
 */
export const lateObjects = (load: () => Promise<ObjectStore>): ObjectStore => {
  let loading: Promise<ObjectStore> | undefined;
  const store = (): Promise<ObjectStore> => (loading ??= load());
  return {
    put: async (key, bytes, expected) => {
      // An error that comes meanwhile would find nobody; whoever reads the stream then finds it.
      bytes.once('error', () => {});
      return (await store()).put(key, bytes, expected);
    },
    stat: async (key) => (await store()).stat(key),
    open: async (key, range) => (await store()).open(key, range),
    signDownload: async (key, as) => (await store()).signDownload(key, as),
    ping: async () => (await store()).ping(),
  };
};
