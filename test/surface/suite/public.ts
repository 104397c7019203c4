import { describe, expect, test } from 'vitest';
import { aDisclosure } from '../../support/public-builders.ts';
import { get } from '../client.ts';
import { LINEAGE } from '../good-requests.ts';
import type { Mount } from '../mount.ts';
import { RETIRED, SKILL, TOOL } from '../shop.ts';

/** Tests the public endpoints, which need no key. */
export const publicSuite = (mount: () => Mount): void => {
  const ask = (path: string, language = 'en') => get(mount(), path, undefined, { 'Accept-Language': language });

  describe('the list of lineages', () => {
    test('the lineage list has the active lineages with their current products', async () => {
      expect((await ask('/api/lineages')).body).toEqual({
        lineages: [
          {
            id: 1,
            slug: LINEAGE,
            name: 'Tools',
            description: null,
            active: true,
            product_count: 3,
            current_product: { id: TOOL, slug: 'tool', name: 'Tool' },
          },
        ],
      });
    });
  });

  describe('one lineage', () => {
    test('a lineage has its products in order with their roles, and hides unpublished ones without a gap', async () => {
      const { lineage } = (await ask(`/api/lineages/${LINEAGE}`)).body;
      const { products, ...rest } = lineage;
      expect(rest).toEqual({ id: 1, slug: LINEAGE, name: 'Tools', description: null, active: true });
      expect(
        products.map(({ position, role, id, active }: Record<string, unknown>) => [position, role, id, active]),
      ).toEqual([
        [1, 'predecessor', RETIRED, false],
        [2, 'current', TOOL, true],
        [3, 'successor', SKILL, true],
      ]);
      expect(products[1]).toMatchObject({ slug: 'tool', name: 'Tool', type: 'app', description: 'Sums files.' });
    });

    test.each([
      'hidden',
      'unknown',
      '__proto__',
      'a'.repeat(1000),
    ])('the unknown or inactive lineage %s is 404', async (slug) => {
      const reply = await ask(`/api/lineages/${slug}`);
      expect([reply.status, Object.keys(reply.body)]).toEqual([404, ['message']]);
    });
  });

  test('the disclosure has nine texts in each language', async () => {
    const { body } = await ask('/api/public/disclosure');
    expect(body).toEqual(aDisclosure());
    for (const company of [body.ko, body.en]) expect(Object.keys(company)).toHaveLength(9);
  });
};
