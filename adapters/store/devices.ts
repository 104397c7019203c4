import type { Device } from '../../domain/devices/device.ts';
import type { Devices, ReadSlots } from '../../ports/outbound/devices.ts';
import { keys } from './keys.ts';
import { allRecords, updateIfThere } from './records.ts';
import type { Condition, Item, Table } from './table.ts';

const readSlots = (item: Item | undefined): ReadSlots => ({
  used: item?.data.used ?? 0,
  version: item?.version ?? null,
});
const onlyIf = ({ version }: ReadSlots): Condition => (version === null ? { absent: true } : { version });

/**
 * One item per device, and one that counts the slots taken. A slot is taken or given back in one transaction that holds
 * only while the count is the one the decision was made on, so that the limit is exact however many processes decide.
 */
export class StoredDevices implements Devices {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async find(accountId: number, productId: number, deviceId: string | null) {
    const slots = keys.slots(accountId, productId);
    if (deviceId === null) return { device: undefined, slots: readSlots(await this.#table.get(slots)) };
    const [count, device] = await this.#table.getMany([slots, keys.device(accountId, productId, deviceId)]);
    return { device: device?.data as Device | undefined, slots: readSlots(count) };
  }

  async list(accountId: number, productId: number): Promise<Device[]> {
    const devices = await allRecords<Device>(this.#table, keys.devices(accountId, productId));
    return devices.sort((a, b) => (a.activated_at < b.activated_at ? -1 : a.activated_at > b.activated_at ? 1 : 0));
  }

  activate(accountId: number, productId: number, device: Device, slots: ReadSlots): Promise<boolean> {
    return this.#table.transact([
      { put: { ...keys.slots(accountId, productId), data: { used: slots.used + 1 } }, condition: onlyIf(slots) },
      { put: { ...keys.device(accountId, productId, device.device_id), data: device }, condition: { absent: true } },
    ]);
  }

  async release(accountId: number, productId: number, deviceId: string) {
    const [count, device] = await this.#table.getMany([
      keys.slots(accountId, productId),
      keys.device(accountId, productId, deviceId),
    ]);
    if (!device) return 'not there';
    const slots = readSlots(count);
    const released = await this.#table.transact([
      {
        put: { ...keys.slots(accountId, productId), data: { used: Math.max(0, slots.used - 1) } },
        condition: onlyIf(slots),
      },
      { remove: keys.device(accountId, productId, deviceId), condition: { version: device.version } },
    ]);
    return released ? 'released' : 'changed';
  }

  touch(accountId: number, productId: number, device: Device): Promise<void> {
    return updateIfThere<Device>(this.#table, keys.device(accountId, productId, device.device_id), (stored) => ({
      ...stored,
      last_seen_at: device.last_seen_at,
    }));
  }
}
