import type { ReadSlots } from '../../ports/outbound/devices.ts';
import { ifUnchanged } from './if-unchanged.ts';
import { itemOf } from './item-of.ts';
import { deviceKeys, type Slots } from './keys/devices.ts';
import type { Item, KeyOf, Write } from './table.ts';

/** An item that counts slots, as it was read: its sort key, its number and its version. */
type Part = readonly [sk: string, used: number, version: string];

/** The owner of slots. */
export type SlotsOf = { readonly accountId: number; readonly productId: number };

/** The slots that the items count together. Their version tells of each item, so that a change of any shows. */
export const readSlots = (items: readonly Item<Slots>[]): ReadSlots => {
  const parts = items.map(({ sk, data, version }): Part => [sk, data.used, version]);
  return {
    used: parts.reduce((sum, [, used]) => sum + used, 0),
    version: parts.length === 0 ? null : JSON.stringify(parts),
  };
};

const partsOf = ({ version }: ReadSlots): readonly Part[] => (version === null ? [] : JSON.parse(version));

/** Writes the number of one item, if it is the one that was read. */
const count = (key: KeyOf<Slots>, parts: readonly Part[], by: number): Write => {
  const [, used = 0, version = null] = parts.find(([sk]) => sk === key.sk) ?? [];
  return { put: itemOf(key, { used: Math.max(0, used + by) }), condition: ifUnchanged(version) };
};

/** Takes a slot if the count is as it was read. */
export const takeCounted = ({ accountId, productId }: SlotsOf, slots: ReadSlots): Write[] => {
  const key = deviceKeys.slots(accountId, productId);
  const parts = partsOf(slots);
  const others = parts.filter(([sk]) => sk !== key.sk);
  return [
    count(key, parts, 1),
    ...others.map(([sk, , version]): Write => ({ check: { ...key, sk }, condition: { version } })),
  ];
};

/** Takes a slot that no limit depends on, in the part of its device. */
export const takeUnlimited = ({ accountId, productId }: SlotsOf, slots: ReadSlots, deviceId: string): Write[] => [
  count(deviceKeys.slotsPart(accountId, productId, deviceKeys.partOf(deviceId)), partsOf(slots), 1),
];

/** Gives a slot back: in the part of its device, or where that counts none, in any other item that counts some. */
export const giveBack = ({ accountId, productId }: SlotsOf, slots: ReadSlots, deviceId: string): Write => {
  const key = deviceKeys.slots(accountId, productId);
  const own = deviceKeys.slotsPart(accountId, productId, deviceKeys.partOf(deviceId)).sk;
  const parts = partsOf(slots);
  const taken = parts.filter(([, used]) => used > 0);
  const [sk] = taken.find((part) => part[0] === own) ?? taken[0] ?? [key.sk];
  return count({ ...key, sk }, parts, -1);
};
