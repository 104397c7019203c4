import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent, type Subject } from '../../domain/audit/event.ts';
import { DEVICES_LISTED, type Device } from '../../domain/devices/seat.ts';
import type { Activation, DevicePage, DevicePageWish, Devices, ReadSlots } from '../../ports/outbound/devices.ts';
import { deviceKeys, productOf, SLOT_PARTS, type Slots } from './keys/devices.ts';
import { allItems, firstItems, ifUnchanged, itemOf, updateIfThere } from './records.ts';
import { Audited } from './repository.ts';
import { type Item, StoreBusy } from './table.ts';
import type { KeyOf, TypedWrite } from './typed-table.ts';

/** An item that counts slots, as it was read: its sort key, its number and its version. */
type Part = readonly [sk: string, used: number, version: string];

type SlotsOf = { readonly accountId: number; readonly productId: number };

/** The slots that the items count together. Their version tells of each item, so that a change of any shows. */
const readSlots = (items: readonly Item<Slots>[]): ReadSlots => {
  const parts = items.map(({ sk, data, version }): Part => [sk, data.used, version]);
  return {
    used: parts.reduce((sum, [, used]) => sum + used, 0),
    version: parts.length === 0 ? null : JSON.stringify(parts),
  };
};

const partsOf = ({ version }: ReadSlots): readonly Part[] => (version === null ? [] : JSON.parse(version));

/** Writes the number of one item, if it is the one that was read. */
const count = (key: KeyOf<Slots>, parts: readonly Part[], by: number): TypedWrite => {
  const [, used = 0, version = null] = parts.find(([sk]) => sk === key.sk) ?? [];
  return { put: itemOf(key, { used: Math.max(0, used + by) }), condition: ifUnchanged(version) };
};

const takeCounted = ({ accountId, productId }: SlotsOf, slots: ReadSlots): TypedWrite[] => {
  const key = deviceKeys.slots(accountId, productId);
  const parts = partsOf(slots);
  const others = parts.filter(([sk]) => sk !== key.sk);
  return [
    count(key, parts, 1),
    ...others.map(([sk, , version]): TypedWrite => ({ check: { ...key, sk }, condition: { version } })),
  ];
};

/** Takes a slot that no limit depends on, in the part of its device. */
const takeUnlimited = ({ accountId, productId }: SlotsOf, slots: ReadSlots, deviceId: string): TypedWrite[] => [
  count(deviceKeys.slotsPart(accountId, productId, deviceKeys.partOf(deviceId)), partsOf(slots), 1),
];

/** Gives a slot back: in the part of its device, or where that counts none, in any other item that counts some. */
const giveBack = ({ accountId, productId }: SlotsOf, slots: ReadSlots, deviceId: string): TypedWrite => {
  const key = deviceKeys.slots(accountId, productId);
  const own = deviceKeys.slotsPart(accountId, productId, deviceKeys.partOf(deviceId)).sk;
  const parts = partsOf(slots);
  const taken = parts.filter(([, used]) => used > 0);
  const [sk] = taken.find((part) => part[0] === own) ?? taken[0] ?? [key.sk];
  return count({ ...key, sk }, parts, -1);
};

const byActivation = (a: Device, b: Device): number =>
  a.activated_at < b.activated_at ? -1 : a.activated_at > b.activated_at ? 1 : 0;

const subjectOf = (accountId: number, productId: number, deviceId: string): Subject => ({
  kind: 'device',
  id: deviceId,
  account_id: accountId,
  product_id: productId,
});

/**
 * Each device has an item, and one more item counts the slots taken. One transaction takes or gives back a slot, and
 * holds only while the count is the one that the decision was made on. So the limit is exact however many processes
 * decide at once. Devices of a license without a limit are counted in 32 parts beside that item, so that devices that
 * come at once seldom write the same one.
 */
export class StoredDevices extends Audited implements Devices {
  async find(accountId: number, productId: number, deviceId: string | null) {
    const [slots, device] = await this.#read(accountId, productId, deviceId);
    return { device: device?.data, slots };
  }

