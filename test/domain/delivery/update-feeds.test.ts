import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { versions } from '../../../adapters/versions/versions.ts';
import type { Platform } from '../../../domain/catalog/platform.ts';
import { CHANNELS } from '../../../domain/delivery/channel.ts';
import { isOpenToAll, updateReadersOf } from '../../../domain/delivery/feed-access.ts';
import { releaseLine } from '../../../domain/delivery/offered-release.ts';
import { type Artifact, isUpdaterSignature, type Release } from '../../../domain/delivery/release.ts';
import { NO_TERMS } from '../../../domain/delivery/sparkle-terms.ts';
import {
  electronFeed,
  feedNamed,
  fileNamed,
  reachedPercentage,
  tauriUpdate,
  type UpdateReader,
  velopackFeed,
} from '../../../domain/delivery/update-feeds.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { anApp, anArtifact, aProduct, aRelease, NOW } from '../../support/builders.ts';

const sums = { sha1: 'ab'.repeat(20), sha512: 'c3Vt' };
const aFile = (platform: Platform | null, filename: string, more: Partial<Artifact> = {}): Artifact =>
  anArtifact({ platform, filename, sums, ...more });
const setup = (platform: Platform): Artifact => aFile(platform, `App ${platform}.exe`);
const reader = (more: Partial<UpdateReader> = {}): UpdateReader => ({
  channel: 'stable',
  updates_until: null,
  now: NOW,
  ...more,
});
const lineOf = (releases: readonly Release[], platforms: readonly string[] = []) =>
  releaseLine(aProduct({ platforms }), releases, NOW, versions.order('semver'));
const noTicket = (): null => null;

const electron = (releases: readonly Release[], more: Partial<UpdateReader> = {}, mark = '') =>
  electronFeed(lineOf(releases), mark, reader(more), noTicket);

describe('the access to update feeds', () => {
  test('a macOS application’s update feeds are as public as its appcast, and another product’s only on request', () => {
    expect([anApp(), anApp({ feed: 'entitled' })].map(updateReadersOf)).toEqual(['public', 'entitled']);
    expect([aProduct(), aProduct({ feed: 'public' })].map(updateReadersOf)).toEqual([null, null]);
    expect(updateReadersOf(aProduct({ update_feeds: true, feed: 'entitled' }))).toBe('entitled');
  });

  test('the downloads of a product without update feeds stay private, whatever access it sets', () => {
    expect(isOpenToAll(aProduct({ feed: 'public' }))).toBe(false);
    expect(isOpenToAll(aProduct({ update_feeds: true }))).toBe(true);
  });
});

describe('the name of a feed', () => {
  test.each([
    ['latest.yml', 'electron', 'stable', ''],
    ['beta-mac.yml', 'electron', 'beta', '-mac'],
    ['dev-linux-arm64.yml', 'electron', 'dev', '-linux-arm64'],
    ['releases.win.json', 'velopack', 'stable', 'win-x64'],
    ['releases.osx-arm64.json', 'velopack', 'stable', 'osx-arm64'],
    ['releases.linux-x64-beta.json', 'velopack', 'beta', 'linux-x64'],
    ['releases.win-stable.json', 'velopack', 'stable', 'win-x64'],
  ])('%s is the feed of %s for the channel %s', (file, updater, channel, mark) => {
    expect(feedNamed(file)).toEqual({ updater, channel, mark });
  });

  test.each([
    'stable.yml',
    'latest-linux-arm.yml',
    'releases.json',
    'releases.beta.json',
    'App.exe',
    '',
  ])('the name %j is not a feed', (file) => {
    expect(feedNamed(file)).toBeNull();
  });
});

