import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { MemoryObjects } from '../../adapters/memory/memory-objects.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { objectStoreContract } from '../contracts/object-store.ts';
import { SECRET, withDownloads } from '../support/download-server.ts';

let tested: MemoryObjects | undefined;
objectStoreContract('memory', () => withDownloads((...signatures) => (tested = new MemoryObjects(...signatures))));

test('the contract suite of an object store leaves no object behind', async () => {
  expect(await tested?.list()).toEqual({ keys: [] });
});

test('changing the bytes of a read does not change the stored object', async () => {
  const store = new MemoryObjects(new DownloadSignature({ secret: SECRET, baseUrl: '' }));
  await store.put(grantPermit(), 'a', Readable.from([Buffer.from('kept')]));
  const read = async (): Promise<Buffer> => buffer((await store.open('a'))?.stream ?? Readable.from([]));
  (await read()).fill(0);
  for await (const chunk of (await store.open('a'))?.stream ?? []) (chunk as Buffer).fill(0);
  expect(String(await read())).toBe('kept');
});

test('a reader who stops holds a small piece of the object, not a full copy', async () => {
  const store = new MemoryObjects(new DownloadSignature({ secret: SECRET, baseUrl: '' }));
  await store.put(grantPermit(), 'a', Readable.from([Buffer.alloc(1_000_000)]));
  const stream = (await store.open('a'))?.stream ?? Readable.from([]);
  for await (const chunk of stream) {
    expect((chunk as Buffer).length).toBeLessThanOrEqual(64 * 1024);
    break;
  }
});
