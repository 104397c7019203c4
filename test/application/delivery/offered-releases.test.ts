import { describe, expect, test } from 'vitest';
import { listPurchases } from '../../../application/billing/list-purchases.ts';
import type { Release } from '../../../domain/delivery/release.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { keys } from '../../../runtimes/composition/areas/access.ts';
import { catalog } from '../../../runtimes/composition/areas/catalog.ts';
import { delivery } from '../../../runtimes/composition/areas/delivery.ts';
import { licensing } from '../../../runtimes/composition/areas/licensing.ts';
import { signIn } from '../../../runtimes/composition/areas/sign-in.ts';
import { anArtifact, anEntitlement, aProduct, aRelease, NOW } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';
import { PERMIT, passed } from '../../support/permits.ts';
import { anAccess } from '../../support/public-builders.ts';

const product = aProduct();
const one = aRelease({ id: 1, version: '1.0.0', artifacts: [anArtifact({ sha256: '1'.repeat(64) })] });
const two = aRelease({ id: 2, version: '2.0.0', artifacts: [anArtifact({ sha256: '2'.repeat(64) })] });
const access = anAccess();
const locale = 'en';
const input = { channel: 'stable', platform: null, release: null } as const;

const shop = (newest: Release) =>
  aStore([delivery, catalog, licensing, keys, signIn, { parts: { listPurchases } }], {
    products: [product],
    releases: [one, newest],
    entitlements: [anEntitlement()],
  });

/** The newest version that each use case offers. */
const offered = async (store: Awaited<ReturnType<typeof shop>>) => {
  const plan = await passed(store.get('planInstall')({ product, query: input, locale }), PERMIT, access);
  const bundle = await passed(store.get('openBundle')({ account_id: 1, product, platform: null }), PERMIT, access);
  const update = await passed(
    store.get('checkUpdate')({
      product,
      version: null,
      channel: 'stable',
      platform: null,
      locale,
    }),
    PERMIT,
    access,
  );
  const { releases } = await store.get('listReleases')({ product, channel: 'stable', locale });
  const { channels } = await store.get('showSupply')({ locale });
  const { items } = await store.get('listLibrary')({ account_id: 1, scope: { product_id: null }, locale });
  const [purchase] = await store.get('listPurchases')({ account_id: 1, locale });
  const sums = { ['1'.repeat(64)]: '1.0.0', ['2'.repeat(64)]: '2.0.0' };
  return {
    plan: plan.ok && plan.value.data.version,
    bundle: bundle.ok && sums[bundle.value.sha256],
    update: update.ok && update.value.update.current_version,
    list: releases[0]?.version,
    supply: channels[0]?.catalog.products[0]?.release?.version,
    library: sums[items[0]?.bundle?.sha256 ?? ''],
    purchase: purchase?.release?.version,
  };
};

const everywhere = (version: string) => ({
  plan: version,
  bundle: version,
  update: version,
  list: version,
  supply: version,
  library: version,
  purchase: version,
});

describe('the releases that are offered', () => {
  test('no use case offers a withdrawn release', async () => {
    const withdrawn = { at: NOW, reason: 'It deletes files.' };
    expect(await offered(await shop({ ...two, withdrawn }))).toEqual(everywhere('1.0.0'));
  });

  test('every use case offers a scheduled release from its date on, and none before', async () => {
    const store = await shop({ ...two, released_at: addDays(NOW, 1) });
    expect(await offered(store)).toEqual(everywhere('1.0.0'));
    store.clock.at = addDays(NOW, 1);
    expect(await offered(store)).toEqual(everywhere('2.0.0'));
  });

  test('a plan that names a withdrawn release is refused with the reason', async () => {
    const store = await shop({ ...two, withdrawn: { at: NOW, reason: 'It deletes files.' } });
    const late = anAccess({ updates_supported_until: addDays(NOW, -1000) });
    for (const asking of [access, late]) {
      const plan = passed(
        store.get('planInstall')({ product, query: { ...input, release: 2 }, locale }),
        PERMIT,
        asking,
      );
      expect(await plan).toMatchObject({
        code: 'install_not_available',
        message: 'Version 2.0.0 was withdrawn: It deletes files.',
      });
    }
  });

  test('a plan that names a scheduled release answers as if the release did not exist', async () => {
    const store = await shop({ ...two, released_at: addDays(NOW, 1) });
    const ask = (release: number) =>
      passed(store.get('planInstall')({ product, query: { ...input, release }, locale }), PERMIT, access);
    const none = { code: 'install_not_available', message: 'This product has no release 9.' };
    expect(await ask(9)).toMatchObject(none);
    expect(await ask(2)).toMatchObject({ ...none, message: 'This product has no release 2.' });
  });

  test('a product whose only release was withdrawn has nothing to install and stays in the supply', async () => {
    const releases = [{ ...one, withdrawn: { at: NOW, reason: 'It deletes files.' } }];
    const store = await aStore([delivery], { products: [product], releases });
    expect(await passed(store.get('planInstall')({ product, query: input, locale }), PERMIT, access)).toMatchObject({
      code: 'install_not_available',
      message: 'This product has nothing to install.',
    });
  });
});
