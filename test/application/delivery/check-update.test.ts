import { expect, test } from 'vitest';
import type { Product } from '../../../domain/catalog/product.ts';
import type { Release } from '../../../domain/delivery/release.ts';
import { addDays, type Instant } from '../../../domain/shared/instant.ts';
import { delivery } from '../../../runtimes/composition/areas/delivery.ts';
import { anApp, anArtifact, aProduct, aRelease, NOW } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';
import { anAccess } from '../../support/public-builders.ts';

type Asked = { readonly version?: string | null; readonly updates_until?: Instant; readonly product?: Product };

const check = async (
  releases: readonly Release[],
  { version = null, updates_until, product = aProduct() }: Asked = {},
) => {
  const service = await aStore([delivery], { releases });
  const access = anAccess({ updates_supported_until: updates_until ?? null });
  return service.get('checkUpdate').execute({ product, access, version, locale: 'en' });
};

test('a client with an old version is told of the current release and where to get it', async () => {
  const release = aRelease({ version: '1.10.0', notes_en: 'Faster.', source_ref: 'v1.10.0' });
  expect(await check([release], { version: '1.9.0' })).toEqual({
    ok: true,
    value: {
      update: {
        product_id: 1,
        current_version: '1.10.0',
        released_at: release.released_at,
        changelog: 'Faster.',
        source_ref: 'v1.10.0',
        artifact_sha256: '0'.repeat(64),
        artifact_size: 1024,
        update_available: true,
        download_allowed: true,
        download_url: 'https://api.example.com/api/products/1/bundle',
      },
    },
  });
});

test.each<[string | null, boolean]>([
  ['1.0.0', false],
  ['v1.0', false],
  ['2.0.0', false],
  ['1.0.0-beta.1', true],
  [null, true],
])('a client of version %j is told that an update to 1.0.0 is there: %j', async (version, update_available) => {
  expect(await check([aRelease({ version: '1.0.0' })], { version })).toMatchObject({
    value: { update: { update_available } },
  });
});

test('an update is a stable release, even where another channel has a newer one', async () => {
  const releases = [aRelease({ version: '1.0.0' }), aRelease({ id: 2, version: '2.0.0-beta.1', channel: 'beta' })];
  expect(await check(releases)).toMatchObject({ value: { update: { current_version: '1.0.0' } } });
});

test('a buyer past the update window hears of the current release and that it may not be downloaded', async () => {
  const releases = [aRelease({ released_at: NOW })];
  const update = { update_available: true, download_allowed: false };
  expect(await check(releases, { updates_until: addDays(NOW, -1) })).toMatchObject({ value: { update } });
  expect(await check(releases, { updates_until: NOW })).toMatchObject({
    value: { update: { download_allowed: true } },
  });
});

test('an update with a file for each platform has no sum and no size of its own', async () => {
  const artifacts = (['linux-amd64', 'darwin-arm64'] as const).map((platform) => anArtifact({ platform }));
  expect(await check([aRelease({ artifacts })])).toMatchObject({
    value: { update: { artifact_sha256: null, artifact_size: null } },
  });
});

test.each([
  ['latest', aProduct(), 'semver'],
  ['1.x', aProduct(), 'semver'],
  ['', anApp(), 'sparkle'],
])('the client version "%s" is refused, because it is none of the product’s scheme', async (version, product, scheme) => {
  expect(await check([aRelease()], { version, product })).toMatchObject({
    ok: false,
    code: 'validation_failed',
    data: { errors: { version: [expect.stringContaining(`this product uses the scheme ${scheme}`)] } },
  });
});

test.each([
  ['without a release', []],
  ['whose releases are all unstable', [aRelease({ channel: 'beta' })]],
])('a product %s has no update', async (_, releases) => {
  expect(await check(releases, { version: '1.0.0' })).toMatchObject({ ok: false, code: 'install_not_available' });
});
