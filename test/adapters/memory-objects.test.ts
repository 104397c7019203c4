import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { MemoryObjects } from '../../adapters/memory/memory-objects.ts';
import { objectStoreContract } from '../contracts/object-store.ts';
import { SECRET, withDownloads } from '../support/download-server.ts';

objectStoreContract('memory', () => withDownloads((signature) => new MemoryObjects(signature)));

test('what a reader does to its bytes does not change the object', async () => {
  const store = new MemoryObjects(new DownloadSignature({ secret: SECRET, baseUrl: '' }));
  await store.put('a', Readable.from([Buffer.from('kept')]));
  const read = async (): Promise<Buffer> => buffer((await store.open('a'))?.stream ?? Readable.from([]));
  (await read()).fill(0);
  for await (const chunk of (await store.open('a'))?.stream ?? []) (chunk as Buffer).fill(0);
  expect(String(await read())).toBe('kept');
});
