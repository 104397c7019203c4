import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PLATFORMS } from '../../../domain/catalog/platform.ts';
import { CHANNELS, channelOffers } from '../../../domain/delivery/channel.ts';
import {
  chooseInstall,
  currentBundle,
  currentRelease,
  type InstallSelection,
  offerUpdate,
  updateAvailable,
} from '../../../domain/delivery/offered-release.ts';
import { artifactFor, isCovered, type Release } from '../../../domain/delivery/release.ts';
import { sparkleOrder } from '../../../domain/delivery/version-order.ts';
import { addDays, millis, toInstant } from '../../../domain/shared/instant.ts';
import { aLine, anArtifact, aRelease, NOW } from '../../support/builders.ts';

const order = sparkleOrder();
const aRunInput = (overrides: Partial<InstallSelection> = {}): InstallSelection => ({
  channel: null,
  platform: null,
  release: null,
  ...overrides,
});
const forArm = anArtifact({ platform: 'darwin-arm64', filename: 'arm.zip' });
const forLinux = anArtifact({ platform: 'linux-amd64', filename: 'linux.zip' });
const forAll = anArtifact({ filename: 'all.zip' });

test('each channel from stable to dev also offers the releases of the more stable channels', () => {
  const offered = (asked: (typeof CHANNELS)[number]) => CHANNELS.filter((released) => channelOffers(asked, released));
  expect(offered('stable')).toEqual(['stable']);
  expect(offered('beta')).toEqual(['stable', 'beta']);
  expect(offered('alpha')).toEqual(['stable', 'beta', 'alpha']);
  expect(offered('dev')).toEqual(['stable', 'beta', 'alpha', 'dev']);
});

describe('the artifact for a platform', () => {
  test('a platform’s own artifact takes precedence over the one for every platform', () => {
    const release = aRelease({ artifacts: [forAll, forArm] });
    expect(artifactFor(release, 'darwin-arm64', PLATFORMS)).toBe(forArm);
    expect(artifactFor(release, 'linux-arm64', PLATFORMS)).toBe(forAll);
  });

  test('a platform without an artifact in the release gets none', () => {
    expect(artifactFor(aRelease({ artifacts: [forArm] }), 'darwin-amd64', PLATFORMS)).toBeUndefined();
    expect(artifactFor(aRelease({ artifacts: [] }), null, PLATFORMS)).toBeUndefined();
  });

  test('a request without a platform gets the artifact for every platform or the only one', () => {
    expect(artifactFor(aRelease({ artifacts: [forArm, forAll] }), null, PLATFORMS)).toBe(forAll);
    expect(artifactFor(aRelease({ artifacts: [forArm] }), null, PLATFORMS)).toBe(forArm);
    expect(artifactFor(aRelease({ artifacts: [forArm, forLinux] }), null, PLATFORMS)).toBeUndefined();
  });
});

test('an update window covers the releases up to its last moment', () => {
  const release = aRelease({ released_at: NOW });
  expect(isCovered(release, NOW)).toBe(true);
  expect(isCovered(release, toInstant(millis(NOW) - 1))).toBe(false);
  expect(isCovered(release, null)).toBe(true);
});

