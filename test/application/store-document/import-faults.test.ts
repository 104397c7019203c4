import { hash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { MAX_DATA_BYTES } from '../../../adapters/store/table-checks.ts';
import { MAX_RECORD_BYTES } from '../../../application/store-document/document-files.ts';
import { objectKeyOf } from '../../../domain/delivery/object-key.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { memoryService } from '../../support/service.ts';
import {
  accountEntry,
  aFolder,
  faultLines,
  importInto,
  productEntry,
  releaseEntry,
} from '../../support/store-folder.ts';

let folder: string;
let service: Service;

beforeEach(async () => {
  folder = await aFolder({ 'tool.zip': 'tool', 'other.zip': 'other', 'assets/hero.svg': '<svg/>', 'empty.zip': '' });
  service = memoryService();
});

const faultsOf = async (parts: object): Promise<string[]> => {
  const outcome = await importInto(service, folder, parts);
  return outcome.ok ? [] : faultLines(outcome);
};

test('an undeliverable address of the former version is accepted from an export and refused in a written document', async () => {
  const accounts = [accountEntry({ id: 1, email: 'a@b' }), accountEntry({ id: 2, email: 'b@münchen.de' })];
  expect(await faultsOf({ accounts })).toEqual(['accounts.0.email: must be an email address that mail can reach']);
  expect(await faultsOf({ accounts, exported_at: '2026-01-01T00:00:00Z' })).toEqual([]);
  expect(await faultsOf({ accounts })).toEqual([]);
  const stored = await Array.fromAsync(service.get('accounts').list());
  expect(stored.map(({ email }) => email)).toEqual(['a@b', 'b@xn--mnchen-3ya.de']);
});

describe('a document with faults', () => {
  const product1 = productEntry({ id: 1 });
  const entitlement = (id: number, product_id: number) => ({ id, product_id, granted_at: '2025-02-01T00:00:00Z' });

  test.each<[string, object, string[]]>([
    [
      'an unknown category',
      { products: [productEntry({ id: 1, category_ids: [9], primary_category_id: 8 })] },
      ['products.0.primary_category_id: there is no category 8', 'products.0.category_ids.0: there is no category 9'],
    ],
    [
      'an unknown tag',
      { products: [productEntry({ id: 1, tag_ids: [9] })] },
      ['products.0.tag_ids.0: there is no tag 9'],
    ],
    [
      'an unknown parent category',
      { categories: [{ id: 1, parent_id: 7, name: { en: 'A' } }] },
      ['categories.0.parent_id: there is no category 7'],
    ],
    [
      'a circle of categories',
      { categories: [1, 2].map((id) => ({ id, parent_id: 3 - id, name: { en: 'A' } })) },
      [
        'categories.0.parent_id: category 1 would be below itself',
        'categories.1.parent_id: category 2 would be below itself',
      ],
    ],
    [
      'duplicate ids',
      { products: [product1, { ...product1, slug: 'b' }], tags: [1, 1].map((id) => ({ id, name: { en: 'T' } })) },
      ['tags.1.id: 1 is already the id of tags.0', 'products.1.id: 1 is already the id of products.0'],
    ],
    [
      'a duplicate slug and a duplicate bundle_id',
      { products: [1, 2].map((id) => productEntry({ id, slug: 'same', bundle_id: 'com.a' })) },
      [
        'products.1.slug: "same" is already the slug of products.0',
        'products.1.bundle_id: "com.a" is already the bundle_id of products.0',
      ],
    ],
    [
      'prices of unknown editions and of two kinds',
      {
        products: [
          productEntry({
            id: 1,
            editions: [{ name: 'pro' }],
            prices: [
              { provider: 'stripe', id: 'p1', edition: 'Pro' },
              { provider: 'stripe', id: 'p2', upgrades_from: ['pro'], renewal: true },
              { provider: 'stripe', id: 'p3', edition: 'pro', requires: [] },
              { provider: 'stripe', id: 'p4', edition: 'pro', upgrades_from: ['pro'] },
            ],
          }),
        ],
      },
      [
        'products.0.prices.0: there is no edition Pro; add it to the product’s editions',
        'products.0.prices.1: a price is either an upgrade (upgrades_from), an add-on (requires, without edition) or a renewal; make one for each',
        'products.0.prices.2: a price is either an upgrade (upgrades_from), an add-on (requires, without edition) or a renewal; make one for each',
      ],
    ],
    [
      'one price with two terms',
      {
        products: [7, 30, 30].map((updates_days, n) =>
          productEntry({ id: n + 1, prices: [{ provider: 'stripe', id: n < 2 ? 'p1' : 'p2', updates_days }] }),
        ),
      },
      [
        'products.0.prices.0: product 2 sells the price p1 of stripe with other terms; give both the same',
        'products.1.prices.0: product 1 sells the price p1 of stripe with other terms; give both the same',
      ],
    ],
    [
      'unknown products of a bundle',
      { products: [product1], bundles: [{ id: 1, product_id: 5, name: { en: 'B' }, product_ids: [1, 6] }] },
      ['bundles.0.product_id: there is no product 5', 'bundles.0.product_ids.1: there is no product 6'],
    ],
    [
      'missing assets',
      {
        products: [
          productEntry({
            id: 1,
            hero: { path: 'x.svg', alt: { en: 'X' } },
            content: { assets_dir: 'assets', gallery: [{ path: 'y.svg' }], usage_path: 'a' },
          }),
        ],
      },
      [
        'products.0.hero.path: "x.svg" is no file of assets_dir "assets"',
        'products.0.content.gallery.0.path: "y.svg" is no file of assets_dir "assets"',
        'products.0.content.usage_path: "a" is no file of assets_dir "assets"',
      ],
    ],
    [
      'a missing folder of assets',
      { products: [productEntry({ id: 1, content: { assets_dir: 'none' } })] },
      ['products.0.content.assets_dir: there is no folder "none" in the document’s folder'],
    ],
    [
      'a release of an unknown product',
      { releases: [releaseEntry({ id: 1 })] },
      ['releases.0.product_id: there is no product 1'],
    ],
    [
      'an invalid version',
      { products: [product1], releases: [releaseEntry({ id: 1, version: '1.x' })] },
      ['releases.0.version: "1.x" is no version of the scheme semver, which product 1 has'],
    ],
    [
      'a duplicate version',
      { products: [product1], releases: [releaseEntry({ id: 1 }), releaseEntry({ id: 2, version: '1' })] },
      ['releases.1.version: releases.0 already has this version'],
    ],
    [
      'two files for one platform',
      {
        products: [product1],
        releases: [releaseEntry({ id: 1, artifacts: [{ file: 'tool.zip' }, { file: 'other.zip' }] })],
      },
      ['releases.0.artifacts.1.platform: artifacts.0 is the file for every platform already'],
    ],
    [
      'a missing file and a wrong checksum',
      {
        products: [product1],
        releases: [
          releaseEntry({
            id: 1,
            artifacts: [{ file: 'no.zip' }, { platform: 'linux-amd64', file: 'tool.zip', sha256: '0'.repeat(64) }],
          }),
        ],
      },
      [
        'releases.0.artifacts.0.file: there is no file "no.zip" in the document’s folder',
        'releases.0.artifacts.1.sha256: the sha256 of "tool.zip" is 7c9bbe5ec9b3fb774e8fa0f54247e93c34ddf8e5d16fe3073420de0ae81a262d',
      ],
    ],
    [
      'an invalid file name',
      { products: [product1], releases: [releaseEntry({ id: 1, artifacts: [{ file: 'tool.zip', filename: 'a/b' }] })] },
      ['releases.0.artifacts.0.filename: must be a file name without slashes and control characters'],
    ],
    [
      'a duplicate email address',
      { accounts: [accountEntry({ id: 1, email: 'a@example.com' }), accountEntry({ id: 2, email: 'A@example.com' })] },
      ['accounts.1.email: "A@example.com" is already the email of accounts.0'],
    ],
    [
      'a mailbox twice, in two spellings',
      {
        accounts: [
          accountEntry({ id: 1, email: 'a@münchen.de' }),
          accountEntry({ id: 2, email: 'a@XN--MNCHEN-3YA.de' }),
        ],
      },
      ['accounts.1.email: "a@XN--MNCHEN-3YA.de" is already the email of accounts.0'],
    ],
    [
      'a mailbox twice, in an export of the version before',
      {
        exported_at: '2026-11-26T00:00:00Z',
        accounts: [accountEntry({ id: 1, email: 'ｗ@example.com' }), accountEntry({ id: 2, email: 'w@example.com' })],
      },
      [
        'accounts.1.email: "w@example.com" is already the email of accounts.0; merge the two with "account merge" in the store of the export',
      ],
    ],
    [
      'a duplicate account',
      { accounts: [accountEntry({ id: 1 }), accountEntry({ id: 1, email: 'b@example.com' })] },
      ['accounts.1.id: 1 is already the id of accounts.0'],
    ],
    [
      'grants of an unknown product',
      {
        products: [product1],
        accounts: [
          accountEntry({
            id: 1,
            entitlements: [entitlement(1, 5), entitlement(1, 1)],
            subscriptions: [{ id: 1, product_ids: [6], status: 'active', starts_at: '2025-02-01T00:00:00Z' }],
          }),
        ],
      },
      [
        'accounts.0.entitlements.1.id: 1 is already the id of accounts.0.entitlements.0',
        'accounts.0.entitlements.0.product_id: there is no product 5',
        'accounts.0.subscriptions.0.product_ids.0: there is no product 6',
      ],
    ],
    [
      'a policy on an unknown product',
      {
        policy: {
          min_client_version: '1',
          ttl_days: 1,
          recheck_hours: 1,
          revoked: [{ product_id: 3, device_id: 'd' }],
        },
      },
      ['policy.revoked.0.product_id: there is no product 3'],
    ],
    [
      'more text than a record holds',
      {
        products: [
          productEntry({ id: 1, setup_steps: Array.from({ length: 30 }, () => ({ en: 'x'.repeat(19_000) })) }),
        ],
      },
      [`products.0: is larger than the ${MAX_RECORD_BYTES} bytes that a store holds in one piece; shorten its texts`],
    ],
  ])('an import with %s is refused with each fault by its path', async (_, parts, expected) => {
    expect(await faultsOf(parts)).toEqual(expected);
  });

  test('the largest record of an import is the largest that every engine can hold', () => {
    expect(MAX_RECORD_BYTES).toBe(MAX_DATA_BYTES);
  });

  test('an import with one fault changes nothing in the store', async () => {
    const parts = {
      categories: [{ id: 1, name: { en: 'All' } }],
      products: [product1, productEntry({ id: 2, tag_ids: [1] })],
      releases: [releaseEntry({ id: 1 })],
      accounts: [accountEntry({ id: 1 })],
    };
    expect(await faultsOf(parts)).toEqual(['products.1.tag_ids.0: there is no tag 1']);
    const { products, categories } = await service.get('catalogs').current();
    expect([products.size, categories.size]).toEqual([0, 0]);
    expect(await Array.fromAsync(service.get('accounts').list())).toEqual([]);
    expect((await service.get('releaseEditor').read(1, '1.0.0')).release).toBeUndefined();
    expect(await service.get('objects').stat(objectKeyOf(hash('sha256', 'tool')))).toBeUndefined();
  });
});
