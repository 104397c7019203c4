import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PLATFORMS } from '../../../domain/catalog/platform.ts';
import { coveredRelease, fileOf } from '../../../domain/delivery/offered-release.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import { anArtifact, aRelease, NOW } from '../../support/builders.ts';

describe('the release to download', () => {
  const release = aRelease({ id: 4, released_at: NOW });

  test('the release to download is found by its id', () => {
    expect(coveredRelease([aRelease(), release], 4, null, NOW)).toEqual(ok(release));
    expect(coveredRelease([aRelease()], 4, null, NOW)).toMatchObject({ code: 'not_found' });
  });

  test('the release to download came out within the update window', () => {
    fc.assert(
      fc.property(fc.integer({ min: -30, max: 30 }), (days) => {
        const found = coveredRelease([release], 4, addDays(NOW, days), NOW);
        if (days >= 0) expect(found).toEqual(ok(release));
        else expect(found).toMatchObject({ code: 'version_update_window_expired' });
      }),
    );
  });
});

describe('a release that can’t be downloaded', () => {
  const withdrawn = { at: NOW, reason: 'It loses notes' };

  test('a withdrawn release is refused with its reason, even after the update window', () => {
    for (const until of [null, addDays(NOW, -800)]) {
      const found = coveredRelease([aRelease({ id: 4, version: '1.3.0', withdrawn })], 4, until, NOW);
      expect(found).toMatchObject({
        code: 'install_not_available',
        message: 'Version 1.3.0 was withdrawn: It loses notes.',
      });
    }
  });

  test('a release with a future date is not found, withdrawn or not', () => {
    const later = aRelease({ id: 4, released_at: addDays(NOW, 1) });
    for (const release of [later, { ...later, withdrawn }]) {
      expect(coveredRelease([release], 4, null, NOW)).toEqual(coveredRelease([], 4, null, NOW));
    }
  });
});

describe('the file of a release', () => {
  const delta = { from_build: '3', filename: 'a.delta', sha256: '1'.repeat(64), size: 1, signature: null };
  const mac = anArtifact({ platform: 'darwin-arm64', deltas: [delta] });
  const release = aRelease({ artifacts: [mac, anArtifact({ platform: 'linux-amd64' })] });

  test('the file of a release is that of the platform, or the patch from a build', () => {
    expect(fileOf(release, { platform: 'darwin-arm64', delta: null }, PLATFORMS, [release])).toEqual(ok(mac));
    expect(fileOf(release, { platform: 'darwin-arm64', delta: '3' }, PLATFORMS, [release])).toEqual(ok(delta));
  });

  test.each([
    [{ platform: 'darwin-amd64', delta: null }, 'no file for darwin-amd64'],
    [{ platform: 'darwin-arm64', delta: '2' }, 'no patch from build 2'],
  ] as const)('a choice of %j finds no file: %s', (choice, message) => {
    expect(fileOf(release, choice, PLATFORMS, [release])).toMatchObject({
      code: 'install_not_available',
      message: expect.stringContaining(message),
      ko: expect.stringMatching(/[가-힣]/),
    });
  });

  test('the file of a release must be requested by platform if the releases have files for several', () => {
    const single = aRelease({ artifacts: [mac] });
    const any = { platform: null, delta: null };
    expect(fileOf(single, any, PLATFORMS, [single])).toEqual(ok(mac));
    expect(fileOf(single, any, PLATFORMS, [single, release])).toMatchObject({ code: 'validation_failed' });
    expect(fileOf(release, any, PLATFORMS, [release])).toMatchObject({
      data: { errors: { platform: [expect.stringContaining('darwin-arm64, linux-amd64.')] } },
    });
  });
});
