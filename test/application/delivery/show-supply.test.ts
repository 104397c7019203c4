import { expect, test } from 'vitest';
import { addDays } from '../../../domain/shared/instant.ts';
import { delivery } from '../../../runtimes/composition/areas/delivery.ts';
import { aBundle, anApp, anArtifact, aProduct, aRelease, NOW } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';

const supply = async (all: Contents) => {
  const service = await aStore([delivery], all);
  const { channels } = await service.get('showSupply')({ locale: 'en' });
  return Object.fromEntries(channels.map((one) => [one.channel, one]));
};

const complete = aRelease({ notes_en: 'New.', notes_ko: '새로움.', artifacts: [anArtifact({ signature: 'signed' })] });

test('a shop with a complete release of every product is ready on every channel', async () => {
  const channels = await supply({ products: [anApp()], releases: [complete] });
  expect(Object.values(channels).map(({ channel, ready }) => [channel, ready])).toEqual([
    ['stable', true],
    ['beta', true],
    ['alpha', true],
    ['dev', true],
  ]);
  const release = { id: 1, version: '1.0.0', channel: 'stable', file_count: 1 };
  expect(channels['stable']?.catalog).toMatchObject({
    product_count: 1,
    released_count: 1,
    products: [{ id: 1, release }],
  });
});

test('each channel shows the newest offered release and the date of its latest one', async () => {
  const channels = await supply({
    products: [anApp({ version_scheme: 'semver' })],
    releases: [
      aRelease({ id: 1, version: '1.0.0', released_at: '2026-01-01T00:00:00.000Z' }),
      aRelease({ id: 2, version: '2.0.0-beta.1', channel: 'beta', released_at: '2026-02-01T00:00:00.000Z' }),
    ],
  });
  expect(channels).toMatchObject({
    stable: { catalog: { latest_released_at: '2026-01-01T00:00:00.000Z', products: [{ release: { id: 1 } }] } },
    beta: { catalog: { latest_released_at: '2026-02-01T00:00:00.000Z', products: [{ release: { id: 2 } }] } },
    dev: { catalog: { products: [{ release: { id: 2 } }] } },
  });
});

test('each platform lists the products with a file for it, also one for every platform, and Linux no macOS application', async () => {
  const { stable } = await supply({
    products: [
      anApp({ id: 1, platforms: ['macos'] }),
      aProduct({ id: 2, delivery: { ...aProduct().delivery, strategy: 'binary' } }),
      anApp({ id: 3 }),
    ],
    releases: [
      aRelease({ id: 1, product_id: 1, artifacts: [anArtifact({ platform: 'darwin-arm64' })] }),
      aRelease({ id: 2, product_id: 2 }),
      aRelease({ id: 3, product_id: 3 }),
    ],
  });
  const offered = stable?.platforms.map(({ platform, products }) => [platform, products.map(({ id }) => id)]);
  expect(offered).toEqual([
    ['darwin-arm64', [1, 2, 3]],
    ['darwin-amd64', [2, 3]],
    ['linux-arm64', [2]],
    ['linux-amd64', [2]],
    ['any', [2, 3]],
  ]);
});

test('the checklist names the products that lack a release, a platform, a signature or notes', async () => {
  const { stable } = await supply({
    products: [anApp({ id: 1, slug: 'clock', platforms: ['macos'] }), anApp({ id: 2, slug: 'new' })],
    releases: [aRelease({ notes_en: 'New.', artifacts: [anArtifact({ platform: 'darwin-arm64' })] })],
  });
  expect(stable?.ready).toBe(false);
  expect(stable?.checklist.map(({ key, ok, passed, total, missing }) => ({ key, ok, passed, total, missing }))).toEqual(
    [
      { key: 'released', ok: false, passed: 1, total: 2, missing: ['new'] },
      { key: 'platforms', ok: false, passed: 1, total: 2, missing: ['clock'] },
      { key: 'checksums', ok: true, passed: 1, total: 1, missing: [] },
      { key: 'signatures', ok: false, passed: 0, total: 1, missing: ['clock'] },
      { key: 'notes', ok: false, passed: 0, total: 1, missing: ['clock'] },
    ],
  );
});

test('products that are hidden, no longer sold or without a file to deliver do not count', async () => {
  const { stable } = await supply({
    products: [
      anApp({ id: 1, published: false }),
      anApp({ id: 2, active: false }),
      aProduct({ id: 3 }),
      anApp({ id: 100, type: 'bundle' }),
    ],
    bundles: [aBundle({ product_id: 100, product_ids: [3] })],
    releases: [aRelease({ id: 1, product_id: 1 }), aRelease({ id: 2, product_id: 2 })],
  });
  expect(stable?.catalog).toMatchObject({ product_count: 0, products: [] });
  expect(stable?.platforms.every(({ product_count }) => product_count === 0)).toBe(true);
});

test('a product that is delivered by hand counts once it has a release', async () => {
  const { stable } = await supply({ products: [aProduct()], releases: [complete] });
  expect(stable?.catalog.product_count).toBe(1);
});

test('a product without a name in any language is shown with an empty one, and each check has a label', async () => {
  const { stable } = await supply({ products: [anApp({ name: { en: '' } })], releases: [complete] });
  expect(stable?.catalog.products).toMatchObject([{ id: 1, name: '' }]);
  expect(stable?.checklist.every(({ label }) => label !== '')).toBe(true);
});

test('the supply changes at each scheduled release in turn', async () => {
  const scheduled = (id: number, version: string, day: number) =>
    aRelease({ id, version, released_at: addDays(NOW, day) });
  const service = await aStore([delivery], {
    products: [anApp({ version_scheme: 'semver' })],
    releases: [aRelease(), scheduled(3, '3.0.0', 3), scheduled(2, '2.0.0', 2)],
  });
  const seen = [];
  for (const day of [0, 1, 2, 3]) {
    service.clock.at = addDays(NOW, day);
    const { channels } = await service.get('showSupply')({ locale: 'en' });
    seen.push(channels[0]?.catalog.products[0]?.release?.version);
  }
  expect(seen).toEqual(['1.0.0', '1.0.0', '2.0.0', '3.0.0']);
});
