import { expect, test } from 'vitest';
import { isFull, machinesOf } from '../../../domain/devices/machines.ts';
import { aDevice, anApiKey } from '../../support/builders.ts';

const at = (hour: number): string => `2026-11-21T${String(hour).padStart(2, '0')}:00:00.000Z`;

test('slots and keys of one device are listed as one machine, with the first name and platform among them', () => {
  const mac = (more: object) => aDevice({ device_id: 'mac', name: null, last_seen_at: at(1), ...more });
  const products = [
    { id: 1, name: 'One', devices: [mac({}), aDevice({ device_id: 'pc', name: 'PC', last_seen_at: at(3) })] },
    { id: 2, name: 'Two', devices: [mac({ name: 'Studio', platform: 'macos' })] },
  ];
  const key = anApiKey({ device: { device_id: 'mac', name: 'Other' }, last_used_at: at(2) });
  const unseen = anApiKey({ id: 2, device: { device_id: 'ci', name: null }, created_at: at(4), last_used_at: null });
  const loose = anApiKey({ id: 3, device: null });
  expect(machinesOf(products, [key, unseen, loose])).toMatchObject([
    { device_id: 'ci', name: null, platform: null, slots: [], keys: [unseen] },
    { device_id: 'pc', name: 'PC', slots: [{ product: { id: 1, name: 'One' } }], keys: [] },
    {
      device_id: 'mac',
      name: 'Studio',
      platform: 'macos',
      slots: [{ product: { id: 1 } }, { product: { id: 2 } }],
      keys: [key],
    },
  ]);
});

test.each([
  ['no limit', null, 5, false, false],
  ['a free slot', 3, 2, false, false],
  ['no free slot', 3, 3, false, true],
  ['a lowered limit', 1, 3, false, true],
  ['no free slot, but a withdrawn device', 3, 3, true, false],
  ['access that has ended', 0, 0, false, false],
])('a product with %s shows whether a new device gets a slot', (_, device_limit, used, withdrawn, full) => {
  expect(isFull({ device_limit, used, devices: [{ withdrawn }] })).toBe(full);
});