describe('the feed of electron-updater', () => {
  test('the feed has the newest release, its files for Windows with the x64 one first, and the sums of each', () => {
    const both = [setup('windows-arm64'), setup('windows-amd64')];
    const releases = [
      aRelease({ id: 1, version: '1.0.0', artifacts: both }),
      aRelease({ id: 2, version: '1.1.0', artifacts: both }),
    ];
    const url = 'App%20windows-amd64.exe?release=2&platform=windows-amd64';
    expect(electron(releases)).toEqual({
      version: '1.1.0',
      files: [
        { url, sha512: 'c3Vt', size: 1024 },
        { url: 'App%20windows-arm64.exe?release=2&platform=windows-arm64', sha512: 'c3Vt', size: 1024 },
      ],
      path: url,
      sha512: 'c3Vt',
      releaseDate: aRelease().released_at,
    });
    expect(electronFeed(lineOf(releases), '', reader(), () => 'abc')?.path).toBe(`${url}&ticket=abc`);
  });

  test('a release without a file for a processor is not offered until the file is added', () => {
    const old = aRelease({ id: 1, version: '1.0.0', artifacts: [setup('windows-amd64'), setup('windows-arm64')] });
    const next = aRelease({ id: 2, version: '1.1.0', artifacts: [setup('windows-arm64')] });
    expect(electron([old, next])?.version).toBe('1.0.0');
    const whole = { ...next, artifacts: [...next.artifacts, setup('windows-amd64')] };
    expect(electron([old, whole])?.version).toBe('1.1.0');
    expect(electron([next])?.files).toHaveLength(1);
  });

  test('a universal file is listed once, for every Mac', () => {
    const release = aRelease({ artifacts: [aFile(null, 'App.zip')] });
    expect(electron([release], {}, '-mac')?.files.map(({ url }) => url)).toEqual(['App.zip?release=1']);
  });

  test.each(['App.AppImage', 'app.deb', 'app.rpm', 'app.pacman'])('an update for Linux can be the file %s', (name) => {
    const release = aRelease({ artifacts: [aFile('linux-amd64', name)] });
    expect(electron([release], {}, '-linux')?.path).toBe(`${name}?release=1&platform=linux-amd64`);
  });

  test.each<[string, Partial<Release>]>([
    ['a file without sums', { artifacts: [anArtifact({ platform: 'windows-amd64', filename: 'App.exe' })] }],
    ['a file of another kind', { artifacts: [aFile('windows-amd64', 'App.msi')] }],
    ['a file for another system', { artifacts: [setup('linux-amd64')] }],
    ['a version that is no semantic one', { version: '2.0b1' }],
    ['a withdrawal', { withdrawn: { at: NOW, reason: 'broken' } }],
    ['a later moment', { released_at: addDays(NOW, 1) }],
    ['a less stable channel', { channel: 'beta' }],
    [
      'no install, only information',
      { sparkle: { ...NO_TERMS, informational: { versions: [], below_version: null } } },
    ],
  ])('a release with %s is skipped in favor of the one before it', (_, more) => {
    const old = aRelease({ id: 1, version: '1.0.0', artifacts: [setup('windows-amd64')] });
    const next = aRelease({ id: 2, version: '2.0.0', artifacts: [setup('windows-amd64')], ...more });
    const order = versions.order(next.version === '2.0b1' ? 'sparkle' : 'semver');
    const line = releaseLine(aProduct(), [old, next], NOW, order);
    expect(electronFeed(line, '', reader(), noTicket)?.version).toBe('1.0.0');
    const only = releaseLine(aProduct(), [next], NOW, order);
    expect(electronFeed(only, '', reader(), noTicket)).toBeNull();
  });

  test('a release beyond the update window is left out', () => {
    const release = aRelease({ artifacts: [setup('windows-amd64')] });
    expect(electron([release], { updates_until: addDays(release.released_at, -1) })).toBeNull();
    expect(electron([release], { updates_until: release.released_at })?.version).toBe('1.0.0');
  });

  test('a feed offers no release of a less stable channel and no withdrawn one', () => {
    const one = fc.record({
      n: fc.nat({ max: 9 }),
      channel: fc.constantFrom(...CHANNELS),
      withdrawn: fc.constantFrom(undefined, { at: NOW, reason: 'broken' }),
    });
    fc.assert(
      fc.property(fc.array(one), fc.constantFrom(...CHANNELS), (made, channel) => {
        const releases = made.map(({ n, ...more }, id) =>
          aRelease({ id: id + 1, version: `1.${n}.0`, artifacts: [setup('windows-amd64')], ...more }),
        );
        const feed = electron(releases, { channel });
        const right = releases.filter(
          (release) => !release.withdrawn && CHANNELS.indexOf(release.channel) <= CHANNELS.indexOf(channel),
        );
        const newest = Math.max(-1, ...right.map(({ version }) => Number(version.split('.')[1])));
        expect(feed?.version).toBe(newest < 0 ? undefined : `1.${newest}.0`);
      }),
    );
  });
});

describe('a phased rollout', () => {
  const phased = (days: number, more: object = {}): Release =>
    aRelease({
      id: 2,
      version: '2.0.0',
      released_at: addDays(NOW, -days),
      sparkle: { ...NO_TERMS, phased_rollout_interval: 86_400, ...more },
      artifacts: [
        setup('windows-amd64'),
        aFile('linux-amd64', 'App-2.0.0-full.nupkg', { updater_signature: 'signature' }),
      ],
    });

  test.each([
    [0, 14],
    [1, 28],
    [5, 85],
    [6, 100],
    [60, 100],
  ])('after %i days of seven daily groups, %i percent of the users are reached', (days, percentage) => {
    expect(reachedPercentage(phased(days), NOW)).toBe(percentage);
    expect(electron([phased(days)])?.stagingPercentage).toBe(percentage === 100 ? undefined : percentage);
  });

  test('a critical update reaches everybody at once', () => {
    expect(reachedPercentage(phased(0, { critical: { below_version: null } }), NOW)).toBe(100);
    expect(reachedPercentage(phased(0, { critical: { below_version: '5' } }), NOW)).toBe(14);
  });

  test('updaters without groups get the previous release until the rollout is complete', () => {
    const old = aRelease({
      artifacts: [aFile('linux-amd64', 'App-1.0.0-full.nupkg', { updater_signature: 'signature' })],
    });
    const client = { target: 'linux', arch: 'x86_64', version: '0.9.0' };
    for (const [days, version] of [
      [5, '1.0.0'],
      [6, '2.0.0'],
    ] as const) {
      const line = lineOf([old, phased(days)]);
      expect(velopackFeed(line, 'linux-x64', reader()).Assets[0]?.Version).toBe(version);
      expect(tauriUpdate(line, client, reader(), () => '')?.version).toBe(version);
    }
  });
});

