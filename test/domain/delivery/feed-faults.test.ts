import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appcastItems } from '../../../domain/delivery/appcast.ts';
import { CHANNELS } from '../../../domain/delivery/channel.ts';
import { feedReadersOf } from '../../../domain/delivery/feed-access.ts';
import { feedFaults, unsignedFiles } from '../../../domain/delivery/feed-faults.ts';
import type { Artifact, Delta, Release } from '../../../domain/delivery/release.ts';
import { NO_TERMS, type SparkleTerms } from '../../../domain/delivery/sparkle-terms.ts';
import { sparkleOrder } from '../../../domain/delivery/version-order.ts';
import { aClient } from '../../support/appcast.ts';
import { anApp, anArtifact, aProduct, aRelease, NOW } from '../../support/builders.ts';
import { itemsFor, offerTo, type SparkleClient } from '../../support/sparkle-selection.ts';

const order = sparkleOrder();
const SIGNATURE = `${'A'.repeat(86)}==`;
const terms = (some: Partial<SparkleTerms>): SparkleTerms => ({ ...NO_TERMS, ...some });

const of = (version: string, build: string | null, more: Partial<Release> = {}): Release =>
  aRelease({ id: Number(version.replace(/\D/g, '')), version, build, ...more });
const members = (release: Release, others: readonly Release[] = []): string[] =>
  feedFaults(release, others, order).map(({ member }) => member);
const sentences = (release: Release, others: readonly Release[] = []): string[] =>
  feedFaults(release, others, order).map(({ message }) => message);

test('only a macOS application has a feed, and the feed is public by default', () => {
  expect(feedReadersOf(anApp())).toBe('public');
  expect(feedReadersOf(anApp({ feed: 'entitled' }))).toBe('entitled');
  expect(feedReadersOf(aProduct({ feed: 'public' }))).toBeNull();
});

