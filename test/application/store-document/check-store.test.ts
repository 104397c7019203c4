import { hash } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { Progress } from '../../../application/shared/progress.ts';
import { StoreDocument } from '../../../ports/inbound/store-document/store-document.ts';
import { gallery } from '../../../runtimes/composition/areas/design/gallery.ts';
import { storeDocument } from '../../../runtimes/composition/areas/store-document.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { anArtifact, aProduct, aRelease } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { memoryEngines, SETTINGS } from '../../support/memory-engines.ts';
import { memoryFiles } from '../../support/memory-files.ts';
import { shopRecords } from '../../support/shop-records.ts';
import { accountEntry, productEntry, releaseEntry } from '../../support/store-folder.ts';

const FILES = { 'tool.zip': 'tool', 'empty.zip': '', 'assets/guide.md': '# Guide' };

const aShop = () => {
  const engines = memoryEngines();
  return { engines, service: bootstrap(SETTINGS, engines, [shopRecords, storeDocument, gallery]) };
};
let shop: ReturnType<typeof aShop>;
beforeEach(() => {
  shop = aShop();
});

const check = (parts: object, progress?: Progress) =>
  shop.service.get('checkStore')({
    document: StoreDocument.parse({ format: 1, ...parts }),
    files: memoryFiles(FILES),
    ...(progress && { progress }),
  });
const faultsOf = async (parts: object) => (await check(parts)).faults.map(({ path, message }) => `${path}: ${message}`);

const WHOLE = {
  products: [productEntry({ id: 1, content: { assets_dir: 'assets', usage_path: 'guide.md' } })],
  releases: [releaseEntry({ id: 11 })],
  accounts: [accountEntry({ id: 1 })],
};

test('a correct document has no faults, and every file in it is found with its checksum', async () => {
  const { faults, found } = await check(WHOLE);
  expect(faults).toEqual([]);
  expect(found.facts.get('tool.zip')).toMatchObject({ size: 4, sha256: hash('sha256', 'tool') });
  expect([...found.facts.keys()].toSorted()).toEqual(['assets/guide.md', 'tool.zip']);
});

test('the check of a document writes neither records nor files', async () => {
  await check(WHOLE);
  const { engines, service } = shop;
  expect((await service.get('catalogs').current()).products.size).toBe(0);
  expect((await service.get('releaseEditor').read(1, '1.0.0')).release).toBeUndefined();
  expect(await service.get('listAccounts')()).toEqual([]);
  expect((await engines.objects.list()).keys).toEqual([]);
});

test('all faults of a document are named at once', async () => {
  const wrong = {
    products: [productEntry({ id: 1, tag_ids: [9], content: { assets_dir: 'none' } })],
    releases: [
      releaseEntry({ id: 11, version: '1.x' }),
      releaseEntry({ id: 12, version: '2.0.0', artifacts: [{ file: 'empty.zip' }] }),
    ],
    accounts: [1, 2].map((id) => accountEntry({ id, email: 'ann@example.com' })),
  };
  expect(await faultsOf(wrong)).toEqual([
    'accounts.1.email: "ann@example.com" is already the email of accounts.0',
    'products.0.tag_ids.0: there is no tag 9',
    'releases.0.version: "1.x" is no version of the scheme semver, which product 1 has',
    'products.0.content.assets_dir: there is no folder "none" in the document’s folder',
    'releases.1.artifacts.0.file: "empty.zip" is empty',
  ]);
});

test('a document is checked against the stored records', async () => {
  await put(shop.service, {
    products: [aProduct({ id: 1, slug: 'tool' })],
    releases: [aRelease({ id: 11, artifacts: [anArtifact({ filename: 'tool.zip' })] })],
  });
  const parts = { products: [productEntry({ id: 2, slug: 'tool' })], releases: [releaseEntry({ id: 11 })] };
  expect(await faultsOf(parts)).toEqual([
    'products.0.slug: "tool" is already the slug of product 1',
    expect.stringContaining('releases.0.artifacts.0.file: this version has another file for every platform already'),
  ]);
});

test('the check of a document reports its progress to the last byte of its files', async () => {
  const told: string[] = [];
  await check(WHOLE, (stage, done, total) => told.push(`${stage}: ${done} of ${total}`));
  expect(told.at(-1)).toBe('Reading files: 11 of 11');
});
