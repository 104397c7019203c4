import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appcastItems } from '../../domain/delivery/appcast.ts';
import { CHANNELS } from '../../domain/delivery/channel.ts';
import { feedOf } from '../../domain/delivery/feed-access.ts';
import { feedFaults, unsignedFiles } from '../../domain/delivery/feed-faults.ts';
import type { Artifact, Delta, Release } from '../../domain/delivery/release.ts';
import { itemsFor, offerTo, type SparkleClient } from '../../domain/delivery/sparkle-selection.ts';
import { NO_TERMS, type SparkleTerms } from '../../domain/delivery/sparkle-terms.ts';
import { sparkleOrder } from '../../domain/delivery/version-order.ts';
import { aClient } from '../support/appcast.ts';
import { anApp, anArtifact, aProduct, aRelease, NOW } from '../support/builders.ts';

const order = sparkleOrder();
const SIGNATURE = `${'A'.repeat(86)}==`;
const terms = (some: Partial<SparkleTerms>): SparkleTerms => ({ ...NO_TERMS, ...some });

const of = (version: string, build: string | null, more: Partial<Release> = {}): Release =>
  aRelease({ id: Number(version.replace(/\D/g, '')), version, build, ...more });
const members = (release: Release, others: readonly Release[] = []): string[] =>
  feedFaults(release, others, order).map(({ member }) => member);
const sentences = (release: Release, others: readonly Release[] = []): string[] =>
  feedFaults(release, others, order).map(({ message }) => message);

test('applications of macOS have a feed, which is public unless it is said otherwise', () => {
  expect(feedOf(anApp())).toBe('public');
  expect(feedOf(anApp({ feed: 'entitled' }))).toBe('entitled');
  expect(feedOf(aProduct({ feed: 'public' }))).toBeNull();
});

describe('a release breaks the feed', () => {
  test.each<[string, Partial<SparkleTerms>, string[]]>([
    ['with nothing told', {}, []],
    [
      'with all that can be told',
      {
        minimum_system_version: '13.0',
        maximum_system_version: '13.0.0',
        minimum_autoupdate_version: '10.0',
        ignore_skipped_upgrades_below_version: '9',
        critical: { below_version: '9.5' },
        informational: { versions: ['1', '2.1'], below_version: '1.0' },
        link: 'https://example.com',
      },
      [],
    ],
    ['by a system that is none', { minimum_system_version: 'Ventura' }, ['sparkle.minimum_system_version']],
    ['by a system in four parts', { maximum_system_version: '13.0.0.1' }, ['sparkle.maximum_system_version']],
    [
      'by systems that exclude each other',
      { minimum_system_version: '14', maximum_system_version: '13.9' },
      ['sparkle.maximum_system_version'],
    ],
    [
      'by a version in place of a build',
      { minimum_autoupdate_version: '2.0b1' },
      ['sparkle.minimum_autoupdate_version'],
    ],
    ['by a major upgrade above itself', { minimum_autoupdate_version: '10.1' }, ['sparkle.minimum_autoupdate_version']],
    [
      'by a skipped build that is none',
      { ignore_skipped_upgrades_below_version: '' },
      ['sparkle.ignore_skipped_upgrades_below_version'],
    ],
    ['by a critical build that is none', { critical: { below_version: '<9' } }, ['sparkle.critical.below_version']],
    [
      'by informational builds that are none',
      {
        informational: { versions: ['1', 'x'], below_version: '1.' },
        link: 'https://example.com',
      },
      ['sparkle.informational.below_version', 'sparkle.informational.versions.1'],
    ],
    ['by information without a page', { informational: { versions: [], below_version: null } }, ['sparkle.link']],
  ])('%s', (_, some, faults) => {
    expect(members(of('1.0', '10', { sparkle: terms(some) }))).toEqual(faults);
  });

  test.each(['1.0b1', 'v1', '1..0', '1.', '.1', '', '１', '9'.repeat(65)])('by the build %j', (build) => {
    expect(members(of('1.0', build))).toEqual(['build']);
  });

  test.each<[string, Partial<Artifact>, string[]]>([
    ['by no file', { signature: SIGNATURE }, []],
    ['by an empty file', { size: 0 }, ['artifacts.0']],
    ['by half a signature', { signature: SIGNATURE.slice(2) }, ['artifacts.0.signature']],
    ['by a signature that is none', { signature: `${'!'.repeat(86)}==` }, ['artifacts.0.signature']],
  ])('%s', (_, some, faults) => {
    expect(members(of('1.0', '10', { artifacts: [anArtifact(some)] }))).toEqual(faults);
  });

  const delta = (from_build: string, more: Partial<Delta> = {}): Delta => ({
    from_build,
    filename: `${from_build}.delta`,
    sha256: '1'.repeat(64),
    size: 1,
    signature: SIGNATURE,
    ...more,
  });
  test.each<[string, Delta[], string[]]>([
    ['by no patch', [delta('9'), delta('9.5')], []],
    ['by a patch from nothing', [delta('old')], ['artifacts.0.deltas.0.from_build']],
    ['by two patches from one build', [delta('9'), delta('9.0')], ['artifacts.0.deltas.1.from_build']],
    ['by a patch from itself', [delta('10.0')], ['artifacts.0.deltas.0.from_build']],
    ['by a patch that leads back', [delta('11')], ['artifacts.0.deltas.0.from_build']],
    ['by an empty patch', [delta('9', { size: 0 })], ['artifacts.0.deltas.0']],
  ])('%s', (_, deltas, faults) => {
    expect(members(of('1.0', '10', { artifacts: [anArtifact({ deltas })] }))).toEqual(faults);
  });
});