describe('the faults of a release', () => {
  test.each<[string, Partial<SparkleTerms>, string[]]>([
    ['a release without Sparkle terms has no fault', {}, []],
    [
      'a release with every Sparkle term set has no fault',
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
    ['an invalid system version is a fault', { minimum_system_version: 'Ventura' }, ['sparkle.minimum_system_version']],
    [
      'a system version in four parts is a fault',
      { maximum_system_version: '13.0.0.1' },
      ['sparkle.maximum_system_version'],
    ],
    [
      'a pair of systems that exclude each other is a fault',
      { minimum_system_version: '14', maximum_system_version: '13.9' },
      ['sparkle.maximum_system_version'],
    ],
    [
      'a version in place of a build is a fault',
      { minimum_autoupdate_version: '2.0b1' },
      ['sparkle.minimum_autoupdate_version'],
    ],
    [
      'a major upgrade above its own build is a fault',
      { minimum_autoupdate_version: '10.1' },
      ['sparkle.minimum_autoupdate_version'],
    ],
    [
      'an invalid skipped build is a fault',
      { ignore_skipped_upgrades_below_version: '' },
      ['sparkle.ignore_skipped_upgrades_below_version'],
    ],
    ['an invalid critical build is a fault', { critical: { below_version: '<9' } }, ['sparkle.critical.below_version']],
    [
      'each invalid informational build is a fault',
      {
        informational: { versions: ['1', 'x'], below_version: '1.' },
        link: 'https://example.com',
      },
      ['sparkle.informational.below_version', 'sparkle.informational.versions.1'],
    ],
    [
      'an informational update without a page is a fault',
      { informational: { versions: [], below_version: null } },
      ['sparkle.link'],
    ],
  ])('%s', (_, some, faults) => {
    expect(members(of('1.0', '10', { sparkle: terms(some) }))).toEqual(faults);
  });

  test.each(['1.0b1', 'v1', '1..0', '1.', '.1', '', '１', '9'.repeat(65)])('the build %j is a fault', (build) => {
    expect(members(of('1.0', build))).toEqual(['build']);
  });

  test.each<[string, Partial<Artifact>, string[]]>([
    ['a signed file is no fault', { signature: SIGNATURE }, []],
    ['an empty file is a fault', { size: 0 }, ['artifacts.0']],
    ['a signature that is cut short is a fault', { signature: SIGNATURE.slice(2) }, ['artifacts.0.signature']],
    ['a signature that is not base64 is a fault', { signature: `${'!'.repeat(86)}==` }, ['artifacts.0.signature']],
  ])('%s', (_, some, faults) => {
    expect(members(of('1.0', '10', { artifacts: [anArtifact(some)] }))).toEqual(faults);
  });

  test.each([
    'App.zip',
    'App 1.0.dmg',
    'App.tar',
    'App.tar.gz',
    'App.tgz',
    'App.tar.bz2',
    'App.tbz',
    'App.tar.xz',
    'App.txz',
    'App.tar.lzma',
    'App.aar',
    'App.yaa',
    'App.pkg',
    'App.mpkg',
  ])('the file %s is installable by Sparkle', (filename) => {
    expect(members(of('1.0', '10', { artifacts: [anArtifact({ filename })] }))).toEqual([]);
  });

  test.each([
    'notes.txt',
    'App',
    'App.gz',
    'App.zip.sig',
    'App.7z',
    'App.delta',
    'zip',
    'App.ZIP',
    'App.vsix',
  ])('the file %s is a fault because Sparkle can’t install it', (filename) => {
    const artifacts = [anArtifact({ filename })];
    expect(sentences(of('1.0', '10', { artifacts }))).toEqual([
      `Sparkle can’t install "${filename}"; the name must end in .zip, .dmg, .tar, .tar.gz, .tgz, .tar.bz2, .tbz, .tar.xz, .txz, .tar.lzma, .aar, .yaa, .pkg or .mpkg, in lower case`,
    ]);
    expect(members(of('1.0', null, { artifacts }))).toEqual([]);
    const beside = anArtifact({ filename, platform: 'linux-amd64' });
    expect(members(of('1.0', '10', { artifacts: [anArtifact(), beside] }))).toEqual([]);
    const hidden = anArtifact({ filename, platform: 'darwin-arm64' });
    expect(members(of('1.0', '10', { artifacts: [anArtifact(), hidden] }))).toEqual([]);
    expect(members(of('1.0', '10', { artifacts: [hidden] }))).toEqual(['artifacts.0']);
  });

  test.each<[string, Partial<Artifact>, string[]]>([
    ['an archived package is no fault', { installation_type: 'package' }, []],
    ['an archived interactive package is no fault', { installation_type: 'interactive-package' }, []],
    ['a bare package is no fault', { filename: 'App.pkg', installation_type: 'package' }, []],
    [
      'a bare interactive package is a fault',
      { filename: 'App.pkg', installation_type: 'interactive-package' },
      ['artifacts.0.installation_type'],
    ],
  ])('%s', (_, some, faults) => {
    expect(members(of('1.0', '10', { artifacts: [anArtifact(some)] }))).toEqual(faults);
  });

  test.each<[string, Partial<Artifact>]>([
    ['an archived package', { installation_type: 'package' }],
    ['a bare package', { filename: 'App.pkg' }],
  ])('a patch to %s is a fault', (_, some) => {
    const artifacts = [anArtifact({ ...some, deltas: [delta('9')] })];
    expect(members(of('1.0', '10', { artifacts }))).toEqual(['artifacts.0.deltas']);
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
    ['a patch from an older build is no fault', [delta('9'), delta('9.5')], []],
    ['a patch from an invalid build is a fault', [delta('old')], ['artifacts.0.deltas.0.from_build']],
    ['a second patch from the same build is a fault', [delta('9'), delta('9.0')], ['artifacts.0.deltas.1.from_build']],
    ['a patch from the release’s own build is a fault', [delta('10.0')], ['artifacts.0.deltas.0.from_build']],
    ['a patch from a newer build is a fault', [delta('11')], ['artifacts.0.deltas.0.from_build']],
    ['an empty patch is a fault', [delta('9', { size: 0 })], ['artifacts.0.deltas.0']],
    ['a patch that is no .delta file is a fault', [delta('9', { filename: '9.zip' })], ['artifacts.0.deltas.0']],
  ])('%s', (_, deltas, faults) => {
    expect(members(of('1.0', '10', { artifacts: [anArtifact({ deltas })] }))).toEqual(faults);
  });
});

describe('the builds of a feed', () => {
  test('a build number is used once, however it is written', () => {
    expect(sentences(of('1.1', '10.0'), [of('1.0', '10')])).toEqual(['version 1.0 already has the build 10']);
  });

  test('builds rise with versions across all channels', () => {
    const others = [of('1.0', '10'), of('1.2', '20', { channel: 'beta' })];
    expect(members(of('1.1', '15', { channel: 'alpha' }), others)).toEqual([]);
    expect(sentences(of('1.3', '15'), others)).toEqual([
      'version 1.3 has the build 15, which Sparkle takes for older than the 20 of version 1.2; give it a build above 20',
    ]);
    expect(sentences(of('1.1', '25'), others)).toEqual([
      'version 1.2 has the build 20, which Sparkle takes for older than the 25 of version 1.1; first publish a later version in the channel beta with a build above 25, or withdraw version 1.2, or give version 1.1 a build below 20',
    ]);
  });

  test('builds may fall between two releases that are never offered to the same Mac', () => {
    const old = of('1.9', '500', { sparkle: terms({ maximum_system_version: '12.99' }) });
    const recent = of('2.0', '400', { sparkle: terms({ minimum_system_version: '13.0.0' }) });
    expect(members(old, [recent])).toEqual([]);
    expect(members(recent, [old])).toEqual([]);
    expect(members({ ...old, sparkle: terms({ maximum_system_version: '13' }) }, [recent])).toEqual(['build']);
    const arm = of('2.1', '300', { artifacts: [anArtifact({ platform: 'darwin-arm64' })] });
    const intel = of('2.0', '400', { artifacts: [anArtifact({ platform: 'darwin-amd64' })] });
    expect(members(arm, [intel])).toEqual([]);
  });

  test('builds are not compared with releases that the feed leaves out', () => {
    const none = of('1.0', null);
    const linux = of('1.1', '9', { artifacts: [anArtifact({ platform: 'linux-amd64' })] });
    expect(members(none, [of('0.9', '20')])).toEqual([]);
    expect(members(linux, [of('1.0', '20')])).toEqual([]);
    expect(members(of('1.2', '5'), [none, linux])).toEqual([]);
  });
});

test('an unsigned file is listed by version and platform unless its release is in no feed', () => {
  const signed = of('1.0', '1', { artifacts: [anArtifact({ signature: SIGNATURE })] });
  const unsigned = of('1.1', '2', { artifacts: [anArtifact({ platform: 'darwin-arm64' })] });
  expect(unsignedFiles([signed, unsigned, of('1.2', null)])).toEqual(['1.1 for darwin-arm64']);
});

describe('a feed without faults', () => {
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

  test('a Mac on a feed without faults is offered the newest version that it can run and never an older one', () => {
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
