import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { FilesystemObjects } from '../../adapters/filesystem/filesystem-objects.ts';
import { MemoryObjects } from '../../adapters/memory/memory-objects.ts';
import { keyPage } from '../../ports/outbound/object-store.ts';
import { objectListingContract } from '../contracts/object-listing.ts';

const folder = mkdtempSync(join(tmpdir(), 'object-listing-'));
afterAll(() => rmSync(folder, { recursive: true }));

const signature = () => new DownloadSignature({ secret: randomBytes(32), baseUrl: '' });

const objects = new MemoryObjects(signature());
objectListingContract('memory', () => ({ store: objects }));
objectListingContract('filesystem', () => ({ store: new FilesystemObjects(folder, signature()) }));

test('the contract suite of a listing leaves no object behind', async () => {
  expect(await objects.list()).toEqual({ keys: [] });
});

test('pages of keys contain each key once, whatever their size', () => {
  const keys = ['c', 'a', 'e', 'b', 'd'];
  for (const limit of [1, 2, 4, 5, 6]) {
    const found: string[] = [];
    for (let next: string | undefined, first = true; first || next !== undefined; first = false) {
      const page = keyPage(keys, next, limit);
      expect(page.keys.length).toBeLessThanOrEqual(limit);
      found.push(...page.keys);
      next = page.next;
    }
    expect(found).toEqual(['a', 'b', 'c', 'd', 'e']);
  }
});
