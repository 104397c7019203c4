import { expect, test } from 'vitest';
import { addDays } from '../../../domain/shared/instant.ts';
import { delivery } from '../../../runtimes/composition/areas/delivery.ts';
import { anApp, anArtifact, aRelease, NOW } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';

const supply = async (all: Contents) => {
  const service = await aStore([delivery], all);
  const { channels } = await service.get('showSupply')({ locale: 'en' });
  return Object.fromEntries(channels.map((one) => [one.channel, one]));
};

const complete = aRelease({ notes_en: 'New.', notes_ko: '새로움.', artifacts: [anArtifact({ signature: 'signed' })] });

test('a shop with a complete release of every product is ready on every channel', async () => {
  const channels = await supply({ products: [anApp()], releases: [complete] });
  expect(Object.values(channels).map(({ channel, ready }) => [channel, ready])).toEqual([
    ['stable', true],
    ['beta', true],
    ['alpha', true],
    ['dev', true],
  ]);
  const release = { id: 1, version: '1.0.0', channel: 'stable', file_count: 1 };
  expect(channels['stable']?.catalog).toMatchObject({
    product_count: 1,
    released_count: 1,
    products: [{ id: 1, release }],
  });
});

test('a product without a name in any language is shown with an empty one, and each check has a label', async () => {
  const { stable } = await supply({ products: [anApp({ name: { en: '' } })], releases: [complete] });
  expect(stable?.catalog.products).toMatchObject([{ id: 1, name: '' }]);
  expect(stable?.checklist.every(({ label }) => label !== '')).toBe(true);
});

test('the supply changes at each scheduled release in turn', async () => {
  const scheduled = (id: number, version: string, day: number) =>
    aRelease({ id, version, released_at: addDays(NOW, day) });
  const service = await aStore([delivery], {
    products: [anApp({ version_scheme: 'semver' })],
    releases: [aRelease(), scheduled(3, '3.0.0', 3), scheduled(2, '2.0.0', 2)],
  });
  const seen = [];
  for (const day of [0, 1, 2, 3]) {
    service.clock.at = addDays(NOW, day);
    const { channels } = await service.get('showSupply')({ locale: 'en' });
    seen.push(channels[0]?.catalog.products[0]?.release?.version);
  }
  expect(seen).toEqual(['1.0.0', '1.0.0', '2.0.0', '3.0.0']);
});
