import { describe, expect, test } from 'vitest';
import type { InstallSelection } from '../../../domain/delivery/offered-release.ts';
import type { Artifact, Release } from '../../../domain/delivery/release.ts';
import type { Instant } from '../../../domain/shared/instant.ts';
import { delivery } from '../../../runtimes/composition/areas/delivery.ts';
import { anArtifact, aProduct, aRelease } from '../../support/builders.ts';
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
