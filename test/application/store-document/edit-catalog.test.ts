import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ProductFields } from '../../../application/store-document/edit-catalog.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Product } from '../../../domain/catalog/product.ts';
import { objectKeyOf } from '../../../domain/delivery/object-key.ts';
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
const change = (fields: Partial<ProductFields>, from = service, product = 'tool') =>
  from.get('changeProduct')(PERMIT, { product, fields });

describe('the catalog edited in the shop host', () => {
  const engines = memoryEngines();
  beforeEach(async () => {
    service = memoryService({}, engines);
    const products = [
      aProduct({ id: 1, slug: 'tool', hero: HERO, feed: 'entitled' }),
      aProduct({ id: 2, slug: 'other' }),
    ];
    await put(service, { products, releases: [aRelease({ product_id: 1, artifacts: [anArtifact()] })] });
  });

  test('an added product gets a new id, and its slug only once', async () => {
    const slug = `note-pad-${Date.now()}`;
    const added = done(await service.get('addProduct')(PERMIT, { ...FIELDS, slug }));
    expect(await stored(added.id)).toMatchObject({ slug, hero: null, created_at: expect.any(String) });
    expect(await service.get('addProduct')(PERMIT, { ...FIELDS, slug })).toMatchObject({
      code: 'invalid_product',
      message: expect.stringContaining(`slug "${slug}" is already the slug of product ${added.id}`),
    });
  });

  test('a change keeps unnamed fields and removes undefined ones', async () => {
    const { product } = done(await change({ unit_price_cents: 5, feed: undefined }));
    expect([product.unit_price_cents, product.feed, product.hero]).toEqual([5, undefined, HERO]);
    expect(JSON.stringify(await stored(1))).not.toContain('"feed"');
    expect(done(await change({ unit_price_cents: 5 })).result).toBe('unchanged');
  });

  test.each<[string, Partial<ProductFields>, string]>([
    ['the slug of another product', { slug: 'other' }, 'slug'],
    ['an unknown category', { category_ids: [77] }, 'category_ids.0'],
    ['another order of released versions', { version_scheme: 'sparkle' }, 'version_scheme'],
    [
      'more than a store holds in one piece',
      { outputs: [{ ...PRICE, text: 'x'.repeat(400_000) }] as never },
      'the product',
    ],
  ])('an edit with %s is refused and changes nothing', async (_name, fields, path) => {
    const before = await stored(1);
    expect(await change(fields)).toMatchObject({ code: 'invalid_product', data: { faults: [{ path }] } });
    expect(await stored(1)).toEqual(before);
  });

  test('simultaneous changes of a product and of the storefront are both stored', async () => {
    const other = memoryService({}, engines);
    await Promise.all([change({ unit_price_cents: 7 }), change({ device_limit: 7 }, other)]);
    expect(await stored(1)).toMatchObject({ unit_price_cents: 7, device_limit: 7 });
    const set = (from: Service, fields: object) => from.get('changeStorefront')(PERMIT, fields);
    await Promise.all([set(service, { name: 'Shop' }), set(other, { accent: '#2b55c8' })]);
    expect(await service.get('showStorefront')()).toMatchObject({ name: 'Shop', accent: '#2b55c8' });
  });

  test('of two products that are added at once with one slug, one is stored', async () => {
    const other = memoryService({}, engines);
    const slug = `twin-${Date.now()}`;
    const added = await Promise.all(
      [service, other].map((from) => from.get('addProduct')(PERMIT, { ...FIELDS, slug })),
    );
    expect(added.map((one) => (one.ok ? 'added' : one.code)).sort()).toEqual(['added', 'invalid_product']);
  });

  test('of two simultaneous changes to one slug, one is refused', async () => {
    const other = memoryService({}, engines);
    const changed = await Promise.all([change({ slug: 'same' }), change({ slug: 'same' }, other, 'other')]);
    expect(changed.map((one) => (one.ok ? 'changed' : one.code)).sort()).toEqual(['changed', 'invalid_product']);
  });

  const upload = async (bytes: Buffer): Promise<{ sha256: string; alt: { en: string } }> => {
    const sha256 = hash('sha256', bytes, 'hex');
    await service.get('objects').put(PERMIT, objectKeyOf(sha256), Readable.from([bytes]));
    return { sha256, alt: { en: 'A sum' } };
  };
  const PNG = (width: number): Buffer => {
    const bytes = Buffer.alloc(40);
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes);
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(10, 20);
    return bytes;
  };

  test('an uploaded picture and the page’s text are shown, one former picture is kept, and both can be removed', async () => {
    const pictures = [PNG(10), PNG(11), PNG(12)];
    for (const bytes of pictures)
      done(await change({ picture: await upload(bytes), detail_html: { en: '<p>Sums</p>' } }));
    const content = async () => service.get('catalogs').content(1);
    expect((await stored(1))?.hero).toEqual({
      path: expect.stringMatching(/^uploaded-[0-9a-f]{16}\.png$/),
      alt: { en: 'A sum' },
    });
    expect(await content()).toMatchObject({
      detail_html: { en: '<p>Sums</p>' },
      assets: [{}, { content_type: 'image/png' }],
    });
    done(await change({ picture: null, detail_html: null }));
    expect([(await stored(1))?.hero, (await content())?.detail_html]).toEqual([null, null]);
    expect(done(await change({ picture: null })).result).toBe('unchanged');
  });

  test.each<[string, Buffer, string]>([
    ['a page under the name of a picture', Buffer.from('<!doctype html><script>1</script>'.padEnd(64)), 'is not a PNG'],
    ['a picture of too many pixels', PNG(4001), '4001 × 10 pixels'],
    ['a picture of too many bytes', Buffer.alloc(2 * 1024 * 1024 + 1), 'larger than 2 MiB'],
  ])('the edit %s is refused', async (_name, bytes, message) => {
    const refused = { code: 'unfit_picture', message: expect.stringContaining(message) };
    expect(await change({ picture: await upload(bytes) })).toMatchObject(refused);
  });

  test('a change of an unknown product is refused', async () => {
    expect(await change({}, service, 'nothing')).toMatchObject({ code: 'product_not_found' });
  });
});
