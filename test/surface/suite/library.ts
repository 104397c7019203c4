import { beforeAll, expect, test } from 'vitest';
import { aBuyer, aKey, anAccount } from '../buyers.ts';
import { get, put, type Reply } from '../client.ts';
import type { Mount } from '../mount.ts';
import { artifactBytes, BUNDLE, NOTES, OTHER, SKILL, sha256, TOOL } from '../shop.ts';
import { daysAgo } from '../times.ts';

type Item = { access_source: string; product: { id: number }; bundle: unknown };

const ids = ({ body }: Reply): number[] => body.items.map((item: Item) => item.product.id);

export const librarySuite = (mount: () => Mount): void => {
  let key: string;
  let account: number;

  beforeAll(async () => {
    ({ key, account } = await aBuyer(mount().service));
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

  test('the library names a subscription as the access source of its products', async () => {
    const owner = await anAccount(mount().service, { subscriptions: [{ product_ids: [NOTES] }] });
    const reply = await get(mount(), '/api/library', (await aKey(mount().service, owner)).value);
    expect(reply.body.items[0].access_source).toBe('subscription');
  });

  test('the library of an account without products is empty', async () => {
    const { value } = await aKey(mount().service, await anAccount(mount().service));
    expect((await get(mount(), '/api/library', value)).body).toEqual({ items: [] });
  });

  test('the library of a bound key has its one product alone', async () => {
    const owner = await anAccount(mount().service, { entitlements: [{ product_id: TOOL }, { product_id: OTHER }] });
    const bound = (await aKey(mount().service, owner, { product_id: OTHER })).value;
    expect(ids(await get(mount(), '/api/library', bound))).toEqual([OTHER]);
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

  test('the library gives the hero image as a path on the API host that can be fetched', async () => {
    const { hero_path, hero_alt } = await itemOf('/api/library', 'ko');
    expect([hero_path, hero_alt]).toEqual([`/api/products/${TOOL}/content-assets/images/hero%20image.svg`, '합']);
    expect((await get(mount(), hero_path, key)).status).toBe(200);
  });

  test('the thumbnail HTML in the library contains no script', async () => {
    const { thumbnail_html } = await itemOf();
    expect(thumbnail_html).toContain('<img src="/x.png"');
    expect(thumbnail_html).not.toMatch(/script|onerror|alert/);
  });

  test('the library shows the MCP server with the account’s id', async () => {
    const { mcp_server } = await itemOf();
    expect(mcp_server).toMatchObject({ id: 9, user_id: account, product_id: TOOL, product_name: 'Tool' });
    expect(mcp_server.tools).toEqual([{ id: 91, mcp_server_id: 9, product_id: TOOL, name: 'sum', enabled: true }]);
  });

  test('the library shows the setup progress of a product', async () => {
    const buyer = await aBuyer(mount().service);
    await put(mount(), `/api/products/${TOOL}/setup-progress`, buyer.key, { completed_step_indexes: [0, 2] });
    const { items } = (await get(mount(), '/api/library', buyer.key)).body;
    expect(items[0].setup_progress).toMatchObject({ completed_step_indexes: [0, 2], progress_percent: 66 });
  });

  test('the library links the current bundle file only where the account can download it', async () => {
    const bundleOf = async (entitlement: object): Promise<unknown> => {
      const buyer = await aBuyer(mount().service, entitlement);
      return (await get(mount(), '/api/library', buyer.key)).body.items[0].bundle;
    };
    const none = { available: false, sha256: null, size: null, download_url: null };
    const bytes = artifactBytes('1.10.0', null);
    expect(await bundleOf({ product_id: SKILL })).toEqual({
      available: true,
      sha256: sha256(bytes),
      size: bytes.length,
      download_url: `${mount().urls.api}/api/products/${SKILL}/bundle`,
    });
    expect(await bundleOf({ product_id: SKILL, updates_supported_until: '2025-12-31T00:00:00.000Z' })).toEqual(none);
    expect(await bundleOf({ product_id: TOOL })).toEqual(none);
    expect(await bundleOf({ product_id: OTHER })).toBeNull();
  });
};