describe('the feed of Velopack', () => {
  const nupkg = (filename: string, version = '1.2.0') =>
    aRelease({ version, notes_en: 'News', artifacts: [aFile('windows-amd64', filename, { sha256: 'ef'.repeat(32) })] });

  test('the feed has the newest full package, with sums in upper case as Velopack compares them', () => {
    expect(velopackFeed(lineOf([nupkg('Acme.App-1.2.0-full.nupkg')]), 'win-x64', reader())).toEqual({
      Assets: [
        {
          PackageId: 'Acme.App',
          Version: '1.2.0',
          Type: 'Full',
          FileName: 'Acme.App-1.2.0-full.nupkg',
          SHA1: 'AB'.repeat(20),
          SHA256: 'EF'.repeat(32),
          Size: 1024,
          NotesMarkdown: 'News',
        },
      ],
    });
  });

  test('the package id is the start of the file name, before the version and the channel', () => {
    const feed = velopackFeed(lineOf([nupkg('App-2-1.2.0-win-arm64-full.nupkg')]), 'win-x64', reader());
    expect(feed.Assets.map(({ PackageId }) => PackageId)).toEqual(['App-2']);
  });

  test.each([
    'App-1.2.0-delta.nupkg',
    'App-Setup.exe',
    'App-1.1.0-full.nupkg',
    '-1.2.0-full.nupkg',
  ])('the feed is empty if the only file is %s, which is no package of version 1.2.0', (filename) => {
    expect(velopackFeed(lineOf([nupkg(filename)]), 'win-x64', reader())).toEqual({ Assets: [] });
  });

  test('a feed for another system or processor is empty', () => {
    const line = lineOf([nupkg('App-1.2.0-full.nupkg')]);
    for (const mark of ['win-arm64', 'osx-x64', 'linux-x64']) {
      expect(velopackFeed(line, mark, reader())).toEqual({ Assets: [] });
    }
  });
});

describe('the update of Tauri', () => {
  const release = aRelease({
    version: '1.2.0',
    notes_ko: '새로움',
    artifacts: [
      aFile('darwin-arm64', 'App.app.tar.gz', { updater_signature: 'mac' }),
      aFile('windows-amd64', 'App-setup.exe', { updater_signature: 'win' }),
      aFile('linux-amd64', 'App.AppImage'),
    ],
  });
  const update = (target: string, arch: string, version: string) =>
    tauriUpdate(
      lineOf([release]),
      { target, arch, version },
      reader(),
      ({ id }, { platform }) => `https://a.example/${id}/${platform}`,
    );

  test('the update has the file of the platform with its stored signature', () => {
    expect(update('windows', 'x86_64', '1.1.9')).toEqual({
      version: '1.2.0',
      url: 'https://a.example/1/windows-amd64',
      signature: 'win',
      notes: '새로움',
      pub_date: release.released_at,
    });
    expect(update('darwin', 'aarch64', '1.1.9')?.signature).toBe('mac');
  });

  test.each([
    ['the same version', 'windows', 'x86_64', '1.2.0'],
    ['a newer version', 'windows', 'x86_64', '1.3.0-beta.1'],
    ['a platform whose file has no signature', 'linux', 'x86_64', '1.0.0'],
    ['a processor that no file is for', 'windows', 'i686', '1.0.0'],
    ['a system that there is none of', '__proto__', 'x86_64', '1.0.0'],
  ])('a client with %s gets no update', (_, target, arch, version) => {
    expect(update(target, arch, version)).toBeNull();
  });
});

test('the updater takes only a base64-encoded minisign file as a signature', () => {
  const text = Buffer.from('untrusted comment: signature from tauri secret key\nRWQ=\n').toString('base64');
  expect(isUpdaterSignature(text)).toBe(true);
  expect([btoa('trusted'), `${text}\n`, '', text.repeat(40)].map(isUpdaterSignature)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('a file is found by name in the newest release, unless the link names a release or a platform', () => {
  const files = [setup('windows-amd64'), { ...setup('windows-arm64'), filename: 'App windows-amd64.exe' }];
  const old = aRelease({ id: 1, released_at: addDays(NOW, -9), artifacts: files });
  const next = aRelease({ id: 2, released_at: addDays(NOW, -1), artifacts: files });
  const found = (release: number | null, platform: Platform | null) => {
    const named = fileNamed([next, old], 'App windows-amd64.exe', { release, platform });
    return named && [named.release.id, named.artifact.platform];
  };
  expect(found(null, null)).toEqual([2, 'windows-amd64']);
  expect(found(1, 'windows-arm64')).toEqual([1, 'windows-arm64']);
  expect(found(3, null)).toBeUndefined();
  expect(found(null, 'linux-amd64')).toBeUndefined();
});
