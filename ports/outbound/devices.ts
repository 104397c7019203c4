import type { Permit } from '../../domain/access/permit.ts';
import type { Device } from '../../domain/devices/device.ts';

/** The slots of one account and product, as they were read. */
export type ReadSlots = { readonly used: number; readonly version: string | null };

export interface Devices {
  /** The device, where it holds a slot, and the number of taken slots, in one round trip. */
  find(
    accountId: number,
    productId: number,
    deviceId: string | null,
  ): Promise<{ device: Device | undefined; slots: ReadSlots }>;
  /** Every device that holds a slot, first activated first. */
  list(accountId: number, productId: number): Promise<Device[]>;
  /** Every device of the account that holds a slot, by product id; the devices of a product first activated first. */
  ofAccount(accountId: number): Promise<ReadonlyMap<number, Device[]>>;
  /** Takes a slot; false, with nothing written, where slots were taken or released since they were read. */
  activate(permit: Permit, accountId: number, productId: number, device: Device, slots: ReadSlots): Promise<boolean>;
  /** Gives the slot back; `changed` where slots were taken or released meanwhile, and the caller must try again. */
  release(
    permit: Permit,
    accountId: number,
    productId: number,
    deviceId: string,
  ): Promise<'released' | 'not there' | 'changed'>;
  /** Records `last_seen_at` of a device; does nothing where the device holds no slot any more. */
  touch(permit: Permit, accountId: number, productId: number, device: Device): Promise<void>;
}
