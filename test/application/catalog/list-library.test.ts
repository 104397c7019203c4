import { expect, test } from 'vitest';
import { addDays } from '../../../domain/shared/instant.ts';
import { catalog } from '../../../runtimes/composition/areas/catalog.ts';
import { aBundle, anArtifact, anEntitlement, aProduct, aRelease, aSubscription, NOW } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';
import { passed } from '../../support/permits.ts';

const BUYER = 1;

const open = async (all: Contents) => {
  const service = await aStore([catalog], all);
  const library = async (product_id: number | null = null) => {
    const asked = { account_id: BUYER, scope: { product_id }, locale: 'en' as const };
    return (await service.get('listLibrary')(asked)).items;
  };
  return { service, library };
};

test('the library has purchased products, those of bundles and those of subscriptions, by product', async () => {
  const { library } = await open({
    products: [1, 2, 3, 4, 100].map((id) => aProduct({ id })),
    bundles: [aBundle({ product_id: 100, product_ids: [2] })],
    entitlements: [anEntitlement({ id: 1, product_id: 1 }), anEntitlement({ id: 2, product_id: 100 })],
    subscriptions: [aSubscription({ product_ids: [3] })],
  });
  const shown = (await library()).map(({ product, access_source }) => `${product.id} ${access_source}`);
  expect(shown).toEqual(['1 direct', '2 bundle', '3 subscription', '100 direct']);
});

test('the library keeps a purchased product that is no longer sold or published', async () => {
  const { library } = await open({
    products: [aProduct({ active: false, published: false })],
    entitlements: [anEntitlement()],
  });
  expect(await library()).toMatchObject([{ product: { id: 1 } }]);
});

test('the library omits access that has ended, was revoked, begins later or belongs to another account', async () => {
  const { library } = await open({
    products: [1, 2, 3, 4].map((id) => aProduct({ id })),
    entitlements: [
      anEntitlement({ id: 1, product_id: 1, access_expires_at: NOW }),
      anEntitlement({ id: 2, product_id: 2, revoked_at: addDays(NOW, -1) }),
      anEntitlement({ id: 3, product_id: 3, granted_at: addDays(NOW, 1) }),
      anEntitlement({ id: 4, product_id: 4, account_id: 2 }),
    ],
  });
  expect(await library()).toEqual([]);
});

test('a key bound to one product sees only that product in the library', async () => {
  const { library } = await open({
    products: [aProduct({ id: 1 }), aProduct({ id: 2 })],
    entitlements: [anEntitlement({ id: 1, product_id: 1 }), anEntitlement({ id: 2, product_id: 2 })],
  });
  expect((await library(2)).map(({ product }) => product.id)).toEqual([2]);
  expect(await library(3)).toEqual([]);
});

test('the library shows how far the buyer has set a product up', async () => {
  const product = aProduct({ setup_steps: [{ en: 'Download' }, { en: 'Run' }] });
  const { service, library } = await open({ products: [product], entitlements: [anEntitlement()] });
  expect(await library()).toMatchObject([{ setup_progress: { completed_count: 0, total_count: 2 } }]);
  await passed(
    service.get('saveSetupProgress')({ account_id: BUYER, product, completed_step_indexes: [0], locale: 'en' }),
  );
  expect(await library()).toMatchObject([
    { setup_progress: { completed_count: 1, progress_percent: 50, steps: ['Download', 'Run'] } },
  ]);
});

test('the library offers the current bundle file of a product that has one', async () => {
  const { library } = await open({
    products: [aProduct({ id: 1 }), aProduct({ id: 2 }), aProduct({ id: 3 })],
    entitlements: [1, 2, 3].map((id) => anEntitlement({ id, product_id: id })),
    releases: [
      aRelease({ id: 11, product_id: 1 }),
      aRelease({
        id: 12,
        product_id: 2,
        artifacts: (['linux-amd64', 'darwin-arm64'] as const).map((platform) => anArtifact({ platform })),
      }),
    ],
  });
  const bundles = (await library()).map(({ bundle }) => bundle);
  const download_url = 'https://api.example.com/api/products/1/bundle';
  expect(bundles).toMatchObject([{ available: true, size: 1024, download_url }, { available: false }, null]);
});

test('the library offers no bundle file that came out after the end of the update window', async () => {
  const { library } = await open({
    products: [aProduct()],
    entitlements: [anEntitlement({ updates_supported_until: addDays(NOW, -2) })],
    releases: [aRelease({ released_at: addDays(NOW, -1) })],
  });
  expect(await library()).toMatchObject([{ bundle: { available: false, sha256: null, download_url: null } }]);
});

test('the tools of a product’s MCP server name the account that may use them', async () => {
  const mcp_server = { id: 9, name: 'clock', enabled: true, tools: [{ id: 91, name: 'tick', enabled: true }] };
  const { library } = await open({ products: [aProduct({ mcp_server })], entitlements: [anEntitlement()] });
  const tools = [{ id: 91, mcp_server_id: 9, product_id: 1 }];
  expect(await library()).toMatchObject([{ mcp_server: { id: 9, user_id: BUYER, product_name: 'Product 1', tools } }]);
});
