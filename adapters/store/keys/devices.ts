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
const devicePart = (deviceId: string): string =>
  /^[\w.:-]{1,128}$/.test(deviceId) ? `=${deviceId}` : `#${hash('sha256', deviceId, 'hex')}`;

/** The product in the sort key of a device or of a count of slots. */
export const productOf = (sk: string): number => Number(sk.split('#', 2)[1]);

/** Where the devices of an account lie, and their reports of use and of installs. */
export const deviceKeys = {
  slots: (accountId: number, productId: number) => ofAccount<Slots>(accountId, `SLOTS#${padded(productId)}`),
  /** A part of the count of slots, for a license without a limit. `part` is 0 to 31. */
  slotsPart: (accountId: number, productId: number, part: number) =>
    ofAccount<Slots>(accountId, `SLOTS#${padded(productId)}#${String(part).padStart(2, '0')}`),
  slotsOf: (accountId: number, productId: number) => allOfAccount<Slots>(accountId, `SLOTS#${padded(productId)}`),
  /** The part of the count of slots in which a device without a limit is counted. */
  partOf: (deviceId: string): number => hash('sha256', deviceId, 'buffer').readUInt8() % SLOT_PARTS,
  allSlots: (accountId: number) => allOfAccount<Slots>(accountId, 'SLOTS#'),
  devices: (accountId: number, productId: number) => allOfAccount<Device>(accountId, `DEVICE#${padded(productId)}#`),
  devicesFrom: (accountId: number, productId: number, deviceId: string): Partition<Device> => ({
    pk: accountPartition(accountId),
    from: deviceKeys.device(accountId, productId, deviceId).sk,
    to: `DEVICE#${padded(productId)}#~`,
  }),
  device: (accountId: number, productId: number, deviceId: string) =>
    ofAccount<Device>(accountId, `DEVICE#${padded(productId)}#${devicePart(deviceId)}`),

  uses: (accountId: number) => allOfAccount<ProductUse>(accountId, 'PRODUCTUSE#'),
  use: (accountId: number, productId: number) => ofAccount<ProductUse>(accountId, `PRODUCTUSE#${padded(productId)}`),

  usages: (accountId: number) => allOfAccount<KeyUsageDay>(accountId, 'USAGE#'),
  /** The rows of one product from a day on; an empty day is all of them. */
  usagesOf: (accountId: number, productId: number, since: string): Partition<KeyUsageDay> => ({
    pk: accountPartition(accountId),
    from: `USAGE#${padded(productId)}#${since}`,
    to: `USAGE#${padded(productId)}#~`,
  }),
  /** `date` is `YYYY-MM-DD`. */
  usage: (accountId: number, productId: number, date: string, keyId: number) =>
    ofAccount<KeyUsageDay>(accountId, `USAGE#${padded(productId)}#${date}#${padded(keyId)}`),
  installs: (accountId: number) => allOfAccount<InstallRecord>(accountId, 'INSTALL#'),
  install: (accountId: number, id: number) => ofAccount<InstallRecord>(accountId, `INSTALL#${padded(id)}`),
};
