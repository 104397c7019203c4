import { beforeAll, expect, test } from 'vitest';
import { aBuyer, aKey, anAccount } from '../buyers.ts';
import { get } from '../client.ts';
import type { Mount } from '../mount.ts';
import { BUNDLE, NOTES, OTHER, SKILL, TOOL } from '../shop.ts';
import { daysAgo } from '../times.ts';

type Item = { access_source: string; product: { id: number }; bundle: unknown };

export const librarySuite = (mount: () => Mount): void => {
  let key: string;

  beforeAll(async () => {
    ({ key } = await aBuyer(mount().service));
  });

  const itemOf = async (path = '/api/library', language = 'en') =>
    (await get(mount(), path, key, { 'Accept-Language': language })).body.items[0];

  test('the library lists the products that the account may use now, by id, with their access source', async () => {
    const owner = await anAccount(mount().service, {
      entitlements: [
        { product_id: OTHER },
        { product_id: BUNDLE },
        { product_id: TOOL },
        { product_id: NOTES, access_expires_at: daysAgo(1) },
      ],
      subscriptions: [{ product_ids: [NOTES], ends_at: daysAgo(1) }],
    });
    const reply = await get(mount(), '/api/library', (await aKey(mount().service, owner)).value);
    expect(reply.body.items.map((item: Item) => [item.product.id, item.access_source])).toEqual([
      [TOOL, 'direct'],
      [SKILL, 'bundle'],
      [OTHER, 'direct'],
      [BUNDLE, 'direct'],
    ]);
  });

  test('the library shows a product’s details in the requested language', async () => {
    const { product } = await itemOf('/api/library', 'ko');
    expect(product).toMatchObject({ id: TOOL, name: '도구', type_label: '앱', description: '파일을 더합니다.' });
    expect(product.platforms).toEqual(['linux-amd64', 'darwin-arm64']);
    expect(product.install_assets).toEqual([
      {
        platform: 'any',
        label: 'Guide',
        path: 'docs/guide.md',
        download_url: `${mount().urls.api}/api/products/${TOOL}/content-assets/docs/guide.md`,
      },
    ]);
  });

  test('the hero image in the library is a path on the API host that can be fetched', async () => {
    const { hero_path, hero_alt } = await itemOf('/api/library', 'ko');
    expect([hero_path, hero_alt]).toEqual([`/api/products/${TOOL}/content-assets/images/hero%20image.svg`, '합']);
    expect((await get(mount(), hero_path, key)).status).toBe(200);
  });

  test('the thumbnail HTML in the library contains no script', async () => {
    const { thumbnail_html } = await itemOf();
    expect(thumbnail_html).toContain('<img src="/x.png"');
    expect(thumbnail_html).not.toMatch(/script|onerror|alert/);
  });
};
