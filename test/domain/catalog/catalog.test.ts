import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BrowseInput, browse, SORTS } from '../../../domain/catalog/browse.ts';
import { DISCLOSURE_FIELDS } from '../../../domain/catalog/catalog.ts';
import { DEPENDENCY_KINDS, LAUNCH_KINDS, type Product, STRATEGIES, TARGETS } from '../../../domain/catalog/product.ts';
import { aBundle, aCatalog, aCategory, aProduct } from '../../support/builders.ts';

const aRunInput = (overrides: Partial<BrowseInput> = {}): BrowseInput => ({
  category_id: null,
  tag_id: null,
  q: null,
  platform: null,
  sort: 'id',
  ...overrides,
});
const idsOf = (products: readonly Product[], input: Partial<BrowseInput> = {}, locale: 'en' | 'ko' = 'en') =>
  browse(aCatalog({ products, categories: [aCategory({ id: 1 })] }), aRunInput(input), locale).map(({ id }) => id);

describe('browsing', () => {
  test('browsing lists only products that are active and published', () => {
    const products = [aProduct(), aProduct({ id: 2, active: false }), aProduct({ id: 3, published: false })];
    expect(idsOf(products)).toEqual([1]);
  });

  test('browsing a category includes all its subcategories, even when they form a circle', () => {
    const categories = [
      aCategory({ id: 1 }),
      aCategory({ id: 2, parent_id: 3 }),
      aCategory({ id: 3, parent_id: 1 }),
      aCategory({ id: 8, parent_id: 9 }),
      aCategory({ id: 9, parent_id: 8 }),
    ];
    const products = [1, 2, 3, 8, 9].map((id) => aProduct({ id, category_ids: [id] }));
    const within = (category_id: number) =>
      browse(aCatalog({ products, categories }), aRunInput({ category_id }), 'en').map(({ id }) => id);
    expect(within(1)).toEqual([1, 2, 3]);
    expect(within(3)).toEqual([2, 3]);
    expect(within(8)).toEqual([8, 9]);
    expect(within(77)).toEqual([]);
  });

  test('products of an inactive or private category, or of its subcategories, are not found by category', () => {
    const categories = [
      aCategory({ id: 1 }),
      aCategory({ id: 2, parent_id: 1, active: false }),
      aCategory({ id: 3, parent_id: 2 }),
      aCategory({ id: 4, visibility: 'internal' }),
    ];
    const products = [1, 2, 3, 4].map((id) => aProduct({ id, category_ids: [id] }));
    const within = (category_id: number) =>
      browse(aCatalog({ products, categories }), aRunInput({ category_id }), 'en').map(({ id }) => id);
    expect([1, 2, 3, 4].map(within)).toEqual([[1], [], [3], []]);
  });

  test('browsing by a tag lists the products with that tag', () => {
    expect(idsOf([aProduct({ tag_ids: [4] }), aProduct({ id: 2, tag_ids: [5] })], { tag_id: 4 })).toEqual([1]);
  });

  test('a search finds products with every word in the name or description of either language or in the slug, in any case', () => {
    const products = [
      aProduct({ slug: 'quick-notes', name: { en: 'Notes', ko: '빠른 메모' }, description: { en: 'Write it DOWN' } }),
      aProduct({ id: 2, slug: 'other', name: { ko: '메모' } }),
    ];
    expect(idsOf(products, { q: 'quick down' })).toEqual([1]);
    expect(idsOf(products, { q: ' NOTES  write ' })).toEqual([1]);
    expect(idsOf(products, { q: '메모' })).toEqual([1, 2]);
    expect(idsOf(products, { q: 'quick missing' })).toEqual([]);
    expect(idsOf(products, { q: ' ' })).toEqual([1, 2]);
    expect(idsOf(products, { q: 'null' }), 'a missing description').toEqual([]);
  });

  test('a search finds Korean and accented names however a client composes their letters', () => {
    const products = [aProduct({ name: { ko: '빠른 메모' } }), aProduct({ id: 2, name: { en: 'Cafe\u0301' } })];
    for (const form of ['NFC', 'NFD', 'NFKD'] as const) {
      expect(idsOf(products, { q: '메모'.normalize(form) })).toEqual([1]);
      expect(idsOf(products, { q: 'CAFÉ'.normalize(form) })).toEqual([2]);
    }
    expect(idsOf(products, { q: 'ｃａｆé' }), 'full-width letters').toEqual([2]);
  });

  test('browsing by a platform lists its products and those that name no platform', () => {
    const products = [
      aProduct({ platforms: ['macos'] }),
      aProduct({ id: 2, platforms: ['linux', 'macos'] }),
      aProduct({ id: 3, platforms: ['linux'] }),
      aProduct({ id: 4, platforms: [] }),
    ];
    expect(idsOf(products, { platform: 'macos' })).toEqual([1, 2, 4]);
  });

  test('browsing applies all filters at once', () => {
    const product = { category_ids: [1], tag_ids: [1], platforms: ['linux'] };
    const products = [
      aProduct({ ...product, id: 1 }),
      aProduct({ ...product, id: 2, category_ids: [] }),
      aProduct({ ...product, id: 3, tag_ids: [] }),
      aProduct({ ...product, id: 4, platforms: ['macos'] }),
    ];
    expect(idsOf(products, { category_id: 1, tag_id: 1, platform: 'linux', q: 'product' })).toEqual([1]);
  });

  const sortable = [
    aProduct({
      id: 1,
      name: { en: 'banana', ko: '나' },
      unit_price_cents: 300,
      created_at: '2026-01-02T00:00:00.000Z',
    }),
    aProduct({ id: 2, name: { en: 'Apple', ko: '다' }, unit_price_cents: 100, created_at: '2026-01-03T00:00:00.000Z' }),
    aProduct({
      id: 3,
      name: { en: 'cherry', ko: '가' },
      unit_price_cents: 200,
      created_at: '2026-01-01T00:00:00.000Z',
    }),
  ];

  test.each([
    ['id', [1, 2, 3]],
    ['-id', [3, 2, 1]],
    ['name', [2, 1, 3]],
    ['-name', [3, 1, 2]],
    ['price', [2, 3, 1]],
    ['-price', [1, 3, 2]],
    ['newest', [2, 1, 3]],
    ['oldest', [3, 1, 2]],
  ] as const)('browsing sorts by %s', (sort, ids) => expect(idsOf(sortable, { sort })).toEqual(ids));

  test('browsing by name sorts by the names in the requested language', () => {
    expect(idsOf(sortable, { sort: 'name' }, 'ko')).toEqual([3, 1, 2]);
  });

  test('sorting keeps every product found, breaks ties by id and ignores the order of the input', () => {
    const product = fc.record({
      name: fc.constantFrom({ en: 'a' }, { en: 'b' }, { ko: '가' }),
      unit_price_cents: fc.constantFrom(0, 5),
      created_at: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'),
    });
    fc.assert(
      fc.property(fc.array(product, { maxLength: 7 }), fc.constantFrom(...SORTS), (made, sort) => {
        const products = made.map((overrides, n) => aProduct({ id: n + 1, ...overrides }));
        const sorted = idsOf(products, { sort });
        expect(sorted.toSorted((a, b) => a - b)).toEqual(products.map(({ id }) => id));
        expect(idsOf(products.toReversed(), { sort })).toEqual(sorted);
        const alike = products.map(({ id }) => aProduct({ id }));
        const byId = products.map(({ id }) => id);
        expect(
          idsOf(alike, { sort: sort === '-id' ? 'id' : sort === 'name' || sort === '-name' ? 'price' : sort }),
        ).toEqual(byId);
      }),
    );
  });
});

