import { text } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import { catalog } from '../../../runtimes/composition/areas/catalog.ts';
import { aProduct } from '../../support/builders.ts';
import { storedFile } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';
import { aContent } from '../../support/public-builders.ts';

const product = aProduct();
let service: Awaited<ReturnType<typeof aShop>>;

const aShop = () => aStore([catalog]);
const openAsset = (path: string) => service.get('openContentAsset')({ product, path });

beforeEach(async () => {
  service = await aShop();
  const guide = { path: 'docs/guide.md', content_type: 'text/markdown', ...(await storedFile(service, '# Guide\n')) };
  const lost = { path: 'lost.md', content_type: 'text/markdown', sha256: 'f'.repeat(64), size: 9 };
  await service.put({ products: [product], productContents: [aContent({ assets: [guide, lost] })] });
});

test('a file of a product’s content is opened under its own name', async () => {
  const opened = await openAsset('docs/guide.md');
  if (!opened.ok) throw new Error(opened.message);
  expect(opened.value).toMatchObject({ filename: 'guide.md', size: 8 });
  const bytes = await opened.value.open();
  expect(bytes && (await text(bytes))).toBe('# Guide\n');
});

test('a part of a content file can be opened alone', async () => {
  const opened = await openAsset('docs/guide.md');
  const bytes = opened.ok && (await opened.value.open({ start: 2, end: 6 }));
  expect(bytes && (await text(bytes))).toBe('Guide');
});

test.each([
  'guide.md',
  'docs',
  'docs/../docs/guide.md',
  '/docs/guide.md',
  '',
])('the path "%s" opens nothing, because the product lists no file under it', async (path) => {
  expect(await openAsset(path)).toMatchObject({ ok: false, code: 'not_found' });
});

test('a file of one product is not found under another product', async () => {
  const other = aProduct({ id: 2 });
  const opened = await service.get('openContentAsset')({ product: other, path: 'docs/guide.md' });
  expect(opened).toMatchObject({ ok: false, code: 'not_found' });
});

test('a file whose bytes are lost is not found', async () => {
  const opened = await openAsset('lost.md');
  expect(opened.ok && (await opened.value.open())).toBeUndefined();
});
