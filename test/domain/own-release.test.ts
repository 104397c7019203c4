import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHANNELS } from '../../domain/delivery/channel.ts';
import { chooseInstall } from '../../domain/delivery/install-plan.ts';
import { ownRelease } from '../../domain/delivery/own-release.ts';
import { isCovered } from '../../domain/delivery/release.ts';
import { addDays } from '../../domain/shared/instant.ts';
import { aLine, anArtifact, aRelease, NOW } from '../support/builders.ts';

const WINDOW = NOW;

describe('the release of an owner', () => {
  const one = aRelease({ id: 1, version: '1.0', released_at: addDays(NOW, -30) });
  const two = aRelease({ id: 2, version: '2.0', released_at: addDays(NOW, 1) });
  const beta = aRelease({ id: 3, version: '3.0b1', channel: 'beta', released_at: addDays(NOW, -1) });

  test('the owner gets the newest covered stable release, and hears of a newer one that is not covered', () => {
    expect(ownRelease(aLine([one, two, beta]), WINDOW)).toEqual({ release: one, uncovered: two });
    expect(ownRelease(aLine([one, two, beta]), null)).toEqual({ release: two, uncovered: null });
  });

  test('the owner gets a less stable release only where no stable one is covered', () => {
    expect(ownRelease(aLine([two, beta]), WINDOW)).toEqual({ release: beta, uncovered: null });
    expect(ownRelease(aLine([beta]), null)).toEqual({ release: beta, uncovered: null });
  });

  test('a release without a file is passed over', () => {
    const empty = aRelease({ id: 4, version: '1.5', released_at: addDays(NOW, -2), artifacts: [] });
    expect(ownRelease(aLine([one, empty]), WINDOW).release).toBe(one);
  });

  test('an owner whom nothing covers hears of the newest stable release', () => {
    expect(ownRelease(aLine([two]), WINDOW)).toEqual({ release: null, uncovered: two });
    expect(ownRelease(aLine([]), WINDOW)).toEqual({ release: null, uncovered: null });
  });

  const releases = fc
    .array(
      fc.record({
        n: fc.integer({ min: 0, max: 9 }),
        days: fc.integer({ min: -5, max: 5 }),
        channel: fc.constantFrom(...CHANNELS),
      }),
    )
    .map((all) =>
      all.map(({ n, days, channel }, id) =>
        aRelease({ id, version: `1.${n}`, channel, released_at: addDays(NOW, days), artifacts: [anArtifact()] }),
      ),
    );

  test('the install plan of the same channel gives the same version', () => {
    fc.assert(
      fc.property(releases, (all) => {
        const { release, uncovered } = ownRelease(aLine(all), WINDOW);
        const channel = release?.channel ?? 'dev';
        const plan = chooseInstall(aLine(all), WINDOW, { channel, platform: null, release: null });
        expect(plan.ok ? plan.value.release.version : null).toBe(release?.version ?? null);
        if (uncovered) expect(isCovered(uncovered, WINDOW)).toBe(false);
      }),
    );
  });
});
