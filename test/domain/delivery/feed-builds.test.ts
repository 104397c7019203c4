import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appcastOf } from '../../../domain/delivery/appcast.ts';
import { CHANNELS } from '../../../domain/delivery/channel.ts';
import { backwardPairs, pairsLaidOpen } from '../../../domain/delivery/feed-builds.ts';
import { feedFaults } from '../../../domain/delivery/feed-faults.ts';
import type { Artifact, Release } from '../../../domain/delivery/release.ts';
import { NO_TERMS, type SparkleTerms } from '../../../domain/delivery/sparkle-terms.ts';
import { sparkleOrder } from '../../../domain/delivery/version-order.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { aClient } from '../../support/appcast.ts';
import { anApp, anArtifact, aRelease, NOW } from '../../support/builders.ts';
import { itemsFor, offerTo } from '../../support/sparkle-selection.ts';

const order = sparkleOrder();
const DAY = 86_400;
const withdrawn = { at: NOW, reason: 'It loses notes.' };

/** A release that came out on a day, counted from NOW. */
const of = (
  version: string,
  build: string,
  day: number,
  { terms = {}, ...more }: Partial<Release> & { terms?: Partial<SparkleTerms> } = {},
): Release =>
  aRelease({
    id: Number(version.replace(/\D/g, '')),
    version,
    build,
    released_at: addDays(NOW, day),
    sparkle: { ...NO_TERMS, ...terms },
    ...more,
  });

const beta = { channel: 'beta' } as const;
const first = of('1.1', '200', -30);
const preview = of('1.2b1', '205', -20, beta);
const hotfix = of('1.1.1', '210', -5);
const faults = (release: Release, others: readonly Release[]) =>
  feedFaults(release, others, order).map(({ message }) => message);

describe('a stable hotfix while a beta is out', () => {
  test('a hotfix whose build is above that of a newer beta is refused, and the refusal says what to do', () => {
    expect(faults(hotfix, [first, preview])).toEqual([
      'version 1.2b1 has the build 205, which Sparkle takes for older than the 210 of version 1.1.1; first publish a later version in the channel beta with a build above 210, or withdraw version 1.2b1, or give version 1.1.1 a build below 205',
    ]);
  });

  test('the hotfix is accepted after a beta with a higher build', () => {
    const next = of('1.2b2', '211', -10, beta);
    expect(faults(next, [first, preview])).toEqual([]);
    expect(faults(hotfix, [first, preview, next])).toEqual([]);
  });

  test('the hotfix is accepted after the beta was withdrawn', () => {
    expect(faults(hotfix, [first, { ...preview, withdrawn }])).toEqual([]);
  });

  test('the build of a withdrawn release is not used again', () => {
    expect(faults(of('1.1.2', '205', -1), [first, { ...preview, withdrawn }])).toEqual([
      'version 1.2b1 already has the build 205',
    ]);
  });

  test.each<[string, Release]>([
    ['of the same version line but an older version', of('1.1.5', '211', -10, beta)],
    ['whose build is below that of the hotfix', of('1.2b2', '209', -10, beta)],
    ['that comes out later than the hotfix', of('1.2b2', '211', -4, beta)],
    ['of a channel that the readers of the beta need not read', of('1.2b2', '211', -10, { channel: 'alpha' })],
    ['for newer systems only', of('1.2b2', '211', -10, { ...beta, terms: { minimum_system_version: '14' } })],
    ['for older systems only', of('1.2b2', '211', -10, { ...beta, terms: { maximum_system_version: '15' } })],
    [
      'for Apple silicon only',
      of('1.2b2', '211', -10, { ...beta, artifacts: [anArtifact({ platform: 'darwin-arm64' })] }),
    ],
    ['that is a major upgrade', of('1.2b2', '211', -10, { ...beta, terms: { minimum_autoupdate_version: '100' } })],
    [
      'that only leads to a page',
      of('1.2b2', '211', -10, {
        ...beta,
        terms: { informational: { versions: [], below_version: null }, link: 'https://example.com' },
      }),
    ],
    ['whose rollout still goes on', of('1.2b2', '211', -10, { ...beta, terms: { phased_rollout_interval: DAY } })],
    ['that was withdrawn', of('1.2b2', '211', -10, { ...beta, withdrawn })],
    ['without a file for Macs', of('1.2b2', '211', -10, { ...beta, artifacts: [] })],
  ])('the hotfix is refused if the only beta above it is one %s', (_, next) => {
    expect(faults(hotfix, [first, preview, next])).not.toEqual([]);
  });

  test.each<[string, Release]>([
    ['is the stable release itself', of('1.2', '211', -10)],
    [
      'was rolled out to every group before',
      of('1.2b2', '211', -15, { ...beta, terms: { phased_rollout_interval: DAY } }),
    ],
    [
      'runs on every system that the two others share',
      of('1.2b2', '211', -10, { ...beta, terms: { minimum_system_version: '12' } }),
    ],
  ])('the hotfix is accepted if the release above it %s', (_, next) => {
    const old = { ...preview, sparkle: { ...NO_TERMS, minimum_system_version: '12.0' } };
    expect(faults(hotfix, [first, old, next])).toEqual([]);
  });

  test('a beta is accepted below the build of a newer beta if a stable release is above both', () => {
    const [newer, older] = [of('1.3b1', '205', -20, beta), of('1.2.9b1', '210', -5, beta)];
    expect(faults(older, [newer])).not.toEqual([]);
    expect(faults(older, [newer, of('1.3', '211', -10)])).toEqual([]);
  });

  test('a scheduled hotfix is accepted if the beta above it comes out no later', () => {
    const next = of('1.2b2', '211', 1, beta);
    expect(faults(of('1.1.1', '210', 2), [first, preview, next])).toEqual([]);
    expect(faults(of('1.1.1', '210', 0), [first, preview, next])).not.toEqual([]);
  });
});

