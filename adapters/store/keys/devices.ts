import { hash } from 'node:crypto';
import type { Lease } from '../../../domain/devices/lease.ts';
import type { Device, HeldDevice } from '../../../domain/devices/seat.ts';
import type { InstallRecord, ProductUse, UsageDay } from '../../../domain/devices/usage.ts';
import type { Partition } from './families.ts';
import { accountPartition, allOfAccount, keyIn, ofAccount, padded } from './shared.ts';

/**
 * The number of an account's slots that devices hold for a product, and the released devices whose offline files hold
 * further slots. One item has both, because a query may read items at different moments.
 */
export type Slots = { readonly used: number; readonly held?: readonly HeldDevice[] | undefined };

/**
 * One day's use of a product with one key. The commands are a JSON string, because not every engine preserves all
 * numbers and names of JSON.
 */
export type KeyUsageDay = Omit<UsageDay, 'commands'> & { readonly key_id: number; readonly commands?: string };

/**
 * The number of shards of a slot count. A query of all shards costs one read unit, like a read of the single count, and
 * concurrent devices seldom write the same shard.
 */
export const SLOT_PARTS = 32;

/** An account's device of a product, in the list by which the shop finds devices by id. */
export type ListedDevice = { readonly account_id: number; readonly product_id: number; readonly device_id: string };

/** The day on which a device or a session was last seen, and the version that it sent then. */
export type SeenVersion = { readonly day: string; readonly version: string | null };

/** The number of characters with which a search for a device may begin. Shorter ids are found whole. */
const BEGINNING = 8;

/** Clients choose device names freely; a hash replaces a name that is too long or too unusual for a sort key. */
const devicePart = (device_id: string): string =>
  /^[\w.:-]{1,128}$/.test(device_id) ? `=${device_id}` : `#${hash('sha256', device_id, 'hex')}`;

/** The partition of the devices whose ids begin like this one. */
const beginningOf = (device_id: string): `DEVICEIDS#${string}` =>
  `DEVICEIDS#${hash('sha256', [...device_id].slice(0, BEGINNING).join(''), 'hex')}`;

/** The product in the sort key of a device or a slot count. */
export const productOf = (sk: string): number => Number(sk.split('#', 2)[1]);

/** Keys of an account's devices and leases, and of their usage and installs. */
export const deviceKeys = {
  slots: (account_id: number, product_id: number) => ofAccount<Slots>(account_id, `SLOTS#${padded(product_id)}`),
  /** A shard of the slot count of a license without a limit. `part` is 0 to 31. */
  slotsPart: (account_id: number, product_id: number, part: number) =>
    ofAccount<Slots>(account_id, `SLOTS#${padded(product_id)}#${String(part).padStart(2, '0')}`),
  slotsOf: (account_id: number, product_id: number) => allOfAccount<Slots>(account_id, `SLOTS#${padded(product_id)}`),
  /** The shard in which a device without a limit is counted. */
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

  allLeases: (account_id: number) => allOfAccount<Lease>(account_id, 'LEASE#'),
  leases: (account_id: number, product_id: number) => allOfAccount<Lease>(account_id, `LEASE#${padded(product_id)}#`),
  lease: (account_id: number, product_id: number, slot: number) =>
    ofAccount<Lease>(account_id, `LEASE#${padded(product_id)}#${String(slot).padStart(6, '0')}`),
  listed: ({ account_id, product_id, device_id }: ListedDevice) =>
    keyIn<ListedDevice>(beginningOf(device_id), `${devicePart(device_id)}#${padded(account_id)}#${padded(product_id)}`),
  /** The listed devices with this id, or if it is long and usual enough, those whose ids begin with it. */
  listedAs: (text: string): Partition<ListedDevice> => {
    const part = devicePart(text);
    return { pk: beginningOf(text), prefix: part.startsWith('=') && text.length >= BEGINNING ? part : `${part}#` };
  },
  /** By a hash, so that a record which outlives its account or device identifies neither. */
  seenVersion: (account_id: number, product_id: number, name: string) =>
    keyIn<SeenVersion>(`VERSIONS#${product_id}`, hash('sha256', `${account_id} ${name}`, 'hex')),
  seenVersions: (product_id: number): Partition<SeenVersion> => ({ pk: `VERSIONS#${product_id}` }),

  uses: (account_id: number) => allOfAccount<ProductUse>(account_id, 'PRODUCTUSE#'),
  use: (account_id: number, product_id: number) =>
    ofAccount<ProductUse>(account_id, `PRODUCTUSE#${padded(product_id)}`),

  usages: (account_id: number) => allOfAccount<KeyUsageDay>(account_id, 'USAGE#'),
  /** The usage rows of one product from a day on; an empty string means all days. */
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
