import { describe, expect, test } from 'vitest';
import { addDays } from '../../../domain/shared/instant.ts';
import { anAccount } from '../../support/account-builders.ts';
import {
  aBundle,
  anApp,
  anArtifact,
  anEntitlement,
  anOrder,
  anOrderItem,
  aProduct,
  aRelease,
  aSubscription,
  NOW,
} from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';
import { done } from '../../support/outcomes.ts';
import { shopRecords } from '../../support/shop-records.ts';

const binary = aProduct().delivery;
const tool = aProduct({ id: 1, slug: 'tool', delivery: { ...binary, strategy: 'binary' } });

const shop = (contents: Contents) => aStore([shopRecords], contents);

/** The gaps without those of a new shop, which has no name, no terms and no signing key. */
const gapsOf = async (contents: Contents, named = 'tool') =>
  done(await (await shop(contents)).get('describeProduct')({ product: named })).gaps.flatMap(({ needed, ...gap }) =>
    needed || gap.gap === 'no_content' ? [gap] : [],
  );

const CONTENT = {
  product_id: 1,
  detail_html: { en: '<p>Text</p>' },
  gallery: [],
  videos: [],
  usage_path: null,
  architecture_path: null,
  ai_prompt_path: null,
  assets: [],
};

describe('the list of products', () => {
  test('hidden products are listed too, each with the newest offered version of each channel', async () => {
    const store = await shop({
      products: [tool, aProduct({ id: 2, published: false })],
      releases: [
        aRelease({ id: 1 }),
        aRelease({ id: 2, version: '1.1.0', withdrawn: { at: NOW, reason: 'Broken' } }),
        aRelease({ id: 3, version: '2.0.0', channel: 'beta' }),
        aRelease({ id: 4, version: '3.0.0', released_at: addDays(NOW, 1) }),
      ],
    });
    expect(await store.get('listShopProducts')({ sold: false })).toEqual([
      expect.objectContaining({
        product: tool,
        newest: { stable: '1.0.0', beta: '2.0.0', alpha: null, dev: null },
        sales: null,
      }),
      expect.objectContaining({ newest: { stable: null, beta: null, alpha: null, dev: null } }),
    ]);
  });

  test('paid units without a refund count as sold, and accounts that may use the product now as owners', async () => {
    const twice = [anOrderItem({ id: 1, quantity: 2 }), anOrderItem({ id: 2, quantity: 3 })];
    const refunds = [{ refunded_at: NOW, item_ids: [2], keeps_access: false, reason: null }];
    const store = await shop({
      products: [tool, aProduct({ id: 100 })],
      bundles: [aBundle()],
      accounts: [1, 2, 3].map((id) => anAccount({ id, email: `${id}@example.com` })),
      orders: [
        anOrder({ id: 1, items: twice, refunds }),
        anOrder({ id: 2, account_id: 2, items: [anOrderItem({ product_id: 100 })] }),
        anOrder({ id: 3, account_id: 3, status: 'refunded' }),
      ],
      entitlements: [
        anEntitlement({ id: 1 }),
        anEntitlement({ id: 2, account_id: 2, product_id: 100 }),
        anEntitlement({ id: 3, account_id: 3, revoked_at: NOW }),
      ],
      subscriptions: [aSubscription({ account_id: 1 })],
    });
    const seen: number[] = [];
    const progress = (_stage: string, read: number, total: number) => seen.push(read, total);
    const listed = await store.get('listShopProducts')({ sold: true }, progress);
    expect(listed.map(({ product, sales }) => [product.id, sales])).toEqual([
      [1, { sold: 2, owners: 2 }],
      [100, { sold: 1, owners: 1 }],
    ]);
    expect(seen).toEqual([3, 3]);
  });
});

describe('the missing parts of a product', () => {
  test('a product with a release, content and every platform lacks nothing', async () => {
    expect(await gapsOf({ products: [tool], releases: [aRelease()], productContents: [CONTENT] })).toEqual([]);
  });

  test('a file product without an offered release lacks one', async () => {
    const withdrawn = aRelease({ withdrawn: { at: NOW, reason: 'Broken' } });
    for (const releases of [[], [withdrawn]]) {
      expect(await gapsOf({ products: [tool], releases, productContents: [CONTENT] })).toEqual([{ gap: 'no_release' }]);
    }
  });

  test('platforms without a release are named', async () => {
    const product = { ...tool, platforms: ['macos'] };
    const releases = [aRelease({ artifacts: [anArtifact({ platform: 'darwin-arm64' })] })];
    expect(await gapsOf({ products: [product], releases, productContents: [CONTENT] })).toEqual([
      { gap: 'platforms', platforms: ['darwin-amd64'] },
    ]);
  });

  test('an application whose releases have no build number lacks an entry in its appcast', async () => {
    const product = anApp({ id: 1, slug: 'tool' });
    const gaps = await gapsOf({ products: [product], releases: [aRelease()], productContents: [CONTENT] });
    expect(gaps).toEqual([{ gap: 'not_in_feed' }]);
  });

  test('a bundle needs no release but products, and a hidden product off sale lists both faults', async () => {
    const bundle = { ...tool, id: 100, published: false, active: false };
    const contents = { products: [tool, bundle], bundles: [aBundle({ product_ids: [] })] };
    expect(await gapsOf(contents, '100')).toEqual([
      { gap: 'empty_bundle' },
      { gap: 'hidden' },
      { gap: 'off_sale' },
      { gap: 'no_content' },
    ]);
  });

  test('a product lists the bundles that contain it, and a bundle its products', async () => {
    const store = await shop({ products: [tool, aProduct({ id: 100 })], bundles: [aBundle()] });
    const describe = async (named: string) => done(await store.get('describeProduct')({ product: named }));
    expect(await describe('tool')).toMatchObject({ in_bundles: [{ id: 1 }], brings: null, has_content: false });
    expect(await describe('100')).toMatchObject({ in_bundles: [], brings: [1] });
  });
});

test('a product that nobody bought is listed as sold to nobody', async () => {
  const store = await shop({ products: [tool], accounts: [anAccount()] });
  expect(await store.get('listShopProducts')({ sold: true })).toMatchObject([{ sales: { sold: 0, owners: 0 } }]);
});

test('an unknown product is not described', async () => {
  const store = await shop({ products: [tool] });
  expect(await store.get('describeProduct')({ product: '9' })).toMatchObject({ code: 'product_not_found' });
});