  async list(accountId: number, productId: number): Promise<Device[]> {
    const first = await firstItems(this.table, deviceKeys.devices(accountId, productId), DEVICES_LISTED);
    return first.map(({ data }) => data).sort(byActivation);
  }

  async page(accountId: number, productId: number, { limit, after }: DevicePageWish): Promise<DevicePage> {
    const query =
      after === null ? deviceKeys.devices(accountId, productId) : deviceKeys.devicesFrom(accountId, productId, after);
    // The query begins with the last device of the page before, which may have been released meanwhile.
    const found = (await firstItems(this.table, query, limit + 2)).map(({ data }) => data);
    const further = found[0]?.device_id === after ? found.slice(1) : found;
    const devices = further.slice(0, limit);
    const next = further.length > limit ? (devices.at(-1)?.device_id ?? null) : null;
    return { devices: devices.sort(byActivation), next };
  }

  async used(accountId: number): Promise<ReadonlyMap<number, number>> {
    const slots = await Array.fromAsync(allItems(this.table, deviceKeys.allSlots(accountId)));
    const used = new Map<number, number>();
    for (const { sk, data } of slots) used.set(productOf(sk), (used.get(productOf(sk)) ?? 0) + data.used);
    return used;
  }

  activate(
    _permit: Permit,
    accountId: number,
    productId: number,
    device: Device,
    slots: ReadSlots,
    { unlimited = false }: Activation = {},
  ): Promise<boolean> {
    const { device_id } = device;
    const owner = { accountId, productId };
    return this.#attempt([
      ...(unlimited ? takeUnlimited(owner, slots, device_id) : takeCounted(owner, slots)),
      { put: itemOf(deviceKeys.device(accountId, productId, device_id), device), condition: { absent: true } },
    ]);
  }

  async release(permit: Permit, accountId: number, productId: number, deviceId: string) {
    const [slots, device] = await this.#read(accountId, productId, deviceId);
    if (!device) return 'not there';
    const released = await this.#attempt([
      giveBack({ accountId, productId }, slots, deviceId),
      { remove: deviceKeys.device(accountId, productId, deviceId), condition: { version: device.version } },
      this.trail.entry(permit, auditEvent(subjectOf(accountId, productId, deviceId), 'released')),
    ]);
    return released ? 'released' : 'changed';
  }

  async rename(permit: Permit, accountId: number, productId: number, deviceId: string, name: string | null) {
    const key = deviceKeys.device(accountId, productId, deviceId);
    const read = await this.table.get(key);
    if (!read) return 'not there';
    if (read.data.name === name) return 'renamed';
    const device: Device = { ...read.data, name };
    const renamed = await this.#attempt([
      { put: itemOf(key, device), condition: { version: read.version } },
      this.trail.entry(permit, auditEvent(subjectOf(accountId, productId, deviceId), 'renamed', read.data, device)),
    ]);
    return renamed ? 'renamed' : 'changed';
  }

  touch(_permit: Permit, accountId: number, productId: number, device: Device): Promise<void> {
    return updateIfThere(this.table, deviceKeys.device(accountId, productId, device.device_id), (stored) => ({
      ...stored,
      last_seen_at: device.last_seen_at,
    }));
  }

  #read(accountId: number, productId: number, deviceId: string | null) {
    // The count and its parts are far smaller than a page.
    const counts = this.table.query({ ...deviceKeys.slotsOf(accountId, productId), limit: SLOT_PARTS + 1 });
    return Promise.all([
      counts.then(({ items }) => readSlots(items)),
      deviceId === null ? undefined : this.table.get(deviceKeys.device(accountId, productId, deviceId)),
    ]);
  }

  /** False where a condition does not hold, or others write the same items: the caller reads and decides again. */
  async #attempt(writes: readonly TypedWrite[]): Promise<boolean> {
    try {
      return await this.table.transact(writes, { hurried: true });
    } catch (error) {
      if (error instanceof StoreBusy) return false;
      throw error;
    }
  }
}