describe('an install plan', () => {
  const one = aRelease({ id: 1, version: '1.0', released_at: addDays(NOW, -30) });
  const two = aRelease({ id: 2, version: '2.0', released_at: addDays(NOW, -10) });
  const beta = aRelease({ id: 3, version: '3.0b1', channel: 'beta', released_at: NOW, artifacts: [forArm] });
  const releases = [two, beta, one];
  const twoFiles = aRelease({ id: 5, artifacts: [forArm, forLinux] });

  test('an install plan picks the newest release by version and not by date', () => {
    const patch = aRelease({ id: 4, version: '1.1', released_at: NOW });
    expect(chooseInstall(aLine([...releases, patch]), null, aRunInput())).toMatchObject({ value: { release: two } });
  });

  test('an install plan picks the newest release within the update window', () => {
    expect(chooseInstall(aLine(releases), addDays(NOW, -20), aRunInput())).toMatchObject({ value: { release: one } });
  });

  test('an install plan picks the newest release with a file for the platform', () => {
    const input = aRunInput({ channel: 'beta', platform: 'darwin-arm64' });
    expect(chooseInstall(aLine(releases), null, input)).toMatchObject({ value: { release: beta, artifact: forArm } });
    const linux = aRunInput({ channel: 'beta', platform: 'linux-amd64' });
    expect(chooseInstall(aLine(releases), null, linux)).toMatchObject({ value: { release: two } });
  });

  test.each([
    [null, beta, null],
    ['beta', beta, null],
    ['dev', beta, null],
    [null, one, null],
    ['stable', beta, 'Release 3 is on channel beta, which channel stable does not include'],
  ] as const)('a release requested by id obeys the channel %s if one is named', (channel, release, refused) => {
    const plan = chooseInstall(
      aLine(releases),
      null,
      aRunInput({ channel, release: release.id, platform: 'darwin-arm64' }),
    );
    expect(plan).toMatchObject(
      refused === null
        ? { value: { release } }
        : { code: 'install_not_available', message: expect.stringContaining(refused), ko: expect.any(String) },
    );
  });

  test.each<[string, Release[], object | string]>([
    ['its only file', [aRelease({ artifacts: [forArm] })], forArm],
    ['the file for every platform', [aRelease({ artifacts: [forArm, forAll] })], forAll],
    ['the question for it', [aRelease({ artifacts: [forArm, forLinux] })], 'darwin-arm64, linux-amd64.'],
    [
      'the question where an older release is for another',
      [aRelease({ id: 2, version: '2.0', artifacts: [forArm] }), aRelease({ artifacts: [forLinux] })],
      'darwin-arm64, linux-amd64.',
    ],
    [
      'the question and no older file',
      [aRelease({ id: 2, version: '2.0', artifacts: [forArm, forLinux] }), aRelease({ artifacts: [forAll] })],
      'darwin-arm64, darwin-amd64, linux-arm64, linux-amd64.',
    ],
    [
      'its only file, although another channel has more',
      [aRelease({ id: 2, version: '2.0', channel: 'dev', artifacts: [forLinux] }), aRelease({ artifacts: [forArm] })],
      forArm,
    ],
  ])('a client that names no platform gets %s, from a plan and from the bundle', (_, stored, expected) => {
    const question = {
      code: 'validation_failed',
      data: {
        errors: { platform: [`The platform field is required, because each platform has its own file: ${expected}`] },
      },
    };
    const found = typeof expected === 'string' ? question : { value: { artifact: expected } };
    expect(chooseInstall(aLine(stored), null, aRunInput())).toMatchObject(found);
    expect(currentBundle(aLine(stored), null)).toMatchObject(found);
  });

  test('an update without a platform depends only on the window, and its file is unknown until a platform is named', () => {
    const [old, next] = [twoFiles, aRelease({ id: 6, version: '2.0', artifacts: [forArm, forLinux] })];
    const input = { channel: 'stable', platform: null } as const;
    expect(offerUpdate(aLine([next]), null, input)).toMatchObject({ value: { allowed: true, artifact: null } });
    expect(
      offerUpdate(
        aLine([
          { ...next, released_at: NOW },
          { ...old, released_at: addDays(NOW, -9) },
        ]),
        addDays(NOW, -1),
        input,
      ),
    ).toMatchObject({
      value: { allowed: false, artifact: null, covered: { id: 5 } },
    });
    expect(offerUpdate(aLine([next]), null, { ...input, platform: 'linux-amd64' })).toMatchObject({
      value: { artifact: forLinux },
    });
  });

  test('a requested release outside the update window is refused for that reason before any other', () => {
    const input = aRunInput({ release: 3, platform: 'linux-amd64' });
    expect(chooseInstall(aLine(releases), addDays(NOW, -1), input)).toMatchObject({
      code: 'version_update_window_expired',
      message: expect.stringContaining('3.0b1'),
    });
  });

  const late = addDays(NOW, -60);
  test.each([
    ['a product without releases', [], null, aRunInput(), 'This product has nothing to install.'],
    [
      'a product without releases and a named platform',
      [],
      late,
      aRunInput({ platform: 'linux-amd64' }),
      'This product has nothing to install.',
    ],
    [
      'a channel without releases',
      [beta],
      late,
      aRunInput(),
      'This product has no release on channel stable; ask for channel beta.',
    ],
    [
      'an update window that covers no release',
      releases,
      late,
      aRunInput({ platform: 'linux-amd64' }),
      'Every release of this product on channel stable came out after your update window ended.',
    ],
    [
      'a platform without a file',
      [beta],
      null,
      aRunInput({ channel: 'dev', platform: 'linux-arm64' }),
      'What you can install on channel dev has no file for linux-arm64; there are files for darwin-arm64.',
    ],
    [
      'a release without files',
      [aRelease({ artifacts: [] })],
      null,
      aRunInput(),
      'What you can install on channel stable has no file.',
    ],
    ['an unknown release id', releases, null, aRunInput({ release: 9 }), 'This product has no release 9.'],
    [
      'an unknown release id of a product without releases',
      [],
      null,
      aRunInput({ release: 9 }),
      'This product has no release 9.',
    ],
    [
      'a requested release without a file for the platform',
      releases,
      null,
      aRunInput({ release: 3, platform: 'linux-amd64' }),
      'Release 3 has no file for linux-amd64; there are files for darwin-arm64.',
    ],
  ])('an install plan is refused for %s with a message that says so', (_, stored, until, input, said) => {
    const refused = chooseInstall(aLine(stored), until, input);
    expect(refused).toMatchObject({
      code: 'install_not_available',
      message: said,
      ko: expect.stringMatching(/[가-힣]/),
    });
  });

  const platform = fc.constantFrom(null, ...PLATFORMS);
  const release = fc.record({
    version: fc.constantFrom('0.9', '1.0', '1.0.0', '1.1b1', '1.1', '2.0b2', '2.0', '10'),
    channel: fc.constantFrom(...CHANNELS),
    released_at: fc.integer({ min: -3, max: 3 }).map((days) => addDays(NOW, days)),
    artifacts: fc.uniqueArray(platform, { maxLength: 3 }).map((all) => all.map((platform) => anArtifact({ platform }))),
  });
  const stored = fc
    .array(release, { maxLength: 8 })
    .map((all) => all.map((overrides, id) => aRelease({ id, ...overrides })));
  const window = fc.constantFrom(null, addDays(NOW, -2), NOW, addDays(NOW, 2));

  test('an install plan is always the newest release that the channel offers, the window covers and the platform can install', () => {
    fc.assert(
      fc.property(stored, window, fc.constantFrom(...CHANNELS), platform, (releases, until, channel, platform) => {
        const reach = CHANNELS.slice(0, CHANNELS.indexOf(channel) + 1);
        const hasFile = ({ artifacts }: Release) =>
          artifacts.some((a) => a.platform === null || a.platform === platform || platform === null);
        const isWithin = ({ released_at }: Release) => until === null || millis(released_at) <= millis(until);
        const fitting = releases.filter((r) => reach.includes(r.channel) && isWithin(r) && hasFile(r));
        const plan = chooseInstall(aLine(releases), until, aRunInput({ channel, platform }));
        const isAsked = !plan.ok && plan.code === 'validation_failed';
        if (isAsked)
          expect([platform, new Set(fitting.flatMap((r) => r.artifacts.map((a) => a.platform))).size > 1]).toEqual([
            null,
            true,
          ]);
        expect(plan.ok || isAsked).toBe(fitting.length > 0);
        if (!plan.ok) return;
        const { release, artifact } = plan.value;
        expect(fitting).toContain(release);
        expect(release.artifacts).toContain(artifact);
        if (platform !== null) expect([platform, null]).toContain(artifact.platform);
        else if (artifact.platform !== null) for (const r of fitting) expect(r.artifacts).toHaveLength(1);
        for (const other of fitting) expect(order.compare(release.version, other.version)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 2000 },
    );
  });

  test('an install plan does not depend on the order of the stored releases', () => {
    fc.assert(
      fc.property(stored, window, platform, (releases, until, platform) => {
        const input = aRunInput({ channel: 'dev', platform });
        expect(chooseInstall(aLine(releases.toReversed()), until, input)).toEqual(
          chooseInstall(aLine(releases), until, input),
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe('the current release', () => {
  const stable = aRelease({ id: 1, version: '1.0', released_at: addDays(NOW, -10) });
  const beta = aRelease({ id: 2, version: '2.0', channel: 'beta' });

  test('the current release is the newest stable one', () => {
    expect(currentRelease(aLine([beta, stable, aRelease({ id: 3, version: '0.9' })]))).toBe(stable);
    expect(currentRelease(aLine([beta]))).toBeUndefined();
  });

  test('a current release outside the update window is refused and no older release replaces it', () => {
    const older = aRelease({ id: 3, version: '0.9', released_at: addDays(NOW, -100) });
    expect(currentBundle(aLine([stable, older]), addDays(NOW, -50))).toMatchObject({
      code: 'version_update_window_expired',
    });
    expect(currentBundle(aLine([stable, older]), stable.released_at)).toMatchObject({ value: { release: stable } });
  });

  test('the current bundle is refused without a stable release and for a platform without a file', () => {
    const split = aRelease({ artifacts: [forArm, forLinux] });
    expect(currentBundle(aLine([beta]), null)).toMatchObject({ code: 'install_not_available', message: /no released/ });
    expect(currentBundle(aLine([split]), null, 'darwin-amd64')).toMatchObject({
      code: 'install_not_available',
      message: /darwin-amd64/,
    });
    expect(currentBundle(aLine([split]), null, 'linux-amd64')).toMatchObject({ value: { artifact: forLinux } });
  });

  test('the current release is an update for an older client and for a client that sends no version', () => {
    expect(updateAvailable(stable, '0.9', order)).toBe(true);
    expect(updateAvailable(stable, null, order)).toBe(true);
    expect(updateAvailable(stable, '1.0.0', order)).toBe(false);
    expect(updateAvailable(stable, '1.1', order)).toBe(false);
  });
});
