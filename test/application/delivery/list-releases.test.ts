import { expect, test } from 'vitest';
import type { Product } from '../../../domain/catalog/product.ts';
import type { Channel } from '../../../domain/delivery/channel.ts';
import type { Release } from '../../../domain/delivery/release.ts';
import type { Locale } from '../../../domain/shared/locale.ts';
import { delivery } from '../../../runtimes/composition/areas/delivery.ts';
import { anApp, aProduct, aRelease } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';

type Asked = { readonly channel?: Channel; readonly locale?: Locale; readonly product?: Product };

const list = async (releases: readonly Release[], { channel = 'stable', locale = 'en', product }: Asked = {}) => {
  const service = await aStore([delivery], { releases });
  return (await service.get('listReleases')({ product: product ?? aProduct(), channel, locale })).releases;
};
const versions = (releases: readonly { version: string }[]) => releases.map(({ version }) => version);

test('the releases of a product are listed from the newest version on, not from the latest day on', async () => {
  const releases = await list([
    aRelease({ id: 1, version: '1.0.0', released_at: '2025-01-01T00:00:00.000Z' }),
    aRelease({ id: 2, version: '1.10.0', released_at: '2025-02-01T00:00:00.000Z' }),
    aRelease({ id: 3, version: '1.9.0', released_at: '2025-03-01T00:00:00.000Z' }),
  ]);
  expect(versions(releases)).toEqual(['1.10.0', '1.9.0', '1.0.0']);
});

test('an application’s releases are ordered as Sparkle orders their versions', async () => {
  const releases = [
    aRelease({ id: 1, version: '1.0' }),
    aRelease({ id: 2, version: '1.1b2' }),
    aRelease({ id: 3, version: '1.1' }),
  ];
  expect(versions(await list(releases, { product: anApp() }))).toEqual(['1.1', '1.1b2', '1.0']);
});

test('blank notes count as missing, and the notes in the other language replace them', async () => {
  const releases = [
    aRelease({ id: 1, version: '2.0.0', notes_en: ' \n', notes_ko: '빠름.' }),
    aRelease({ id: 2, version: '1.0.0', notes_en: '', notes_ko: ' ' }),
  ];
  expect(await list(releases)).toMatchObject([
    { notes: '빠름.', notes_en: null, notes_ko: '빠름.' },
    { notes: null, notes_en: null, notes_ko: null },
  ]);
});

test('a product with only pre-releases names their channels beside its empty list', async () => {
  const releases = [aRelease({ id: 1, version: '1.0.0-dev', channel: 'dev' }), aRelease({ id: 2, channel: 'beta' })];
  const service = await aStore([delivery], { releases });
  expect(await service.get('listReleases')({ product: aProduct(), channel: 'stable', locale: 'en' })).toEqual({
    releases: [],
    channels: ['beta', 'dev'],
  });
});
