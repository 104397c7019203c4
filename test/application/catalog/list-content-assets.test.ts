import { expect, test } from 'vitest';
import { catalog } from '../../../runtimes/composition/areas/catalog.ts';
import { aProduct } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';
import { aContent } from '../../support/public-builders.ts';

const aShop = () => aStore([catalog]);

test('the files of a product’s content are listed with their checksums and URLs', async () => {
  const service = await aShop();
  const guide = { path: 'docs/my guide.md', content_type: 'text/markdown', sha256: 'a'.repeat(64), size: 8 };
  await service.put({ products: [aProduct()], productContents: [aContent({ assets: [guide] })] });
  expect(await service.get('listContentAssets')({ product: aProduct() })).toEqual({
    assets: [{ ...guide, download_url: 'https://api.example.com/api/products/1/content-assets/docs/my%20guide.md' }],
  });
});

test('a product without content has no files to list', async () => {
  expect(await (await aShop()).get('listContentAssets')({ product: aProduct() })).toEqual({ assets: [] });
});