describe('a catalog', () => {
  test('a catalog indexes products by id and by bundle identifier', () => {
    const { products, productsByBundleId } = aCatalog({
      products: [aProduct({ bundle_id: 'com.example.a' }), aProduct({ id: 2 })],
    });
    expect([...products.keys()]).toEqual([1, 2]);
    expect([...productsByBundleId.keys()]).toEqual(['com.example.a']);
  });

  test('a catalog orders its products and bundles by id and keeps bundles that are no longer sold', () => {
    const catalog = aCatalog({
      products: [aProduct({ id: 2 }), aProduct({ id: 1 })],
      bundles: [aBundle({ id: 3 }), aBundle({ id: 2, active: false }), aBundle({ id: 1 })],
    });
    expect([...catalog.products.keys()]).toEqual([1, 2]);
    expect(catalog.bundles.map(({ id }) => id)).toEqual([1, 2, 3]);
  });
});

test('the terms of stored delivery manifests and disclosures stay as clients know them', () => {
  expect([STRATEGIES, TARGETS, DEPENDENCY_KINDS, LAUNCH_KINDS, DISCLOSURE_FIELDS]).toEqual([
    ['agent-skill', 'vscode-vsix', 'macos-app', 'binary', 'managed-directory', 'manual'],
    ['codex', 'claude-code', 'vscode', 'macos'],
    ['executable', 'macos-version', 'architecture', 'host-application'],
    ['open-app', 'reveal-managed-root', 'open-vscode', 'none'],
    [
      'company_name',
      'representative_name',
      'business_registration_number',
      'mail_order_registration_number',
      'address',
      'phone',
      'email',
      'website',
      'ftc_biz_info_url',
    ],
  ]);
});
