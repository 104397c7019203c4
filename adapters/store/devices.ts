import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent, type Subject } from '../../domain/audit/event.ts';
import { DEVICES_LISTED, type Device } from '../../domain/devices/device.ts';
import type { DevicePage, DevicePageWish, Devices, ReadSlots } from '../../ports/outbound/devices.ts';
import type { Audited, AuditTrail } from './audit-trail.ts';
import { ifUnchanged } from './if-unchanged.ts';
import { itemOf } from './item-of.ts';
import { deviceKeys, productOf, type Slots } from './keys/devices.ts';
import { allItems, firstItems, updateIfThere } from './records.ts';
import type { Item, Table } from './table.ts';

const readSlots = (item: Item<Slots> | undefined): ReadSlots => ({
  used: item?.data.used ?? 0,
  version: item?.version ?? null,
});

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
 * decide at once.
 */
export class StoredDevices implements Devices {
  readonly #table: Table;
  readonly #trail: AuditTrail;

  constructor({ table, auditTrail }: Audited) {
    this.#table = table;
    this.#trail = auditTrail;
  }

  async find(accountId: number, productId: number, deviceId: string | null) {
    const slots = deviceKeys.slots(accountId, productId);
    if (deviceId === null) return { device: undefined, slots: readSlots(await this.#table.get(slots)) };
    const [count, device] = await this.#table.getMany([slots, deviceKeys.device(accountId, productId, deviceId)]);
    return { device: device?.data, slots: readSlots(count) };
  }

  async list(accountId: number, productId: number): Promise<Device[]> {
    const first = await firstItems(this.#table, deviceKeys.devices(accountId, productId), DEVICES_LISTED);
    return first.map(({ data }) => data).sort(byActivation);
  }

  async page(accountId: number, productId: number, { limit, after }: DevicePageWish): Promise<DevicePage> {
    const query =
      after === null ? deviceKeys.devices(accountId, productId) : deviceKeys.devicesFrom(accountId, productId, after);
    // The query begins with the last device of the page before, which may have been released meanwhile.
    const found = (await firstItems(this.#table, query, limit + 2)).map(({ data }) => data);
    const further = found[0]?.device_id === after ? found.slice(1) : found;
    const devices = further.slice(0, limit);
    const next = further.length > limit ? (devices.at(-1)?.device_id ?? null) : null;
    return { devices: devices.sort(byActivation), next };
  }

  async used(accountId: number): Promise<ReadonlyMap<number, number>> {
    const slots = await Array.fromAsync(allItems(this.#table, deviceKeys.allSlots(accountId)));
    return new Map(slots.map(({ sk, data }) => [productOf(sk), data.used]));
  }

  activate(_permit: Permit, accountId: number, productId: number, device: Device, slots: ReadSlots): Promise<boolean> {
    return this.#table.transact([
      {
        put: itemOf(deviceKeys.slots(accountId, productId), { used: slots.used + 1 }),
        condition: ifUnchanged(slots.version),
      },
      { put: itemOf(deviceKeys.device(accountId, productId, device.device_id), device), condition: { absent: true } },
    ]);
  }

  async release(permit: Permit, accountId: number, productId: number, deviceId: string) {
    const [count, device] = await this.#table.getMany([
      deviceKeys.slots(accountId, productId),
      deviceKeys.device(accountId, productId, deviceId),
    ]);
    if (!device) return 'not there';
    const slots = readSlots(count);
    const released = await this.#table.transact([
      {
        put: itemOf(deviceKeys.slots(accountId, productId), { used: Math.max(0, slots.used - 1) }),
        condition: ifUnchanged(slots.version),
      },
      { remove: deviceKeys.device(accountId, productId, deviceId), condition: { version: device.version } },
      this.#trail.entry(permit, auditEvent(subjectOf(accountId, productId, deviceId), 'released')),
    ]);
    return released ? 'released' : 'changed';
  }

  touch(_permit: Permit, accountId: number, productId: number, device: Device): Promise<void> {
    return updateIfThere(this.#table, deviceKeys.device(accountId, productId, device.device_id), (stored) => ({
      ...stored,
      last_seen_at: device.last_seen_at,
    }));
  }
}
