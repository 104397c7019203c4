import { describe, expect, test } from 'vitest';
import type { InstallSelection } from '../../../domain/delivery/offered-release.ts';
import type { Artifact, Release } from '../../../domain/delivery/release.ts';
import { addDays, type Instant } from '../../../domain/shared/instant.ts';
import { delivery } from '../../../runtimes/composition/areas/delivery.ts';
import { anArtifact, aProduct, aRelease, NOW } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';
import { PERMIT, passed } from '../../support/permits.ts';
import { anAccess } from '../../support/public-builders.ts';

type Asked = Partial<InstallSelection> & { readonly updates_until?: Instant };

const plan = async (releases: readonly Release[], { updates_until, ...input }: Asked = {}) => {
  const service = await aStore([delivery], { releases });
  return passed(
    service.get('planInstall')({
      product: aProduct({ slug: 'clock', name: { en: 'Clock', ko: '시계' } }),
      query: { channel: 'stable', platform: null, release: null, ...input },
      locale: 'ko',
    }),
    PERMIT,
    anAccess({ updates_supported_until: updates_until ?? null }),
  );
};
const file = (platform: Artifact['platform'], filename: string) => anArtifact({ platform, filename });

test('an install plan names the newest release and a URL that is valid for a quarter of an hour', async () => {
  const planned = await plan([
    aRelease({ id: 11, version: '1.9.0' }),
    aRelease({ id: 12, version: '1.10.0', build: '110', artifacts: [file(null, 'clock.zip')] }),
  ]);
  expect(planned).toMatchObject({
    ok: true,
    value: {
      data: {
        product_id: 1,
        slug: 'clock',
        name: '시계',
        kind: 'manual',
        release_id: 12,
        version: '1.10.0',
        build: '110',
        channel: 'stable',
        filename: 'clock.zip',
        format: 'zip',
        size: 1024,
        target: 'any',
        download_expires_at: '2026-11-21T08:15:00.000Z',
      },
    },
  });
  const address = new URL(planned.ok ? planned.value.data.download_url : '');
  expect(address.pathname).toBe(`/downloads/sha256/${'0'.repeat(64)}/clock.zip`);
  expect(address.searchParams.get('type')).toBe('application/zip');
});

describe('the channel of an install plan', () => {
  const releases = [
    aRelease({ id: 1, version: '1.0.0' }),
    aRelease({ id: 2, version: '1.1.0-beta.1', channel: 'beta' }),
    aRelease({ id: 3, version: '2.0.0-dev.1', channel: 'dev' }),
  ];

  test('a client on a channel is offered that channel and every more stable one', async () => {
    const offered = async (channel: InstallSelection['channel']) => plan(releases, { channel });
    expect(await offered('stable')).toMatchObject({ value: { data: { release_id: 1 } } });
    expect(await offered('alpha')).toMatchObject({ value: { data: { release_id: 2, channel: 'beta' } } });
    expect(await offered('dev')).toMatchObject({ value: { data: { release_id: 3 } } });
  });

  test('a release requested by id is planned from any channel, unless a channel is named', async () => {
    expect(await plan(releases, { channel: 'stable', release: 3 })).toMatchObject({ code: 'install_not_available' });
    expect(await plan(releases, { channel: null, release: 3 })).toMatchObject({
      value: { data: { release_id: 3 } },
    });
  });

  test('a client on a channel without a release learns which channel has one', async () => {
    expect(await plan([aRelease({ channel: 'alpha' })])).toMatchObject({
      ok: false,
      code: 'install_not_available',
      message: 'This product has no release on channel stable; ask for channel alpha.',
    });
  });
});

describe('the platform of an install plan', () => {
  const forEach = aRelease({ artifacts: [file('linux-amd64', 'linux.zip'), file('darwin-arm64', 'mac.zip')] });

  test('a client gets the file for its platform or, without one, the file for every platform', async () => {
    const both = aRelease({ artifacts: [file('linux-amd64', 'linux.zip'), file(null, 'any.zip')] });
    const linux = { filename: 'linux.zip', target: 'linux-amd64' };
    expect(await plan([both], { platform: 'linux-amd64' })).toMatchObject({ value: { data: linux } });
    expect(await plan([both], { platform: 'darwin-arm64' })).toMatchObject({ value: { data: { target: 'any' } } });
  });

  test('a client whose platform the newest release lacks gets the newest release that has it', async () => {
    const releases = [forEach, aRelease({ id: 2, version: '2.0.0', artifacts: [file('darwin-arm64', 'mac.zip')] })];
    expect(await plan(releases, { platform: 'linux-amd64' })).toMatchObject({ value: { data: { version: '1.0.0' } } });
  });

  test.each<[string, Asked, string]>([
    [
      'that no release has is refused',
      { platform: 'linux-arm64' },
      'has no file for linux-arm64; there are files for ',
    ],
  ])('a platform %s', async (_, asked, message) => {
    const refused = await plan([forEach], asked);
    expect(refused).toMatchObject({ code: 'install_not_available', message: expect.stringContaining(message) });
  });
});

describe('the update window of an install plan', () => {
  const END = addDays(NOW, -30);
  const releases = [
    aRelease({ id: 1, version: '1.0.0', released_at: END }),
    aRelease({ id: 2, version: '2.0.0', released_at: addDays(END, 1) }),
  ];

  test('a buyer past the update window still installs a release published within it', async () => {
    expect(await plan(releases, { updates_until: END })).toMatchObject({ value: { data: { version: '1.0.0' } } });
    expect(await plan(releases)).toMatchObject({ value: { data: { version: '2.0.0' } } });
  });

  test('a buyer past the update window is refused a later release requested by its id', async () => {
    expect(await plan(releases, { updates_until: END, release: 2 })).toMatchObject({
      ok: false,
      code: 'version_update_window_expired',
      message: expect.stringContaining('Version 2.0.0'),
    });
    expect(await plan(releases, { updates_until: END, release: 1 })).toMatchObject({ ok: true });
  });

  test('a buyer whose update window ended before the first release has nothing to install', async () => {
    expect(await plan(releases, { updates_until: addDays(END, -1) })).toMatchObject({
      code: 'install_not_available',
      message: expect.stringContaining('came out after your update window ended'),
    });
  });
});

test.each<[string, Release[], Asked, string]>([
  ['of a product without a release', [], {}, 'This product has nothing to install.'],
  ['of a release that another product has', [aRelease({ id: 9, product_id: 2 })], { release: 9 }, 'has no release 9'],
  ['of a release without a file', [aRelease({ artifacts: [] })], {}, 'has no file.'],
])('an install plan %s is refused', async (_, releases, asked, message) => {
  const refused = await plan(releases, asked);
  expect(refused).toMatchObject({
    ok: false,
    code: 'install_not_available',
    message: expect.stringContaining(message),
  });
});
