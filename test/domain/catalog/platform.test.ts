import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { browse } from '../../../domain/catalog/browse.ts';
import {
  listedPlatforms,
  namedPlatforms,
  PLATFORMS,
  type Platform,
  productPlatforms,
  SPECIFIED_PLATFORMS,
} from '../../../domain/catalog/platform.ts';
import { chooseInstall, releaseLine } from '../../../domain/delivery/offered-release.ts';
import type { Artifact } from '../../../domain/delivery/release.ts';
import { sparkleOrder } from '../../../domain/delivery/version-order.ts';
import { aCatalog, aLine, anApp, anArtifact, aProduct, aRelease, NOW } from '../../support/builders.ts';

const MACS = ['darwin-arm64', 'darwin-amd64'] as const;

describe('the platforms of a product', () => {
  test.each([
    [['macos'], MACS],
    [['darwin'], MACS],
    [['MacOS'], MACS],
    [['linux'], ['linux-arm64', 'linux-amd64']],
    [
      ['linux-amd64', 'macos'],
      [...MACS, 'linux-amd64'],
    ],
    [['Windows'], ['windows-arm64', 'windows-amd64']],
    [['any'], PLATFORMS],
    [['amiga', 'constructor', 'linux-mips', ''], []],
    [[], []],
  ])('the platform names %j mean the platforms %j', (names, platforms) => {
    expect(namedPlatforms(names)).toEqual(platforms);
  });

  test('a product that names no platform runs on every platform', () => {
    expect(productPlatforms(aProduct({ platforms: [] }))).toEqual(PLATFORMS);
    expect(productPlatforms(aProduct({ platforms: ['amiga'] }))).toEqual([]);
  });

  test.each([
    [[], MACS],
    [['any'], MACS],
    [['darwin-arm64'], ['darwin-arm64']],
    [['linux', 'macos'], MACS],
    [['linux'], []],
  ])('a macOS application that names the platforms %j runs on %j', (platforms, runsOn) => {
    expect(productPlatforms(anApp({ platforms }))).toEqual(runsOn);
  });
});

describe('the platforms that a list shows', () => {
  test.each<[names: string[], files: (Platform | null)[], added: Platform[]]>([
    [[], [null], []],
    [['any'], ['linux-amd64', null], []],
    [['any'], ['windows-amd64'], ['windows-amd64']],
    [[], ['windows-arm64', 'windows-amd64'], ['windows-arm64', 'windows-amd64']],
    [[' Windows '], [], ['windows-arm64', 'windows-amd64']],
    [['windows-amd64'], [null], ['windows-amd64']],
  ])('a product that names %j and has files for %j lists %j beside the specified platforms', (names, files, added) => {
    expect(listedPlatforms(names, files)).toEqual([...SPECIFIED_PLATFORMS, ...added]);
  });

  test('a refusal names Windows only where the product has a file for it', () => {
    const mac = anArtifact({ platform: 'darwin-arm64' });
    const refused = (artifacts: readonly Artifact[]) =>
      chooseInstall(aLine([aRelease({ artifacts })]), null, {
        channel: 'stable',
        platform: 'linux-amd64',
        release: null,
      });
    expect(refused([mac])).toMatchObject({ message: expect.stringMatching(/files for darwin-arm64\.$/) });
    expect(refused([mac, anArtifact({ platform: 'windows-amd64' })])).toMatchObject({
      message: expect.stringMatching(/files for darwin-arm64, windows-amd64\.$/),
    });
  });
});

describe('a file for every platform', () => {
  const plan = (names: readonly string[], platform: (typeof PLATFORMS)[number]) =>
    chooseInstall(aLine([aRelease()], names), null, { channel: 'stable', platform, release: null });

  test('a file for every platform serves each platform that the product names, and no other', () => {
    const names = fc.subarray(['macos', 'linux', ...PLATFORMS, 'amiga'], { minLength: 1 });
    fc.assert(
      fc.property(names, fc.constantFrom(...PLATFORMS), (some, platform) => {
        expect(plan(some, platform).ok).toBe(namedPlatforms(some).includes(platform));
      }),
    );
  });

  test('a macOS application that names no platform is planned for Macs alone', () => {
    const line = releaseLine(anApp(), [aRelease()], NOW, sparkleOrder());
    const planned = PLATFORMS.filter(
      (platform) => chooseInstall(line, null, { channel: 'stable', platform, release: null }).ok,
    );
    expect(planned).toEqual(MACS);
  });

  test('the refusal of a macOS application for Linux names the available platforms', () => {
    expect(plan(['macos'], 'linux-amd64')).toMatchObject({
      code: 'install_not_available',
      message:
        'What you can install on channel stable has no file for linux-amd64; there are files for darwin-arm64, darwin-amd64.',
    });
    expect(plan(['amiga'], 'linux-amd64')).toMatchObject({ message: expect.stringContaining('leave out "platform"') });
  });

  test('a published file serves its platform even if the product does not list the platform', () => {
    const own = aRelease({ artifacts: [anArtifact({ platform: 'linux-amd64' })] });
    const input = { channel: 'stable', platform: 'linux-amd64', release: null } as const;
    expect(chooseInstall(aLine([own], ['macos']), null, input).ok).toBe(true);
  });
});

describe('the filter of a list by platform', () => {
  test.each([
    ['macos', ['darwin-arm64'], true],
    ['macos', ['linux'], false],
    ['darwin-arm64', ['macos'], true],
    ['darwin-arm64', ['darwin-amd64'], false],
    ['linux-amd64', ['any'], true],
    ['linux', [], true],
    ['windows', ['Windows'], true],
    ['windows', ['macos'], false],
    ['windows-arm64', ['windows-amd64'], false],
    ['amiga', ['Amiga'], true],
    ['amiga', ['macos'], false],
  ])('the platform %s finds a product that names %j: %s', (asked, platforms, finds) => {
    const catalog = aCatalog({ products: [aProduct({ platforms })] });
    const input = { category_id: null, tag_id: null, q: null, platform: asked, sort: 'id' } as const;
    expect(browse(catalog, input, 'en')).toHaveLength(finds ? 1 : 0);
  });

  test.each([
    ['macos', true],
    ['darwin-amd64', true],
    ['any', true],
    ['linux', false],
    ['linux-amd64', false],
    ['windows', false],
  ])('the platform %s finds a macOS application that names no platform: %s', (platform, finds) => {
    const catalog = aCatalog({ products: [anApp({ platforms: [] })] });
    const input = { category_id: null, tag_id: null, q: null, platform, sort: 'id' } as const;
    expect(browse(catalog, input, 'en')).toHaveLength(finds ? 1 : 0);
  });
});
