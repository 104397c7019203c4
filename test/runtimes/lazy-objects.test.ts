import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { MemoryObjects } from '../../adapters/memory/memory-objects.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { lazyObjects } from '../../runtimes/engines/built-in.ts';
import { SECRET } from '../support/download-server.ts';
import { forwarding, OBJECT_CALLS } from '../support/forwarding.ts';

forwarding('an object store that is loaded late', OBJECT_CALLS, (inner) => lazyObjects(async () => inner));

const newStore = () => new MemoryObjects(new DownloadSignature({ secret: SECRET, baseUrl: '' }));

describe('an object store that is loaded lazily', () => {
  test('a lazy object store is loaded once, by the first call', async () => {
    let loads = 0;
    const store = lazyObjects(async () => {
      loads += 1;
      return newStore();
    });
    expect(loads).toBe(0);
    await Promise.all([store.ping(), store.stat('a'), store.put(grantPermit(), 'b', Readable.from(['b']))]);
    expect(await store.stat('b')).toMatchObject({ size: 1 });
    expect(loads).toBe(1);
  });

  test('a put fails with the error of a stream that broke off while the store was loading', async () => {
    const loading = Promise.withResolvers<MemoryObjects>();
    const store = lazyObjects(() => loading.promise);
    const bytes = new Readable({ read: () => {} });
    const put = store.put(grantPermit(), 'a', bytes);
    bytes.destroy(new Error('The client went away.'));
    setImmediate(() => loading.resolve(newStore()));
    await expect(put).rejects.toThrow('The client went away.');
    expect(await store.stat('a')).toBeUndefined();
  });
});
