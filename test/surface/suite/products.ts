import { beforeAll, describe, expect, test } from 'vitest';
import { aBuyer } from '../buyers.ts';
import { get, type Reply } from '../client.ts';
import type { Mount } from '../mount.ts';
import { BUNDLE, NOTES, OTHER, RETIRED, SKILL, TOOL } from '../shop.ts';

const ids = ({ body }: Reply): number[] => body.products.map(({ id }: { id: number }) => id);

const ALL = [TOOL, SKILL, NOTES, OTHER, BUNDLE];

/** Each query, with the products on sale that it finds. */
const QUERIES: [query: string, found: number[]][] = [
  ['', ALL],
  ['category_id=1', [TOOL, SKILL, NOTES]],
  ['tag_id=1', [TOOL]],
  ['q=files+sums', [TOOL]],
  ['q=%ED%8C%8C%EC%9D%BC%EC%9D%84+sums', [TOOL]],
  ['platform=linux-amd64', [TOOL, SKILL, OTHER, BUNDLE]],
  ['sort=-id', [...ALL].reverse()],
  ['sort=name', [BUNDLE, NOTES, OTHER, SKILL, TOOL]],
  ['sort=newest', [...ALL].reverse()],
  ['category_id=1&platform=linux-amd64&q=s&sort=-id', [SKILL, TOOL]],
  ['category_id=&tag_id=&q=&platform=&sort=', ALL],
  ['page=2&colour=red', ALL],
];

const BAD_QUERIES: [query: string, field: string][] = [
  ['category_id=x', 'category_id'],
  ['category_id=0', 'category_id'],
  ['category_id=99999999999999999999', 'category_id'],
  ['category_id=1&category_id=2', 'category_id'],
  ['tag_id=1e3', 'tag_id'],
  ['sort=ID', 'sort'],
  ['sort=__proto__', 'sort'],
  [`q=${'a'.repeat(201)}`, 'q'],
  [`platform=${'a'.repeat(51)}`, 'platform'],
];

export const productsSuite = (mount: () => Mount): void => {
  let key: string;

  beforeAll(async () => {
    ({ key } = await aBuyer(mount().service));
  });

  describe('the list of products', () => {
    test.each(QUERIES)('the product list for ?%s has the matching products in order', async (query, found) => {
      expect(ids(await get(mount(), `/api/products?${query}`, key))).toEqual(found);
    });

    test.each(BAD_QUERIES)('the product list for ?%s is 422 and names the field', async (query, field) => {
      const reply = await get(mount(), `/api/products?${query}`, key);
      expect(reply.status).toBe(422);
      expect(Object.keys(reply.body.errors)).toEqual([field]);
      expect(reply.body.message).toBe(reply.body.errors[field][0]);
    });

    test('a bad product query gets every bad field, and a message with the count of the others', async () => {
      const reply = await get(mount(), '/api/products?sort=colour&tag_id=x&category_id=0', key);
      expect(Object.keys(reply.body.errors).sort()).toEqual(['category_id', 'sort', 'tag_id']);
      expect(reply.body.message).toMatch(/\.? \(and 2 more errors\)$/);
    });

    test('the product list sorted by name has the names of the requested language', async () => {
      const reply = await get(mount(), '/api/products?sort=name', key, { 'Accept-Language': 'ko' });
      expect(reply.body.products.map(({ name }: { name: string }) => name)).toContain('도구');
    });
  });

  describe('one product', () => {
    test('a product has its price, categories and tags', async () => {
      const { product } = (await get(mount(), `/api/products/${TOOL}`, key)).body;
      expect(product).toEqual({
        id: TOOL,
        name: 'Tool',
        description: 'Sums files.',
        list_price_cents: null,
        unit_price_cents: 300,
        currency: 'USD',
        active: true,
        entitled: true,
        primary_category: { id: 2, parent_id: 1, name: 'Category 2', active: true, visibility: 'public' },
        categories: [
          { id: 1, parent_id: null, name: 'Software', active: true, visibility: 'public' },
          { id: 2, parent_id: 1, name: 'Category 2', active: true, visibility: 'public' },
        ],
        tags: [{ id: 1, name: 'Fast', type: null, active: true }],
        content_locale: 'en',
      });
    });

    test('a discontinued product can still be read', async () => {
      const reply = await get(mount(), `/api/products/${RETIRED}`, key);
      expect(reply.body.product).toMatchObject({ id: RETIRED, active: false });
    });
  });

  describe('the detail page of a product', () => {
    const detail = async (language = 'en') =>
      (await get(mount(), `/api/products/${TOOL}/detail`, key, { 'Accept-Language': language })).body;

    test('the detail page links its files by paths on the API host', async () => {
      const asset = (path: string) => `/api/products/${TOOL}/content-assets/${path}`;
      expect(await detail()).toMatchObject({
        hero_path: asset('images/hero%20image.svg'),
        hero_alt: 'A sum',
        gallery: [{ path: asset('images/one.png'), alt: 'One' }],
        videos: [{ url: 'https://video.example.com/1', title: null }],
        usage_path: asset('docs/guide.md'),
        architecture_path: null,
        ai_prompt_path: null,
      });
    });
  });
};
