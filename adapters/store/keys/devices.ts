import { hash } from 'node:crypto';
import type { Device, HeldDevice } from '../../../domain/devices/seat.ts';
import type { InstallRecord, ProductUse, UsageDay } from '../../../domain/devices/usage.ts';
import type { Partition } from './families.ts';
import { accountPartition, allOfAccount, ofAccount, padded } from './shared.ts';

/**
 * The count of an account's slots that devices hold for a product, and the released devices whose offline files hold
 * further ones. Both are in one item, because a query reads its items at different moments.
 */
export type Slots = { readonly used: number; readonly held?: readonly HeldDevice[] | undefined };

/**
 * One day's use of a product with one key. The commands are JSON in a text, because not every engine keeps all numbers
 * and names that JSON has.
 */
export type KeyUsageDay = Omit<UsageDay, 'commands'> & { readonly key_id: number; readonly commands?: string };

/**
 * The parts of a count of slots. A query of all parts takes one read unit, as a read of the one count does, and devices
 * that come at once seldom meet.
 */
export const SLOT_PARTS = 32;

/** Clients name their devices freely; a hash stands for a name that is too long or too strange for a sort key. */
const devicePart = (device_id: string): string =>
  /^[\w.:-]{1,128}$/.test(device_id) ? `=${device_id}` : `#${hash('sha256', device_id, 'hex')}`;

/** The product in the sort key of a device or of a count of slots. */
export const productOf = (sk: string): number => Number(sk.split('#', 2)[1]);

/** Keys of an account's devices, and of their usage and installs. */
export const deviceKeys = {
  slots: (account_id: number, product_id: number) => ofAccount<Slots>(account_id, `SLOTS#${padded(product_id)}`),
  /** A part of the count of slots, for a license without a limit. `part` is 0 to 31. */
  slotsPart: (account_id: number, product_id: number, part: number) =>
    ofAccount<Slots>(account_id, `SLOTS#${padded(product_id)}#${String(part).padStart(2, '0')}`),
  slotsOf: (account_id: number, product_id: number) => allOfAccount<Slots>(account_id, `SLOTS#${padded(product_id)}`),
  /** The part of the count of slots in which a device without a limit is counted. */
  partOf: (device_id: string): number => hash('sha256', device_id, 'buffer').readUInt8() % SLOT_PARTS,
  allSlots: (account_id: number) => allOfAccount<Slots>(account_id, 'SLOTS#'),
  devices: (account_id: number, product_id: number) =>
    allOfAccount<Device>(account_id, `DEVICE#${padded(product_id)}#`),
  devicesFrom: (account_id: number, product_id: number, device_id: string): Partition<Device> => ({
    pk: accountPartition(account_id),
    from: deviceKeys.device(account_id, product_id, device_id).sk,
    to: `DEVICE#${padded(product_id)}#~`,
  }),
  device: (account_id: number, product_id: number, device_id: string) =>
    ofAccount<Device>(account_id, `DEVICE#${padded(product_id)}#${devicePart(device_id)}`),

  uses: (account_id: number) => allOfAccount<ProductUse>(account_id, 'PRODUCTUSE#'),
  use: (account_id: number, product_id: number) =>
    ofAccount<ProductUse>(account_id, `PRODUCTUSE#${padded(product_id)}`),

  usages: (account_id: number) => allOfAccount<KeyUsageDay>(account_id, 'USAGE#'),
  /** The rows of one product from a day on; an empty day is all of them. */
  usagesOf: (account_id: number, product_id: number, since: string): Partition<KeyUsageDay> => ({
    pk: accountPartition(account_id),
    from: `USAGE#${padded(product_id)}#${since}`,
    to: `USAGE#${padded(product_id)}#~`,
  }),
  /** `date` is `YYYY-MM-DD`. */
  usage: (account_id: number, product_id: number, date: string, key_id: number) =>
    ofAccount<KeyUsageDay>(account_id, `USAGE#${padded(product_id)}#${date}#${padded(key_id)}`),
  installs: (account_id: number) => allOfAccount<InstallRecord>(account_id, 'INSTALL#'),
  install: (account_id: number, id: number) => ofAccount<InstallRecord>(account_id, `INSTALL#${padded(id)}`),
};
