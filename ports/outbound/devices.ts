import type { Permit } from '../../domain/access/permit.ts';
import type { Device, HeldDevice, KeptSlots, SeenDevice } from '../../domain/devices/seat.ts';
import type { InstallRecord, ProductUse, UsageDay, Use } from '../../domain/devices/usage.ts';
import type { NewMessages } from '../../domain/mail/message.ts';
import type { Instant } from '../../domain/shared/instant.ts';

/** The slots of one account and product, as read. */
export type ReadSlots = KeptSlots & { readonly version: string | null };

export type Activation = {
  /**
   * True for a license without a limit: the implementation need not check that the slots are unchanged, so concurrent
   * devices don't wait for each other.
   */
  readonly unlimited?: boolean;
  /** Messages to write with the device. */
  readonly messages?: NewMessages;
};

export type ReleaseTerms = {
  /** The time of the release: an offline file that ends later keeps the slot. */
  readonly now: Instant;
  /**
   * If true, frees the slot even while the device's offline file is valid, also of a device that was already released.
   */
  readonly offlineToo?: boolean;
};

/**
 * The result of a release: the slot is free (`released`), an offline file keeps it (the device), or the device held
 * none. Releasing a device again while its offline file is valid gives the same result.
 */
export type Release = 'released' | 'not there' | HeldDevice;

export type DevicePageInput = { readonly limit: number; readonly after: string | null };

export type DevicePage = {
  readonly devices: readonly Device[];
  /** The id of the device after which the next page starts; null if there is none. */
  readonly next: string | null;
};

/**
 * The devices that hold a slot of an account for a product, and the number of slots in use. A device that is released
 * while its offline file is valid is no longer listed, but is among the slots' `held` until that file expires. The
 * caller decides on the slots that it read, and a slot is taken only if they are unchanged, so the limit is exact under
 * any number of concurrent decisions. An implementation must pass the contract suite `contracts/devices`.
 */
export interface Devices {
  /**
   * The device, if it holds a slot and is not released, and the slots in use, in one round trip. Without `consistent`,
   * the slots may be slightly outdated; the device is always current.
   */
  find(
    account_id: number,
    product_id: number,
    device_id: string | null,
    options?: { readonly consistent?: boolean },
  ): Promise<{ device: Device | undefined; slots: ReadSlots }>;
  /**
   * The devices that hold a slot and are not released, ordered by activation, up to 100 (`DEVICES_LISTED`). If there
   * are more, every call returns the same 100.
   */
  list(account_id: number, product_id: number): Promise<Device[]>;
  /** A page of the devices that hold a slot, ordered by activation. `after` is the `next` of the previous page. */
  page(account_id: number, product_id: number, input: DevicePageInput): Promise<DevicePage>;
  /** The slots in use by product id, with sessions; a product without either may be absent or have none. */
  used(account_id: number): Promise<ReadonlyMap<number, KeptSlots>>;
  /**
   * Takes a slot. Returns false and writes nothing if slots were taken or released since the read, even if the count is
   * the same, if the device already holds one, or if the store is too busy with other slots of the product: the caller
   * reads and decides again. A slot that the device held after its release is replaced.
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
   * Frees the slot, or leaves it to the device's valid offline file. Returns `changed` and writes nothing if slots were
   * taken or released meanwhile, the device was touched, or the store is too busy with other slots of the product: the
   * caller must try again.
   */
  release(
    permit: Permit,
    account_id: number,
    product_id: number,
    device_id: string,
    terms: ReleaseTerms,
  ): Promise<Release | 'changed'>;
  /**
   * Renames a device; null removes the name. Returns `changed` and writes nothing if the device was touched or released
   * meanwhile: the caller must try again.
   */
  rename(
    permit: Permit,
    account_id: number,
    product_id: number,
    device_id: string,
    name: string | null,
  ): Promise<'renamed' | 'not there' | 'changed'>;
  /**
   * Records that a device was seen, as `seenAgain` decides on the current record. Returns undefined and writes nothing
   * if the device no longer holds a slot or was written meanwhile. Slots read earlier stay valid. The first time that a
   * device is recorded as shared is an audit event.
   */
  touch(
    permit: Permit,
    account_id: number,
    product_id: number,
    newcomer: Device,
    presented?: string | null,
  ): Promise<SeenDevice | undefined>;
  /**
   * Records `offline_until` of a device, if it is later than the recorded one, and `last_seen_at`. Returns false and
   * writes nothing if the device no longer holds a slot or was written meanwhile: the caller reads and decides again.
   * No offline file may be issued before this returns true.
   */
  hold(permit: Permit, account_id: number, product_id: number, device: Device): Promise<boolean>;
  /**
   * The version of each device of a product that was seen on a day (`YYYY-MM-DD`, UTC) or later, also of one that was
   * released since; null if it sent none. It reads a small record for each device.
   */
  seenVersions(product_id: number, since: string): Promise<readonly (string | null)[]>;
  /** At most `limit` devices of all accounts with this id, or whose ids begin with these eight or more characters. */
  named(
    text: string,
    limit: number,
  ): Promise<readonly { readonly account_id: number; readonly product_id: number; readonly device_id: string }[]>;
}

export interface Usage {
  /**
   * Replaces the row of each account, product, device key and date. Each row is written whole. A failed call may have
   * written some of the rows; repeating it writes all, and changes nothing else.
   */
  save(permit: Permit, account_id: number, key_id: number, days: readonly UsageDay[]): Promise<void>;
  /**
   * The rows of an account, by product and date. Non-null filters select one product, or the rows from a day
   * (`YYYY-MM-DD`) on. A row that has just expired may still be included.
   */
  list(
    account_id: number,
    input?: { readonly product_id: number | null; readonly since: string | null },
  ): AsyncIterable<UsageDay & { readonly key_id: number }>;
}

export interface Installs {
  record(permit: Permit, install: InstallRecord): Promise<void>;
  /** The installs of an account, newest first. One that has just expired may still be included. */
  list(account_id: number): AsyncIterable<InstallRecord>;
}

export type KnownUse = { readonly use: ProductUse; readonly version: string };

/** The uses of an account as read, by product id. */
export type KnownUses = ReadonlyMap<number, KnownUse>;

/** The first and last use of each product by each account. */
export interface ProductUses {
  /** The uses of every product that the account has used. */
  of(account_id: number): Promise<KnownUses>;
  /**
   * Records uses of different products. It writes only days that `known` lacks. Of two concurrent uses of the same
   * product, one is stored.
   */
  note(permit: Permit, account_id: number, known: KnownUses, uses: readonly Use[]): Promise<void>;
}
