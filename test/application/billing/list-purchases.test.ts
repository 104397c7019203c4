import { describe, expect, test } from 'vitest';
import { listPurchases } from '../../../application/billing/list-purchases.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { keys } from '../../../runtimes/composition/areas/access.ts';
import { signIn } from '../../../runtimes/composition/areas/sign-in.ts';
import {
  aBundle,
  aDevice,
  anArtifact,
  anEntitlement,
  aProduct,
  aRelease,
  aSubscription,
  NOW,
} from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';

const PAST = addDays(NOW, -1);

const FILE = { release_id: 1, version: '1.0.0', channel: 'stable', notes: '새로움.' };

const purchasesIn = async (contents: Contents, locale: 'en' | 'ko' = 'en') => {
  const store = await aStore([keys, signIn, { parts: { listPurchases } }], contents);
  return { store, list: () => store.get('listPurchases')({ account_id: 1, locale }) };
};

describe('the purchases of an account', () => {
  test('a purchase has its names in the requested language, its license, its newest release and its devices', async () => {
    const { store, list } = await purchasesIn(
      {
        products: [aProduct({ id: 1, name: { en: 'Notes', ko: '노트' }, device_limit: 2 })],
        entitlements: [
          anEntitlement({ access_expires_at: addDays(NOW, 30), updates_supported_until: addDays(NOW, -2) }),
        ],
        releases: [
          aRelease({
            artifacts: [
              anArtifact({ platform: 'linux-amd64', filename: 'linux', size: 12 }),
              anArtifact({ filename: 'all', size: 34, sha256: '2'.repeat(64) }),
            ],
            notes_ko: '새로움.',
          }),
          aRelease({ id: 2, version: '2.0.0', released_at: addDays(NOW, -1) }),
        ],
      },
      'ko',
    );
    const { slots } = await store.get('devices').find(1, 1, null);
    await store.get('devices').activate(grantPermit(), 1, 1, aDevice(), slots);
    expect(await list()).toEqual([
      {
        id: 1,
        name: '노트',
        type_label: '앱',
        description: null,
        license: {
          state: 'active',
          source: 'direct',
          access_expires_at: addDays(NOW, 30),
          updates_supported_until: addDays(NOW, -2),
          edition: null,
          features: [],
        },
        devices: { used: 1, limit: 2 },
        license_keys: null,
        shows_license_keys: false,
        has_seats: false,
        release: {
          version: '1.0.0',
          channel: 'stable',
          released_at: '2025-11-21T08:00:00.000Z',
        },
        files: [
          { ...FILE, platform: null, filename: 'all', size: 34, sha256: '2'.repeat(64) },
          { ...FILE, platform: 'linux-amd64', filename: 'linux', size: 12, sha256: anArtifact().sha256 },
        ],
        older: [],
        bundled: [],
        has_picture: false,
        agent_tools: [],
        setup: null,
        installed: null,
        uncovered_version: '2.0.0',
      },
    ]);
  });

  test('ended and withdrawn licenses come last, and products that were never owned are not listed', async () => {
    const { list } = await purchasesIn({
      products: [1, 2, 3, 4].map((id) => aProduct({ id })),
      entitlements: [
        anEntitlement({ id: 1, product_id: 1, access_expires_at: PAST }),
        anEntitlement({ id: 2, product_id: 2, revoked_at: PAST }),
        anEntitlement({ id: 3, product_id: 3, account_id: 2 }),
      ],
      subscriptions: [aSubscription({ product_ids: [4] })],
    });
    const states = (await list()).map(({ id, license, devices, release }) => [id, license.state, devices, release]);
    expect(states).toEqual([
      [4, 'active', { used: 0, limit: null }, null],
      [1, 'ended', null, null],
      [2, 'revoked', null, null],
    ]);
  });

  test.each([
    ['is in force', null, { license_keys: [], has_seats: true, agent_tools: ['search'], setup: { completed: false } }],
    ['has ended', PAST, { license_keys: null, has_seats: false, agent_tools: [], setup: null }],
  ])('a license that %s determines the keys, tools and setup of its purchase', async (_, access_expires_at, shown) => {
    const tools = [true, false].map((enabled, id) => ({ id, name: enabled ? 'search' : 'draft', enabled }));
    const product = aProduct({
      license_keys: true,
      slots: 'persons',
      setup_steps: [{ en: 'Download' }],
      mcp_server: { id: 1, name: 'Clock', enabled: true, tools },
    });
    const { list } = await purchasesIn({ products: [product], entitlements: [anEntitlement({ access_expires_at })] });
    expect(await list()).toMatchObject([shown]);
  });

  test('a bundle is a purchase beside its products, and has no devices of its own', async () => {
    const { list } = await purchasesIn({
      products: [aProduct({ id: 1 }), aProduct({ id: 100 })],
      bundles: [aBundle()],
      entitlements: [anEntitlement({ product_id: 100 })],
    });
    const sources = (await list()).map(({ id, license, devices, bundled }) => [
      id,
      license.state === 'active' && license.source,
      devices,
      bundled.map((one) => one.id),
    ]);
    expect(sources).toEqual([
      [1, 'bundle', { used: 0, limit: null }, []],
      [100, 'direct', null, [1]],
    ]);
  });

  test('a license that ends while the page is open is listed as ended in the next list', async () => {
    const { store, list } = await purchasesIn({
      products: [aProduct()],
      entitlements: [anEntitlement({ access_expires_at: addDays(NOW, 1) })],
    });
    expect((await list())[0]?.license.state).toBe('active');
    store.clock.at = addDays(NOW, 1);
    expect((await list())[0]?.license.state).toBe('ended');
  });
});
