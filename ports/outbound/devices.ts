import type { Permit } from '../../domain/access/permit.ts';
import type { Device, HeldDevice, KeptSlots, SeenDevice } from '../../domain/devices/seat.ts';
import type { InstallRecord, ProductUse, UsageDay, Use } from '../../domain/devices/usage.ts';
import type { NewMessages } from '../../domain/mail/message.ts';
import type { Instant } from '../../domain/shared/instant.ts';

/** The slots of one account and product, as they were read. */
export type ReadSlots = KeptSlots & { readonly version: string | null };

export type Activation = {
  /**
   * True for a license without a limit, of which any number may be taken: an implementation need not compare the slots
   * that were read, so that devices that come at once don't wait for each other.
   */
  readonly unlimited?: boolean;
  /** The messages that are written with the device. */
  readonly messages?: NewMessages;
};

export type ReleaseTerms = {
  /** The moment of the release: an offline file that ends later holds the slot. */
  readonly now: Instant;
  /** True frees the slot of a device whose offline file runs, also of one that was released before. */
  readonly offlineToo?: boolean;
};

/**
 * How a release ended: the slot is free (`released`), an offline file holds it (the device), or the device held none. A
 * device that was released before, and whose file runs, gives the same answer again.
 */
export type Release = 'released' | 'not there' | HeldDevice;

export type DevicePageWish = { readonly limit: number; readonly after: string | null };

export type DevicePage = {
  readonly devices: readonly Device[];
  /** The id of the device that the page after this one follows; null if no page follows. */
  readonly next: string | null;
};

/**
 * The devices that hold a slot of an account for a product, and the number of taken slots. A device that is released
 * while its offline file runs is no device any more, but among the slots' `held` until that file ends. The caller decides on the
 * slots that it read, and a slot is taken only if they are still so: that keeps the limit exact, however many processes
 * decide at once. An implementation is right when it passes the contract suite `contracts/devices`.
 */
export interface Devices {
  /**
   * The device, where it holds a slot and is not released, and the taken slots, in one round trip. Where `consistent` is
   * false, the slots may be as they were some moments ago; the device is always as it is now.
   */
  find(
    account_id: number,
    product_id: number,
    device_id: string | null,
    options?: { readonly consistent?: boolean },
  ): Promise<{ device: Device | undefined; slots: ReadSlots }>;
  /**
   * The devices that hold a slot and are not released, first activated first, if they are at most 100 (`DEVICES_LISTED`). Of more devices,
   * it gives 100 that stay the same, in the same order among themselves.
   */
  list(account_id: number, product_id: number): Promise<Device[]>;
  /** A page of the devices that hold a slot, first activated first. `after` is the `next` of the page before. */
  page(account_id: number, product_id: number, wish: DevicePageWish): Promise<DevicePage>;
  /** The taken slots by product id; a product without devices may be absent or have none. */
  used(account_id: number): Promise<ReadonlyMap<number, KeptSlots>>;
  /**
   * Takes a slot; false, with nothing written, where slots were taken or released since they were read, even if as many
   * are taken again, or where the device holds a slot already. False too where the store is too busy with other slots
   * of the product to tell: the caller reads and decides again. A slot that the device held as a released one ends.
   */
  activate(
    permit: Permit,
    account_id: number,
    product_id: number,
    device: Device,
    slots: ReadSlots,
    options?: Activation,
  ): Promise<boolean>;
  /**
   * Gives the slot back, or leaves it to the device's offline file where that runs. `changed`, with nothing written, where slots were taken or released meanwhile, the device was
   * touched, or the store is too busy with other slots of the product: the caller must try again.
   */
  release(
    permit: Permit,
    account_id: number,
    product_id: number,
    device_id: string,
    terms: ReleaseTerms,
  ): Promise<Release | 'changed'>;
  /**
   * Gives a device another name; null takes the name away. `changed`, with nothing written, where the device was touched
   * or released meanwhile: the caller must try again.
   */
  rename(
    permit: Permit,
    account_id: number,
    product_id: number,
    device_id: string,
    name: string | null,
  ): Promise<'renamed' | 'not there' | 'changed'>;
  /**
   * Records that a device was seen, as `seenAgain` decides on the record as it is now; undefined, with nothing written,
   * where the device holds no slot any more or was written meanwhile. The slots that somebody read before stay as good
   * as they were. The first record of a shared device is an event of the audit log.
   */
  touch(
    permit: Permit,
    account_id: number,
    product_id: number,
    newcomer: Device,
    presented?: string | null,
  ): Promise<SeenDevice | undefined>;
  /**
   * Records `offline_until` of a device, if it is later than the recorded one, and `last_seen_at`. False, with nothing
   * written, where the device holds no slot any more or was written meanwhile: the caller reads and decides again. No
   * offline file may be given before this is true.
   */
  hold(permit: Permit, account_id: number, product_id: number, device: Device): Promise<boolean>;
}

export interface Usage {
  /**
   * Replaces the row of each account, product, device key and date. Each row is written whole. A call that fails may
   * have written some of the rows; the same call again writes all, and changes nothing else.
   */
  save(permit: Permit, account_id: number, key_id: number, days: readonly UsageDay[]): Promise<void>;
  /**
   * The rows of an account, by product and date: of one product alone, and from a day (`YYYY-MM-DD`) on, where these
   * are not null. One whose time has just ended may still be among them.
   */
  list(
    account_id: number,
    wish?: { readonly product_id: number | null; readonly since: string | null },
  ): AsyncIterable<UsageDay & { readonly key_id: number }>;
}

export interface Installs {
  record(permit: Permit, install: InstallRecord): Promise<void>;
  /** The installs of an account, newest first. One whose time has just ended may still be among them. */
  list(account_id: number): AsyncIterable<InstallRecord>;
}

export type KnownUse = { readonly use: ProductUse; readonly version: string };

/** The uses of an account as they were read, by product id. */
export type KnownUses = ReadonlyMap<number, KnownUse>;

/** The first and last use of each product by each account. */
export interface ProductUses {
  /** The uses of every product that the account has used. */
  of(account_id: number): Promise<KnownUses>;
  /**
   * Notes uses of different products. It writes only those of a day that `known` lacks. Where another request notes a
   * use of the same product at the same time, one of the two is kept.
   */
  note(permit: Permit, account_id: number, known: KnownUses, uses: readonly Use[]): Promise<void>;
}
