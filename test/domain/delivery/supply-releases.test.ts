import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { versions } from '../../../adapters/versions/versions.ts';
import { PLATFORMS } from '../../../domain/catalog/platform.ts';
import { VERSION_SCHEMES } from '../../../domain/catalog/product.ts';
import { CHANNELS } from '../../../domain/delivery/channel.ts';
import { releaseLine } from '../../../domain/delivery/offered-release.ts';
import type { Release } from '../../../domain/delivery/release.ts';
import { supplyOf, supplyReleases } from '../../../domain/delivery/supply.ts';
import { millis, toInstant } from '../../../domain/shared/instant.ts';
import { anArtifact, aProduct, aRelease, NOW } from '../../support/builders.ts';

const HOUR_MS = 3_600_000;
const hours = (n: number): string => toInstant(millis(NOW) + n * HOUR_MS);
const orders = VERSION_SCHEMES.map((scheme) => versions.order(scheme));

const somePlatform = fc.constantFrom(...PLATFORMS.slice(0, 3), 'windows-amd64' as const, null);

/** Releases from two days before NOW to two days after it. */
const someReleases = fc
  .array(
    fc.record({
      version: fc.constantFrom('1.0.0', '1.1.0', '1.1.0-rc.1', '1.2.0', '2.0.0', '2.0.0-beta.2', '3.0.0'),
      channel: fc.constantFrom(...CHANNELS),
      released_at: fc.integer({ min: -48, max: 48 }).map(hours),
      platforms: fc.uniqueArray(somePlatform, { minLength: 1, maxLength: 3 }),
      signature: fc.constantFrom(null, 'signed'),
      notes_en: fc.constantFrom(null, ' ', 'News'),
      withdrawn: fc.option(fc.constant({ at: NOW, reason: 'broken' }), { nil: undefined, freq: 5 }),
    }),
    { maxLength: 12 },
  )
  .map((all) =>
    all.map(({ platforms, signature, ...release }, n) =>
      aRelease({
        id: n + 1,
        notes_ko: 'News',
        ...release,
        artifacts: platforms.map((platform) => anArtifact({ platform, signature, size: n })),
      }),
    ),
  );

/** A supply as shown. */
const shown = (releases: readonly Release[], at: string, platforms: readonly string[]) => {
  const product = aProduct({ platforms });
  const supply = supplyOf([{ product, ...releaseLine(product, releases, at, versions.order('semver')) }]);
  return supply.map(({ channel, catalog, latest_released_at, platforms: served, checklist }) => ({
    channel,
    latest_released_at,
    checklist,
    newest: catalog.map(({ release }) => release?.id),
    served: served.map(({ platform, offers }) => [platform, offers.map(({ release }) => release.id)]),
  }));
};

describe('the releases that a supply check reads', () => {
  test('the selected releases give the same supply as all releases, now and at any later time', () => {
    fc.assert(
      fc.property(someReleases, fc.nat({ max: 72 }), fc.subarray([...PLATFORMS]), (releases, after, platforms) => {
        const kept = supplyReleases(releases, NOW, orders);
        expect(shown(kept, hours(after), platforms)).toEqual(shown(releases, hours(after), platforms));
      }),
      { numRuns: 500 },
    );
  });

  test('the selected releases are few, however many releases a product has had', () => {
    const releases = Array.from({ length: 300 }, (_, n) => aRelease({ id: n + 1, version: `1.${n}.0` }));
    expect(supplyReleases(releases, NOW, orders).map(({ version }) => version)).toEqual(['1.299.0']);
  });

  test('the selected releases include scheduled ones and no withdrawn one', () => {
    const withdrawn = { at: NOW, reason: 'broken' };
    const releases = [
      aRelease({ id: 1, version: '1.0.0' }),
      aRelease({ id: 2, version: '2.0.0', withdrawn }),
      aRelease({ id: 3, version: '0.9.0', released_at: hours(24) }),
    ];
    expect(supplyReleases(releases, NOW, orders).map(({ id }) => id)).toEqual([1, 3]);
  });

  test('the selected releases are all releases if their versions follow no scheme', () => {
    const releases = ['one', 'two', 'three'].map((version, n) => aRelease({ id: n + 1, version }));
    expect(supplyReleases(releases, NOW, orders).map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  test('the selected releases lack notes, patches and terms, which no supply check reads', () => {
    const release = aRelease({ notes_en: 'A long story', notes_ko: ' ', source_ref: 'abc' });
    expect(supplyReleases([release], NOW, orders)).toEqual([
      { ...release, notes_en: 'A', notes_ko: null, source_ref: null },
    ]);
  });
});