test('a pair of releases that downgrades a client is found when the release above both is gone', () => {
  const next = of('1.2b2', '211', -10, beta);
  expect(backwardPairs([first, preview, next, hotfix], order)).toEqual([]);
  const gone = { ...next, withdrawn };
  expect(backwardPairs([first, preview, gone, hotfix], order)).toEqual([{ newer: preview, older: hotfix }]);
});

test('a change reports only the pairs that did not downgrade a client before it', () => {
  const next = of('1.2b2', '211', -10, beta);
  const later = of('1.1.2', '208', -2);
  const laidOpen = (before: readonly Release[], after: readonly Release[]) =>
    pairsLaidOpen(before, after, order).map(({ newer, older }) => [newer.version, older.version]);
  const gone = { ...next, withdrawn };
  expect(laidOpen([preview, next, hotfix], [preview, gone, hotfix])).toEqual([['1.2b1', '1.1.1']]);
  expect(laidOpen([preview, gone, hotfix], [preview, gone, hotfix, later])).toEqual([
    ['1.2b1', '1.1.2'],
    ['1.1.2', '1.1.1'],
  ]);
});

describe('the update that Sparkle chooses', () => {
  const seldom = <T>(some: fc.Arbitrary<T>, freq = 6) => fc.option(some, { nil: null, freq });
  const some = <T>(value: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });
  const build = fc.integer({ min: 1, max: 30 }).map(String);
  const system = some(fc.constantFrom('12', '13.0', '14.2.1'));
  const draft = fc.record({
    version: fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom('', '.1', '.2b1', '.2')).map((p) => p.join('')),
    /** Added to a counter, so that most builds grow with time and not with versions. */
    skip: fc.constantFrom(0, 0, 0, 5, -5),
    days: fc.integer({ min: 0, max: 4 }),
    channel: fc.constantFrom(...CHANNELS, 'stable' as const, 'beta' as const),
    platforms: fc.constantFrom<Artifact['platform'][]>(
      [null],
      [null],
      [null],
      ['darwin-arm64'],
      ['darwin-amd64', 'darwin-arm64'],
    ),
    terms: fc.record({
      minimum_system_version: system,
      maximum_system_version: system,
      minimum_autoupdate_version: some(build),
      ignore_skipped_upgrades_below_version: some(build),
      phased_rollout_interval: some(fc.constantFrom(3600, DAY)),
      critical: some(fc.constantFrom({ below_version: null }, { below_version: '9' })),
      informational: some(fc.constant({ versions: [], below_version: '8' })),
    }),
    gone: fc.constantFrom(false, false, false, false, true),
  });
  type Draft = typeof draft extends fc.Arbitrary<infer T> ? T : never;
  const releasesOf = (drafts: readonly Draft[]): Release[] => {
    let day = -20;
    return drafts.map(({ version, skip, days, channel, platforms, terms, gone }, n) => {
      day += days;
      return of(version, String(Math.max(1, n * 2 + 1 + skip)), day, {
        channel,
        artifacts: platforms.map((platform) => anArtifact({ platform })),
        terms: { ...terms, link: 'https://example.com' },
        ...(gone && { withdrawn }),
      });
    });
  };
  const feed = fc
    .array(draft, { minLength: 3, maxLength: 14 })
    .map((drafts) =>
      releasesOf(drafts).reduce<Release[]>(
        (kept, one) =>
          kept.some(({ version }) => version === one.version) || faults(one, kept).length > 0 ? kept : [...kept, one],
        [],
      ),
    )
    .filter((releases) => releases.length > 1);
  const client = fc.record({
    system_version: fc.constantFrom('11', '12.0', '13.1', '14.2.1', '26'),
    architecture: fc.constantFrom('arm64' as const, 'x86_64' as const),
    channels: fc.subarray(['beta', 'alpha', 'dev']),
    background: seldom(
      fc.record({
        group: fc.integer({ min: 0, max: 6 }),
        skipped: seldom(
          fc.record({
            minor_version: seldom(build),
            major_version: seldom(build),
            major_subrelease_version: seldom(build),
          }),
        ),
      }),
    ),
    now: fc.integer({ min: 0, max: 12 }).map((days) => addDays(NOW, days)),
  });
  const reader = fc.record({
    on: client,
    channel: fc.option(fc.constantFrom(...CHANNELS), { nil: null }),
    until: fc.option(
      fc.integer({ min: -20, max: 10 }).map((days) => addDays(NOW, days)),
      { nil: null },
    ),
    pick: fc.nat(),
  });

  test('a client is never offered a version older than the one it installed from its feed', () => {
    let inverted = 0;
    fc.assert(
      fc.property(feed, reader, (releases, { on, channel, until, pick }) => {
        const { items } = appcastOf(
          anApp(),
          releases,
          { channel, updates_until: until, now: on.now },
          'https://x',
          () => 'https://x',
        );
        const possible = itemsFor(items, aClient({ ...on, background: null }));
        const installed = possible[pick % Math.max(1, possible.length)];
        if (!installed) return;
        const versions = [...possible]
          .sort((a, b) => order.compare(a.version, b.version))
          .map((one) => one.short_version);
        if (versions.some((one, n) => n > 0 && order.compare(versions[n - 1] as string, one) > 0)) inverted++;
        const offer = offerTo(items, aClient({ ...on, version: installed.version }));
        const to = offer?.item.short_version ?? installed.short_version;
        expect(order.compare(to, installed.short_version)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 10_000 },
    );
    expect(inverted, 'clients that see builds against the order of versions').toBeGreaterThan(60);
  });
});
