import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PLATFORMS, type Platform } from '../../../domain/catalog/platform.ts';
import type { Product, VersionScheme } from '../../../domain/catalog/product.ts';
import { CHANNELS, type Channel } from '../../../domain/delivery/channel.ts';
import type { Release } from '../../../domain/delivery/release.ts';
import { addDays, type Instant, MINUTE_MS, millis, toInstant } from '../../../domain/shared/instant.ts';
import { planInstall } from '../../../ports/inbound/api/delivery.ts';
import { delivery } from '../../../runtimes/composition/areas/delivery.ts';
import { anArtifact, aProduct, aRelease, NOW } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';
import { PERMIT, passed } from '../../support/permits.ts';
import { anAccess } from '../../support/public-builders.ts';

type Asked = {
  readonly version?: string | null;
  readonly updates_until?: Instant;
  readonly product?: Product;
  readonly channel?: Channel;
  readonly platform?: Platform | null;
};

const check = async (
  releases: readonly Release[],
  { version = null, updates_until, product = aProduct(), channel = 'stable', platform = null }: Asked = {},
) => {
  const service = await aStore([delivery], { releases });
  const access = anAccess({ updates_supported_until: updates_until ?? null });
  return passed(service.get('checkUpdate')({ product, version, channel, platform, locale: 'en' }), PERMIT, access);
};

test('a client with an old version learns of the current release and its URL', async () => {
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
        download_url: expect.stringContaining(`/${'0'.repeat(64)}/`),
        download_expires_at: toInstant(millis(NOW) + 15 * MINUTE_MS),
        plan_url: 'https://api.example.com/api/products/1/install?release=1',
        covered: null,
      },
    },
  });
});

test.each<[string, VersionScheme, boolean]>([
  ['v1.2', 'semver', true],
  ['1.2.3-beta.1+5', 'semver', true],
  ['1.2.3-beta.1 5', 'semver', true],
  [' 1.2.3\n', 'semver', true],
  ['1.2.3.4', 'sparkle', true],
  ['1.2 (34)', 'sparkle', true],
  ['1.2.3.4', 'semver', false],
  ['latest', 'semver', false],
  ['1.x', 'semver', false],
  ['abc', 'sparkle', false],
])('the version %j of the scheme %s is accepted: %j', async (version, version_scheme, taken) => {
  const product = aProduct({ version_scheme });
  expect(await check([aRelease({ version: '2.0.0' })], { version, product })).toMatchObject(
    taken
      ? { value: { update: { update_available: true } } }
      : { code: 'validation_failed', data: { errors: { version: [expect.stringContaining(version_scheme)] } } },
  );
});

test('a buyer past the update window learns of the current release and that it can’t be downloaded', async () => {
  const releases = [aRelease({ released_at: NOW })];
  const update = { update_available: true, download_allowed: false };
  expect(await check(releases, { updates_until: addDays(NOW, -1) })).toMatchObject({ value: { update } });
  expect(await check(releases, { updates_until: NOW })).toMatchObject({
    value: { update: { download_allowed: true } },
  });
});

test.each([
  ['without a release', [], 'This product has no release yet.'],
  [
    'whose releases are all unstable',
    [aRelease({ channel: 'beta' })],
    'This product has no release on channel stable; ask for channel beta.',
  ],
])('a product %s has no update, with an error code other than those of an install', async (_, releases, message) => {
  expect(await check(releases, { version: '1.0.0' })).toMatchObject({ ok: false, code: 'not_found', message });
});

