import { expect, test } from 'vitest';
import { catalog } from '../../../runtimes/composition/areas/catalog.ts';
import { bootstrap } from '../../../runtimes/composition/bootstrap.ts';
import { aProduct } from '../../support/builders.ts';
import { memoryEngines, SETTINGS, stock } from '../../support/memory-shop.ts';
import { aContent } from '../../support/public-builders.ts';

const aShop = () => bootstrap(SETTINGS, memoryEngines(), [catalog]);

test('the files of a product’s content are listed with their sums and with where to get them', async () => {
  const service = aShop();
  const guide = { path: 'docs/my guide.md', content_type: 'text/markdown', sha256: 'a'.repeat(64), size: 8 };
  await stock(service, { products: [aProduct()], contents: [aContent({ assets: [guide] })] });
  expect(await service.get('listContentAssets').execute({ product: aProduct() })).toEqual({
    assets: [{ ...guide, download_url: 'https://api.example.com/api/products/1/content-assets/docs/my%20guide.md' }],
  });
});

test('a product without content has no files to list', async () => {
  expect(await aShop().get('listContentAssets').execute({ product: aProduct() })).toEqual({ assets: [] });
});
