import type { Device } from '../../domain/devices/device.ts';

/** The slots of one account and product, as they were read. */
export type ReadSlots = { readonly used: number; readonly version: string | null };

export interface Devices {
  /** The device if it holds a slot, and how many slots are taken; one round trip. */
  find(
    accountId: number,
    productId: number,
    deviceId: string | null,
  ): Promise<{ device: Device | undefined; slots: ReadSlots }>;
  /** Every device that holds a slot, first activated first. */
  list(accountId: number, productId: number): Promise<Device[]>;
  /** Takes a slot; false where slots were taken or released since they were read. */
  activate(accountId: number, productId: number, device: Device, slots: ReadSlots): Promise<boolean>;
  /** Gives the slot back; `changed` where slots were taken or released in that moment, so that it has to be tried again. */
  release(accountId: number, productId: number, deviceId: string): Promise<'released' | 'not there' | 'changed'>;
  /** Records that a device was seen; does nothing where it holds no slot any more. */
  touch(accountId: number, productId: number, device: Device): Promise<void>;
}