describe('builds', () => {
  test('are given once, however they are written', () => {
    expect(sentences(of('1.1', '10.0'), [of('1.0', '10')])).toEqual(['version 1.0 has the build 10 already']);
  });

  test('go in the order of versions, on every channel', () => {
    const others = [of('1.0', '10'), of('1.2', '20', { channel: 'beta' })];
    expect(members(of('1.1', '15', { channel: 'alpha' }), others)).toEqual([]);
    expect(sentences(of('1.3', '15'), others)).toEqual([
      'version 1.3 has the build 15, which Sparkle takes for older than the 20 of version 1.2',
    ]);
    expect(sentences(of('1.1', '25'), others)).toEqual([
      'version 1.2 has the build 20, which Sparkle takes for older than the 25 of version 1.1',
    ]);
  });

  test('may go as they like among releases that no Mac is offered both of', () => {
    const old = of('1.9', '500', { sparkle: terms({ maximum_system_version: '12.99' }) });
    const recent = of('2.0', '400', { sparkle: terms({ minimum_system_version: '13.0.0' }) });
    expect(members(old, [recent])).toEqual([]);
    expect(members(recent, [old])).toEqual([]);
    expect(members({ ...old, sparkle: terms({ maximum_system_version: '13' }) }, [recent])).toEqual(['build']);
    const arm = of('2.1', '300', { artifacts: [anArtifact({ platform: 'darwin-arm64' })] });
    const intel = of('2.0', '400', { artifacts: [anArtifact({ platform: 'darwin-amd64' })] });
    expect(members(arm, [intel])).toEqual([]);
  });

  test('don’t matter where Sparkle isn’t told of a release', () => {
    const none = of('1.0', null);
    const linux = of('1.1', '9', { artifacts: [anArtifact({ platform: 'linux-amd64' })] });
    expect(members(none, [of('0.9', '20')])).toEqual([]);
    expect(members(linux, [of('1.0', '20')])).toEqual([]);
    expect(members(of('1.2', '5'), [none, linux])).toEqual([]);
  });
});

test('files without a signature are told by version and platform, but not those that are in no feed', () => {
  const signed = of('1.0', '1', { artifacts: [anArtifact({ signature: SIGNATURE })] });
  const unsigned = of('1.1', '2', { artifacts: [anArtifact({ platform: 'darwin-arm64' })] });
  expect(unsignedFiles([signed, unsigned, of('1.2', null)])).toEqual(['1.1 for darwin-arm64']);
});

describe('in a feed to which only releases were added that don’t break it', () => {
  const system = fc.option(fc.constantFrom('12', '13.0', '14.2.1'), { nil: null });
  const release = fc
    .record({
      version: fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom('', '.1', '.2b1', '.2')).map((p) => p.join('')),
      build: fc.tuple(fc.integer({ min: 1, max: 20 }), fc.constantFrom('', '.0', '.5')).map((p) => p.join('')),
      channel: fc.constantFrom(...CHANNELS),
      minimum: system,
      maximum: system,
      platforms: fc.constantFrom<Artifact['platform'][]>([null], ['darwin-arm64'], ['darwin-amd64', 'darwin-arm64']),
    })
    .map(({ version, build, channel, minimum, maximum, platforms }) =>
      of(version, build, {
        channel,
        artifacts: platforms.map((platform) => anArtifact({ platform })),
        sparkle: terms({ minimum_system_version: minimum, maximum_system_version: maximum }),
      }),
    );
  const feed = fc
    .array(release, { minLength: 2, maxLength: 12 })
    .map((releases) =>
      releases.reduce<Release[]>(
        (kept, one) =>
          kept.some(({ version }) => version === one.version) || feedFaults(one, kept, order).length > 0
            ? kept
            : [...kept, one],
        [],
      ),
    )
    .filter((releases) => releases.length > 1);
  const client = fc.record({
    system_version: fc.constantFrom('11', '12.0', '13.1', '14.2.1', '26'),
    architecture: fc.constantFrom('arm64' as const, 'x86_64' as const),
    channels: fc.subarray(['beta', 'alpha', 'dev']),
  });

  const runs = (release: Release, on: Partial<SparkleClient>): boolean =>
    itemsFor(
      appcastItems([release], () => 'https://x'),
      aClient({ ...on, now: NOW }),
    ).length > 0;

  test('every Mac that runs one of them is led to the newest version that it may have, and never back', () => {
    fc.assert(
      fc.property(feed, client, fc.nat(), (releases, on, pick) => {
        const possible = releases.filter((one) => runs(one, on)).sort((a, b) => order.compare(b.version, a.version));
        const installed = possible[pick % Math.max(1, possible.length)];
        if (!installed) return;
        const items = appcastItems(releases, () => 'https://x');
        const offer = offerTo(items, aClient({ ...on, version: installed.build as string }));
        const [newest] = possible;
        expect(offer?.item.short_version).toBe(newest === installed ? undefined : newest?.version);
      }),
      { numRuns: 1000 },
    );
  });
});
