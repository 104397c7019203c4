import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PLATFORMS, SPECIFIED_PLATFORMS } from '../../../domain/catalog/platform.ts';
import { CHANNELS } from '../../../domain/delivery/channel.ts';
import { chooseInstall, ownRelease } from '../../../domain/delivery/offered-release.ts';
import { isCovered, type Release } from '../../../domain/delivery/release.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { aLine, anArtifact, aRelease, NOW } from '../../support/builders.ts';

const WINDOW = NOW;
const FILES = (['darwin-arm64', 'linux-amd64', 'linux-arm64'] as const).map((platform) =>
  anArtifact({ platform, filename: platform }),
);

describe('the release shown to an owner', () => {
  const one = aRelease({ id: 1, version: '1.0', released_at: addDays(NOW, -30) });
  const two = aRelease({ id: 2, version: '2.0', released_at: addDays(NOW, 1) });
  const beta = aRelease({ id: 3, version: '3.0b1', channel: 'beta', released_at: addDays(NOW, -1) });

  test('the owner gets the newest covered stable release and learns of a newer one that is not covered', () => {
    expect(ownRelease(aLine([one, two, beta]), WINDOW)).toMatchObject({ release: one, uncovered: two });
    expect(ownRelease(aLine([one, two, beta]), null)).toMatchObject({ release: two, uncovered: null });
  });

  test('the owner gets a less stable release only if no stable one is covered', () => {
    expect(ownRelease(aLine([two, beta]), WINDOW)).toMatchObject({ release: beta, uncovered: null });
    expect(ownRelease(aLine([beta]), null)).toMatchObject({ release: beta, uncovered: null });
  });

  test('the owner may download every older covered release that is at least as stable, newest first', () => {
    const releases = Array.from({ length: 30 }, (_, n) =>
      aRelease({ id: 10 + n, version: `0.${n}`, released_at: addDays(NOW, n - 100) }),
    );
    const empty = aRelease({ id: 4, version: '0.99', released_at: addDays(NOW, -2), artifacts: [] });
    const { older } = ownRelease(aLine([...releases, empty, one, two, beta]), WINDOW);
    expect(older.map(({ version }) => version)).toEqual(Array.from({ length: 20 }, (_, n) => `0.${29 - n}`));
    expect(ownRelease(aLine([one, two]), null).older).toEqual([one]);
    expect(ownRelease(aLine([two]), WINDOW).older).toEqual([]);
  });

  test('a release without a file is skipped', () => {
    const empty = aRelease({ id: 4, version: '1.5', released_at: addDays(NOW, -2), artifacts: [] });
    expect(ownRelease(aLine([one, empty]), WINDOW).release).toBe(one);
  });

  test('an owner with an expired update window learns of the newest stable release', () => {
    expect(ownRelease(aLine([two]), WINDOW)).toEqual({ files: [], release: null, older: [], uncovered: two });
    expect(ownRelease(aLine([]), WINDOW)).toEqual({ files: [], release: null, older: [], uncovered: null });
  });

  test('a version for one platform leaves the other platforms their earlier files', () => {
    const old = aRelease({ id: 1, version: '1.2.0', artifacts: FILES.slice(0, 2) });
    const mac = aRelease({ id: 2, version: '1.9.0', artifacts: FILES.slice(0, 1) });
    const trial = aRelease({ id: 3, version: '2.0.0', channel: 'beta', artifacts: FILES.slice(1, 3) });
    const { files, release } = ownRelease(aLine([old, mac, trial]), null);
    expect(files.map((file) => [file.artifact.platform, file.release.version])).toEqual([
      ['darwin-arm64', '1.9.0'],
      ['linux-arm64', '2.0.0'],
      ['linux-amd64', '1.2.0'],
    ]);
    expect(release).toBe(mac);
  });

  test('a file for every platform is listed once, beside the newer file of one platform', () => {
    const all = aRelease({ id: 1, version: '1.0.0', artifacts: [anArtifact()] });
    const mac = aRelease({ id: 2, version: '1.1.0', artifacts: FILES.slice(0, 1) });
    const { files } = ownRelease(aLine([all, mac]), null);
    expect(files.map((file) => [file.artifact.platform, file.release.version])).toEqual([
      ['darwin-arm64', '1.1.0'],
      [null, '1.0.0'],
    ]);
    expect(ownRelease({ ...aLine([all]), platforms: [] }, null).files).toHaveLength(1);
  });

  test('an older file for every platform is not listed for Windows, unless the product has files for Windows', () => {
    const all = aRelease({ id: 1, version: '1.0.0', artifacts: [anArtifact()] });
    const own = aRelease({
      id: 2,
      version: '1.1.0',
      artifacts: SPECIFIED_PLATFORMS.map((platform) => anArtifact({ platform, filename: platform })),
    });
    const windows = aRelease({ id: 3, version: '1.1.1', artifacts: [anArtifact({ platform: 'windows-amd64' })] });
    const listed = (some: readonly Release[]) =>
      ownRelease(aLine(some), null).files.map(({ artifact }) => artifact.platform);
    expect(listed([all, own])).toEqual(SPECIFIED_PLATFORMS);
    expect(listed([all, own, windows])).toEqual([...SPECIFIED_PLATFORMS, 'windows-amd64']);
  });

  const releases = fc
    .array(
      fc.record({
        n: fc.integer({ min: 0, max: 9 }),
        days: fc.integer({ min: -5, max: 5 }),
        channel: fc.constantFrom(...CHANNELS),
        platform: fc.constantFrom(null, ...PLATFORMS),
      }),
    )
    .map((all) =>
      all.map(({ n, days, channel, platform }, id) =>
        aRelease({
          id,
          version: `1.${n}`,
          channel,
          released_at: addDays(NOW, days),
          artifacts: [anArtifact({ platform, filename: String(id) })],
        }),
      ),
    );

  test('the install plan of a channel gives each platform the file that its owner sees', () => {
    fc.assert(
      fc.property(releases, (all) => {
        const line = aLine(all);
        const { files, uncovered } = ownRelease(line, WINDOW);
        const shown = new Set<unknown>();
        for (const platform of line.listed) {
          const plans = CHANNELS.map((channel) => chooseInstall(line, WINDOW, { channel, platform, release: null }));
          const plan = plans.find(({ ok }) => ok);
          if (plan?.ok) shown.add(plan.value.artifact);
        }
        expect(new Set(files.map(({ artifact }) => artifact))).toEqual(shown);
        expect(files).toHaveLength(shown.size);
        if (uncovered) expect(isCovered(uncovered, WINDOW)).toBe(false);
      }),
    );
  });
});
