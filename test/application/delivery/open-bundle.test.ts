import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Artifact, Release } from '../../../domain/delivery/release.ts';
import { addDays, type Instant } from '../../../domain/shared/instant.ts';
import { delivery } from '../../../runtimes/composition/areas/delivery.ts';
import { anArtifact, aProduct, aRelease, NOW } from '../../support/builders.ts';
import { storedFile } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';
import { PERMIT, passed } from '../../support/permits.ts';
import { anAccess } from '../../support/public-builders.ts';

const BYTES = 'the bundle';

/** Opens the bundle of releases that all have the same file. */
const openBundle = async (
  releases: readonly Partial<Release>[],
  { updates_until, platforms = [null] }: { updates_until?: Instant; platforms?: Artifact['platform'][] } = {},
) => {
  const service = await aStore([delivery]);
  const kept = await storedFile(service, BYTES);
  const artifacts = platforms.map((platform) => anArtifact({ platform, filename: 'clock.zip', ...kept }));
  await service.put({ releases: releases.map((release) => aRelease({ artifacts, ...release })) });
  const access = anAccess({ updates_supported_until: updates_until ?? null });
  return passed(service.get('openBundle')({ account_id: 1, product: aProduct(), platform: null }), PERMIT, access);
};

test('a bundle that came out after the end of the update window is refused and not replaced by an older one', async () => {
  const releases = [
    { id: 1, version: '1.0.0', released_at: addDays(NOW, -9) },
    { id: 2, version: '2.0.0', released_at: NOW },
  ];
  expect(await openBundle(releases, { updates_until: addDays(NOW, -1) })).toMatchObject({
    ok: false,
    code: 'version_update_window_expired',
  });
  expect(await openBundle(releases, { updates_until: NOW })).toMatchObject({ ok: true });
});

test('a bundle past the update window is refused for its date, even where it has a file for each platform', async () => {
  const platforms: Artifact['platform'][] = ['linux-amd64', 'darwin-arm64'];
  const late = await openBundle([{ released_at: NOW }], { updates_until: addDays(NOW, -1), platforms });
  expect(late).toMatchObject({ code: 'version_update_window_expired' });
});

test('a bundle whose bytes are lost is not found', async () => {
  const opened = await openBundle([{ artifacts: [anArtifact()] }]);
  expect(opened.ok && (await opened.value.open())).toBeUndefined();
});

test('a bundle counts as used once it is opened, and opening it again that day writes nothing', async () => {
  const service = await aStore([delivery]);
  const kept = await storedFile(service, BYTES);
  await service.put({ releases: [aRelease({ artifacts: [anArtifact({ platform: null, ...kept })] })] });
  const open = async () => {
    const opened = await passed(
      service.get('openBundle')({ account_id: 1, product: aProduct(), platform: null }),
      PERMIT,
      anAccess(),
    );
    return opened.ok ? opened.value : expect.unreachable();
  };
  const uses = async () => [...(await service.get('productUses').of(1)).values()].map(({ use }) => use);
  const offered = await open();
  expect(await uses()).toEqual([]);
  await text((await offered.open()) ?? expect.unreachable());
  expect(await uses()).toEqual([{ product_id: 1, first_used_at: NOW, last_used_at: NOW }]);
  const before = await service.entries();
  const again = await open();
  await text((await again.open({ start: 0, end: 2 })) ?? expect.unreachable());
  expect(await service.entries()).toEqual(before);
});
