import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { versions } from '../../../adapters/versions/versions.ts';
import { PLATFORMS, type Platform, SPECIFIED_PLATFORMS } from '../../../domain/catalog/platform.ts';
import type { Product } from '../../../domain/catalog/product.ts';
import { CHANNELS, type Channel } from '../../../domain/delivery/channel.ts';
import { chooseInstall, releaseLine } from '../../../domain/delivery/offered-release.ts';
import type { Artifact, Release } from '../../../domain/delivery/release.ts';
import { comesAsFile, isSupplied, type Supply, supplyOf } from '../../../domain/delivery/supply.ts';
import { aBundle, anArtifact, aProduct, aRelease, NOW } from '../../support/builders.ts';

const BINARY: Product = aProduct({ id: 1, delivery: { ...aProduct().delivery, strategy: 'binary' } });
const signed = (platform: Platform | null = null): Artifact =>
  anArtifact({ platform, sha256: 'a'.repeat(64), signature: 'x' });

const lineOf = (product: Product, releases: readonly Release[]) => {
  const own = releases.filter(({ product_id }) => product_id === product.id);
  return { product, ...releaseLine(product, own, NOW, versions.order(product.version_scheme)) };
};

const supply = (products: readonly Product[], releases: readonly Release[]): Supply[] =>
  supplyOf(products.map((product) => lineOf(product, releases)));
const on = (channel: Channel, all: readonly Supply[]): Supply => all[CHANNELS.indexOf(channel)] as Supply;
const checkOf = (one: Supply, key: string) => one.checklist.find((check) => check.key === key);