describe('the URLs of an update', () => {
  const split = [anArtifact({ platform: 'linux-amd64' }), anArtifact({ platform: 'darwin-arm64' })];
  const install = 'https://api.example.com/api/products/1/install';
  const refusing = (query = ''): string => `https://app.example.com/distribution/v1/releases/1/download${query}`;

  test('an update with a file for each platform is allowed, and its URL requires a platform until one is named', async () => {
    const releases = [aRelease({ artifacts: split })];
    expect(await check(releases)).toMatchObject({
      value: { update: { download_allowed: true, download_url: refusing(), download_expires_at: null } },
    });
    expect(await check(releases, { platform: 'linux-amd64' })).toMatchObject({
      value: {
        update: {
          download_allowed: true,
          download_expires_at: expect.any(String),
          plan_url: `${install}?platform=linux-amd64&release=1`,
          artifact_size: 1024,
        },
      },
    });
  });

  test('a client on another channel learns of that channel’s releases', async () => {
    const releases = [aRelease(), aRelease({ id: 2, version: '2.0.0-beta.1', channel: 'beta' })];
    expect(await check(releases, { channel: 'beta' })).toMatchObject({
      value: {
        update: {
          current_version: '2.0.0-beta.1',
          download_allowed: true,
          plan_url: `${install}?release=2`,
        },
      },
    });
    expect(await check(releases, { channel: 'alpha', version: '2.0.0-beta.1' })).toMatchObject({
      value: { update: { update_available: false } },
    });
  });

  test('a buyer past the update window learns of the newest covered version', async () => {
    const releases = [
      aRelease({ id: 1, version: '1.0.0', released_at: addDays(NOW, -30) }),
      aRelease({ id: 2, version: '1.1.0', released_at: addDays(NOW, -20) }),
      aRelease({ id: 3, version: '2.0.0', released_at: addDays(NOW, -1) }),
    ];
    const updates_until = addDays(NOW, -10);
    const covered = {
      release_id: 2,
      version: '1.1.0',
      released_at: addDays(NOW, -20),
      update_available: true,
      plan_url: `${install}?release=2`,
    };
    const late = { current_version: '2.0.0', update_available: true, download_allowed: false };
    expect(await check(releases, { updates_until, version: '1.0.0' })).toMatchObject({
      value: { update: { ...late, plan_url: `${install}?release=3`, covered } },
    });
    expect(await check(releases, { updates_until, version: '1.1.0' })).toMatchObject({
      value: { update: { ...late, covered: { ...covered, update_available: false } } },
    });
    expect(await check(releases, { updates_until: addDays(NOW, -40) })).toMatchObject({
      value: { update: { ...late, covered: null } },
    });
  });

  const artifacts = fc
    .subarray([...PLATFORMS, null], { maxLength: 3 })
    .map((all) => all.map((platform) => anArtifact({ platform })));
  const release = fc.record({
    channel: fc.constantFrom(...CHANNELS),
    released_at: fc.integer({ min: -3, max: 1 }).map((days) => addDays(NOW, days)),
    withdrawn: fc.constantFrom(undefined, undefined, { at: NOW, reason: 'It deletes files.' }),
    artifacts,
  });
  const question = fc.record({
    channel: fc.constantFrom(...CHANNELS),
    platform: fc.constantFrom(null, ...PLATFORMS),
    updates_until: fc.constantFrom(null, addDays(NOW, -2), NOW),
    platforms: fc.subarray(['macos', 'linux-amd64', 'amiga']),
  });

  test('a plan gives the file that the update check allows, or the covered version', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(release, { maxLength: 5 }), question, async (all, { updates_until, ...asked }) => {
        const releases = all.map((one, n) => aRelease({ id: n + 1, version: `1.${n}.0`, ...one }));
        const service = await aStore([delivery], { releases });
        const product = aProduct({ platforms: asked.platforms });
        const access = anAccess({ updates_supported_until: updates_until });
        const plannedAt = async (address: string) => {
          const input = planInstall.query().parse(Object.fromEntries(new URL(address).searchParams));
          const plan = await passed(
            service.get('planInstall')({ product, query: input, locale: 'en' }),
            PERMIT,
            access,
          );
          return plan.ok ? plan.value.data : plan.code;
        };
        const checked = await passed(
          service.get('checkUpdate')({ product, version: null, locale: 'en', ...asked }),
          PERMIT,
          access,
        );
        if (!checked.ok) return;
        const {
          current_version: version,
          artifact_sha256,
          download_allowed,
          download_url,
          plan_url,
          covered,
        } = checked.value.update;
        const plan = await plannedAt(plan_url);
        if (!download_allowed) expect(plan).toBe('version_update_window_expired');
        else if (artifact_sha256 !== null) expect(plan).toMatchObject({ version, download_url });
        else if (typeof plan === 'object') expect([asked.platform, plan.version]).toEqual([null, version]);
        else expect(plan).toMatch(asked.platform === null ? /validation_failed|install_not_available/ : /never/);
        if (!covered) return;
        const instead = await plannedAt(covered.plan_url);
        if (instead !== 'validation_failed' || asked.platform !== null)
          expect(instead).toMatchObject({ version: covered.version });
      }),
      { numRuns: 300 },
    );
  });
});
