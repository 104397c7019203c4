import { expect, test } from 'vitest';
import type { Product } from '../../../domain/catalog/product.ts';
import { addDays, toInstant } from '../../../domain/shared/instant.ts';
import { catalog } from '../../../runtimes/composition/areas/catalog.ts';
import { anEntitlement, aProduct, NOW } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';
import { aContent } from '../../support/public-builders.ts';

const picture = { path: 'images/a b.png', content_type: 'image/png', sha256: 'a'.repeat(64), size: 10 };
const script = { path: 'run.js', content_type: 'text/javascript', sha256: 'b'.repeat(64), size: 10 };
const HTML = '<img src="/api/products/1/content-assets/images/a%20b.png" alt="A" />';

const aShop = async (overrides: Partial<Product> = {}) => {
  const product = aProduct({ thumbnail_html: HTML, pictures: [picture], ...overrides });
  const detail_html = { en: `${HTML}<img src="images/a%20b.png" /><img src="run.js" /><img src="lost.png" />` };
  const content = aContent({ detail_html, assets: [picture, script] });
  return {
    product,
    service: await aStore([catalog], {
      products: [product],
      productContents: [content],
      entitlements: [anEntitlement()],
    }),
  };
};

const LINK =
  /https:\/\/api\.example\.com\/downloads\/[^"]+\/a%20b\.png\?expires=\d+&amp;type=image%2Fpng&amp;signature=[\w-]+/g;

test('the pictures of a detail page have signed URLs, and other URLs stay unchanged', async () => {
  const { service, product } = await aShop();
  const { detail_html } = await service.get('showProductDetail')({ product, locale: 'en' });
  expect(detail_html?.match(LINK)).toHaveLength(2);
  expect(detail_html?.replaceAll(LINK, 'SIGNED')).toBe(
    '<img src="SIGNED" alt="A" /><img src="SIGNED" /><img src="run.js" /><img src="lost.png" />',
  );
});

test('the thumbnail in the library has a signed URL that stays the same for an hour', async () => {
  const { service } = await aShop();
  const library = async (at: string) => {
    service.clock.at = at;
    const { items } = await service.get('listLibrary')({ account_id: 1, scope: { product_id: null }, locale: 'en' });
    return items[0]?.thumbnail_html;
  };
  const hour = toInstant(Date.parse(NOW) - (Date.parse(NOW) % 3_600_000));
  const first = await library(hour);
  expect(first?.replaceAll(LINK, 'SIGNED')).toBe('<img src="SIGNED" alt="A" />');
  expect(await library(toInstant(Date.parse(hour) + 3_599_999))).toBe(first);
  expect(await library(addDays(hour, 1))).not.toBe(first);
});

test('the thumbnail of a product from before pictures were stored keeps its URL', async () => {
  const { service } = await aShop({ pictures: undefined });
  const { items } = await service.get('listLibrary')({ account_id: 1, scope: { product_id: null }, locale: 'en' });
  expect(items[0]?.thumbnail_html).toBe(HTML);
});
