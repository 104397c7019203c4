import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Product } from '../../../domain/catalog/product.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { anArtifact, aProduct, aRelease } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { done } from '../../support/outcomes.ts';
import { memoryService } from '../../support/service.ts';

const PERMIT = grantPermit();
const { id: _, created_at: __, hero: ___, install_assets: ____, thumbnail_html: _____, ...FIELDS } = aProduct();
const HERO = { path: 'images/hero.svg', alt: { en: 'A sum' } };
const PRICE = { provider: 'stripe', id: 'price_1', access_days: null, updates_days: null, grace_days: 0 };

let service: Service;
const stored = async (id: number): Promise<Product | undefined> =>
  (await service.get('catalogs').current()).products.get(id);
const change = (fields: Partial<Product>, from = service, product = 'tool') =>
  from.get('changeProduct')(PERMIT, { product, fields });

describe('the catalog that the shop host edits', () => {
  const engines = memoryEngines();
  beforeEach(async () => {
    service = memoryService({}, engines);
    const products = [
      aProduct({ id: 1, slug: 'tool', hero: HERO, feed: 'entitled' }),
      aProduct({ id: 2, slug: 'other' }),
    ];
    await put(service, { products, releases: [aRelease({ product_id: 1, artifacts: [anArtifact()] })] });
  });

  test('has an added product under a new id, once for a slug', async () => {
    const slug = `note-pad-${Date.now()}`;
    const added = done(await service.get('addProduct')(PERMIT, { ...FIELDS, slug }));
    expect(await stored(added.id)).toMatchObject({ slug, hero: null, created_at: expect.any(String) });
    expect(await service.get('addProduct')(PERMIT, { ...FIELDS, slug })).toMatchObject({
      code: 'invalid_product',
      message: expect.stringContaining(`slug "${slug}" is already the slug of product ${added.id}`),
    });
  });

  test('keeps what a change does not name, and removes what the change has as undefined', async () => {
    const { product } = done(await change({ unit_price_cents: 5, feed: undefined }));
    expect([product.unit_price_cents, product.feed, product.hero]).toEqual([5, undefined, HERO]);
    expect(JSON.stringify(await stored(1))).not.toContain('"feed"');
    expect(done(await change({ unit_price_cents: 5 })).result).toBe('unchanged');
  });

  test.each<[string, Partial<Product>, string]>([
    ['the slug of another product', { slug: 'other' }, 'slug'],
    ['an unknown category', { category_ids: [77] }, 'category_ids.0'],
    ['another order of released versions', { version_scheme: 'sparkle' }, 'version_scheme'],
    [
      'more than a store holds in one piece',
      { outputs: [{ ...PRICE, text: 'x'.repeat(400_000) }] as never },
      'the product',
    ],
  ])('refuses %s, and stays as it was', async (_name, fields, path) => {
    const before = await stored(1);
    expect(await change(fields)).toMatchObject({ code: 'invalid_product', data: { faults: [{ path }] } });
    expect(await stored(1)).toEqual(before);
  });

  test('keeps both of two changes at once, of a product and of the storefront', async () => {
    const other = memoryService({}, engines);
    await Promise.all([change({ unit_price_cents: 7 }), change({ device_limit: 7 }, other)]);
    expect(await stored(1)).toMatchObject({ unit_price_cents: 7, device_limit: 7 });
    const set = (from: Service, fields: object) => from.get('changeStorefront')(PERMIT, fields);
    await Promise.all([set(service, { name: 'Shop' }), set(other, { accent: '#2b55c8' })]);
    expect(await service.get('showStorefront')()).toMatchObject({ name: 'Shop', accent: '#2b55c8' });
  });

  test('refuses a change of an unknown product', async () => {
    expect(await change({}, service, 'nothing')).toMatchObject({ code: 'product_not_found' });
  });
});