describe('the supplied products', () => {
  const releases = [aRelease({ product_id: 2 })];
  const bundles = [aBundle({ product_id: 9 })];

  test.each<[string, Product, boolean]>([
    ['a product delivered as a file is supplied', BINARY, true],
    ['a product that is no longer sold is not supplied', { ...BINARY, active: false }, false],
    ['an unpublished product is not supplied', { ...BINARY, published: false }, false],
    ['a product delivered without a file is not supplied', aProduct({ id: 1 }), false],
    ['a product delivered without a file is supplied when it has a release', aProduct({ id: 2 }), true],
    ['a product that stands for a bundle is not supplied', { ...BINARY, id: 9 }, false],
  ])('%s', (_, product, is) => {
    expect(isSupplied(lineOf(product, releases), bundles)).toBe(is);
  });

  test('a product comes as a file unless it is delivered by hand or stands for a bundle', () => {
    expect([BINARY, aProduct(), { ...BINARY, id: 9 }].map((one) => comesAsFile(one, bundles))).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('a channel', () => {
  const releases = [
    aRelease({ id: 1, version: '1.0.0', released_at: '2026-01-01T00:00:00.000Z' }),
    aRelease({ id: 2, version: '1.1.0', channel: 'beta', released_at: '2026-02-01T00:00:00.000Z' }),
    aRelease({ id: 3, version: '0.9.0', channel: 'dev', released_at: '2026-03-01T00:00:00.000Z' }),
  ];
  const all = supply([BINARY], releases);

  test('a channel has the newest version that it offers and the date of its latest release', () => {
    expect(all.map(({ catalog }) => catalog[0]?.release?.version)).toEqual(['1.0.0', '1.1.0', '1.1.0', '1.1.0']);
    expect(all.map(({ latest_released_at }) => latest_released_at?.slice(0, 7))).toEqual([
      '2026-01',
      '2026-02',
      '2026-02',
      '2026-03',
    ]);
  });

  test('a channel that offers no release of a product lists the product as missing', () => {
    const stable = on('stable', supply([BINARY], [aRelease({ channel: 'beta' })]));
    expect(stable.catalog).toEqual([{ product: BINARY, release: null }]);
    expect(stable.latest_released_at).toBeNull();
    expect(checkOf(stable, 'released')).toMatchObject({ ok: false, passed: 0, total: 1, missing: [BINARY] });
    expect(stable.platforms.every(({ offers }) => offers.length === 0)).toBe(true);
  });

  test('a channel with nothing on sale passes every check', () => {
    for (const { checklist } of supply([], [])) expect(checklist.every(({ ok }) => ok)).toBe(true);
  });

  test.each<[string[], (Platform | null)[]]>([
    [[], ['darwin-arm64', 'darwin-amd64', 'linux-arm64', 'linux-amd64', null]],
    [['macos'], ['darwin-arm64', 'darwin-amd64', null]],
    [
      ['linux', 'darwin-arm64'],
      ['darwin-arm64', 'linux-arm64', 'linux-amd64', null],
    ],
    [['amiga'], [null]],
  ])('a universal file of a product that names the platforms %j is served on exactly %j', (platforms, served) => {
    const stable = on('stable', supply([{ ...BINARY, platforms }], [aRelease()]));
    expect(stable.platforms.filter(({ offers }) => offers.length > 0).map(({ platform }) => platform)).toEqual(served);
  });

  test('a supply lists Windows where a product names it or has a file for it, and checks no Windows that is meant by "any"', () => {
    const listed = (platforms: readonly string[], files: (Platform | null)[]) =>
      on('stable', supply([{ ...BINARY, platforms }], [aRelease({ artifacts: files.map(signed) })]));
    const names = ({ platforms }: Supply) => platforms.map(({ platform }) => platform);
    const four = [...SPECIFIED_PLATFORMS];
    expect(names(listed(['any'], four))).toEqual([...four, null]);
    expect(checkOf(listed(['any'], four), 'platforms')).toMatchObject({ ok: true, total: 4 });
    expect(names(listed([], ['windows-amd64']))).toEqual([...four, 'windows-amd64', null]);
    expect(checkOf(listed(['any'], [...four, 'windows-amd64']), 'platforms')).toMatchObject({ ok: true, total: 5 });
    expect(checkOf(listed(['windows'], ['windows-amd64']), 'platforms')).toMatchObject({ passed: 1, total: 2 });
  });

  test('a channel serves each platform the release that an install plan would choose', () => {
    const artifacts = fc.subarray<Platform | null>([...PLATFORMS, null], { minLength: 1 });
    const release = fc.record({ channel: fc.constantFrom(...CHANNELS), platforms: artifacts });
    fc.assert(
      fc.property(fc.array(release, { maxLength: 5 }), (made) => {
        const some = made.map(({ channel, platforms }, n) =>
          aRelease({ id: n + 1, version: `1.${n}.0`, channel, artifacts: platforms.map((one) => signed(one)) }),
        );
        for (const one of supply([BINARY], some)) {
          for (const { platform, offers } of one.platforms) {
            if (platform === null) continue;
            const chosen = chooseInstall(lineOf(BINARY, some), null, { channel: one.channel, platform, release: null });
            expect(offers[0]?.release.version).toBe(chosen.ok ? chosen.value.release.version : undefined);
          }
        }
      }),
    );
  });
});

describe('the checklist', () => {
  const whole = aRelease({ artifacts: [signed()], notes_en: 'New.', notes_ko: '새로움.' });

  test('the checklist passes when everything is present', () => {
    const stable = on('stable', supply([BINARY], [whole]));
    expect(stable.checklist.map(({ key, ok, total }) => [key, ok, total])).toEqual([
      ['released', true, 1],
      ['platforms', true, 0],
      ['checksums', true, 1],
      ['signatures', true, 1],
      ['notes', true, 1],
    ]);
  });

  test.each<[string, Partial<Release>]>([
    ['signatures', { artifacts: [{ ...signed(), signature: null }] }],
    ['checksums', { artifacts: [{ ...signed(), sha256: 'ABC' }] }],
    ['checksums', { artifacts: [{ ...signed(), size: 0 }] }],
    ['notes', { notes_ko: null }],
    ['notes', { notes_en: '' }],
    ['notes', { notes_en: ' ' }],
  ])('the checklist reports missing %s', (key, without) => {
    const stable = on('stable', supply([BINARY], [{ ...whole, ...without }]));
    expect(stable.checklist.filter(({ ok }) => !ok).map((one) => one.key)).toEqual([key]);
    expect(checkOf(stable, key)).toMatchObject({ passed: 0, total: 1, missing: [BINARY] });
  });

  test('the platform check counts each platform that a product names and lists the product once', () => {
    const product = { ...BINARY, platforms: ['linux-amd64', 'linux-arm64', 'darwin-arm64', 'amiga'] };
    const stable = on('stable', supply([product], [{ ...whole, artifacts: [signed('linux-amd64')] }]));
    expect(checkOf(stable, 'platforms')).toEqual({
      key: 'platforms',
      ok: false,
      passed: 1,
      total: 3,
      missing: [product],
    });
  });

  test('the checklist includes the files of an older release that alone serves a platform', () => {
    const older = aRelease({ id: 2, version: '0.9.0', artifacts: [{ ...signed('linux-arm64'), signature: null }] });
    const oldest = aRelease({ id: 3, version: '0.8.0', artifacts: [{ ...signed('linux-arm64'), size: 0 }] });
    const newest = { ...whole, artifacts: [signed('linux-amd64')] };
    const stable = on('stable', supply([BINARY], [newest, older, oldest]));
    expect(checkOf(stable, 'signatures')).toMatchObject({ passed: 1, total: 2 });
    expect(checkOf(stable, 'checksums')).toMatchObject({ passed: 2, total: 2 });
  });
});
