import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent, type Subject } from '../../domain/audit/event.ts';
import {
  DEVICES_LISTED,
  type Device,
  type HeldDevice,
  heldDevice,
  isUnseenToday,
  type KeptSlots,
  liveHolds,
  MOST_HELD,
  offlineUntil,
  type SeenDevice,
  seenAgain,
  sharedAt,
  withOffline,
} from '../../domain/devices/seat.ts';
import { IN_USE_DAYS } from '../../domain/devices/versions-in-use.ts';
import { compareText } from '../../domain/shared/compare-text.ts';
import { addDays, dayOf, type Instant } from '../../domain/shared/instant.ts';
import { deviceEvents } from '../../domain/webhooks/events.ts';
import type {
  Activation,
  DevicePage,
  DevicePageInput,
  Devices,
  ReadSlots,
  Release,
  ReleaseTerms,
} from '../../ports/outbound/devices.ts';
import { expiryAt } from './expiry.ts';
import { deviceKeys, type ListedDevice, productOf, SLOT_PARTS, type Slots } from './keys/devices.ts';
import { allItems, allRecords, firstItems, ifUnchanged, itemOf } from './records.ts';
import { Audited } from './repository.ts';
import { type Item, type ReadOptions, StoreBusy } from './table.ts';
import type { KeyOf, TypedWrite } from './typed-table.ts';

/** An item that counts slots, as read: its sort key, its count, its version and the released devices. */
type Part = readonly [sk: string, used: number, version: string, held: readonly HeldDevice[]];

type SlotsOf = { readonly account_id: number; readonly product_id: number };

const partOf = ({ sk, data, version }: Item<Slots>): Part => [sk, data.used, version, data.held ?? []];

/**
 * The total of the slots that the items count. Their version covers every item, so any change shows. It is computed on
 * demand, because the check of a device that has a slot doesn't need it.
 */
export const readSlots = (items: readonly Item<Slots>[]): ReadSlots => ({
  used: items.reduce((sum, { data }) => sum + data.used, 0),
  held: items.flatMap(({ data }) => data.held ?? []),
  get version() {
    return items.length === 0 ? null : JSON.stringify(items.map(partOf));
  },
});

const partsOf = ({ version }: ReadSlots): readonly Part[] => (version === null ? [] : JSON.parse(version));

/** A change of one item that counts slots: of its count, and of its released devices. */
type Change = {
  readonly by: number;
  readonly now: Instant;
  /** The id of a released device that no longer holds a slot. */
  readonly without: string;
  readonly hold?: HeldDevice | undefined;
};

/**
 * Writes one item, on the condition that it is unchanged since the read. Released devices whose offline files have
 * expired are dropped.
 */
const count = (key: KeyOf<Slots>, parts: readonly Part[], { by, now, without, hold }: Change): TypedWrite => {
  const [, used = 0, version = null, before = []] = parts.find(([sk]) => sk === key.sk) ?? [];
  const held = [...liveHolds(before, now).filter(({ device_id }) => device_id !== without), ...(hold ? [hold] : [])];
  const data = { used: Math.max(0, used + by), ...(held.length > 0 && { held }) };
  return { put: itemOf(key, data), condition: ifUnchanged(version) };
};

const holds = ([, , , held]: Part, id: string): boolean => held.some(({ device_id }) => device_id === id);

/**
 * Takes a slot. With a limit, the single count rises, and no item may have changed since the read; without one, the
 * device's shard rises. The slot that the device held after its release ends.
 */
const take = ({ account_id, product_id }: SlotsOf, slots: ReadSlots, device: Device, unlimited: boolean) => {
  const { device_id, last_seen_at: now } = device;
  const key = unlimited
    ? deviceKeys.slotsPart(account_id, product_id, deviceKeys.partOf(device_id))
    : deviceKeys.slots(account_id, product_id);
  const parts = partsOf(slots);
  const others = parts
    .filter(([sk]) => sk !== key.sk)
    .flatMap((part): TypedWrite[] => {
      const other = { ...key, sk: part[0] };
      if (holds(part, device_id)) return [count(other, parts, { by: 0, now, without: device_id })];
      return unlimited ? [] : [{ check: other, condition: { version: part[2] } }];
    });
  return [count(key, parts, { by: 1, now, without: device_id }), ...others];
};

/**
 * Gives a slot back, or transfers it to `hold`: in the device's shard, or in any other item that counts slots if the
 * shard counts none.
 */
export const giveBack = (
  { account_id, product_id }: SlotsOf,
  slots: ReadSlots,
  device_id: string,
  now: Instant,
  hold?: HeldDevice,
): TypedWrite => {
  const key = deviceKeys.slots(account_id, product_id);
  const own = deviceKeys.slotsPart(account_id, product_id, deviceKeys.partOf(device_id)).sk;
  const parts = partsOf(slots);
  const taken = parts.filter(([, used]) => used > 0);
  const [sk] = taken.find((part) => part[0] === own) ?? taken[0] ?? [key.sk];
  return count({ ...key, sk }, parts, { by: -1, now, without: device_id, hold });
};

/** Frees the slot that a released device still holds. */
const freeHeld = (
  { account_id, product_id }: SlotsOf,
  slots: ReadSlots,
  device_id: string,
  now: Instant,
): TypedWrite[] =>
  partsOf(slots)
    .filter((part) => holds(part, device_id))
    .map((part) => {
      const key = { ...deviceKeys.slots(account_id, product_id), sk: part[0] };
      return count(key, partsOf(slots), { by: 0, now, without: device_id });
    });

const byActivation = (a: Device, b: Device): number => compareText(a.activated_at, b.activated_at);

/** The write that lists a device for the shop's search. */
export const listingOf = (account_id: number, product_id: number, { device_id }: Pick<Device, 'device_id'>) => {
  const listed = { account_id, product_id, device_id };
  return { put: itemOf(deviceKeys.listed(listed), listed) };
};

/**
 * The record of the version on a device or a session (`name`). It stays until its day is over 30 days old, also if the
 * device is released or its account is merged or erased.
 */
export const seenVersion = (
  account_id: number,
  product_id: number,
  { device_id: name, last_seen_at, app_version }: Pick<Device, 'app_version' | 'device_id' | 'last_seen_at'>,
) => {
  const seen = { day: dayOf(last_seen_at), version: app_version ?? null };
  return itemOf(
    deviceKeys.seenVersion(account_id, product_id, name),
    seen,
    expiryAt(addDays(last_seen_at, IN_USE_DAYS + 1)),
  );
};

/** The writes that list a device for another account. */
export const listedAnew = (from: number, into: number, product_id: number, device: Device): TypedWrite[] => [
  { remove: deviceKeys.listed({ account_id: from, product_id, device_id: device.device_id }) },
  listingOf(into, product_id, device),
];

const subjectOf = (account_id: number, product_id: number, device_id: string): Subject => ({
  kind: 'device',
  id: device_id,
  account_id,
  product_id,
});

/**
 * Each device has an item, and one more item counts the slots in use. One transaction takes or frees a slot, on the
 * condition that the count is unchanged since the decision, so the limit is exact under any number of concurrent
 * decisions. Devices of a license without a limit are counted in 32 shards, so that concurrent devices rarely write the
 * same one.
 */
export class StoredDevices extends Audited implements Devices {
  async find(account_id: number, product_id: number, device_id: string | null, options?: ReadOptions) {
    const [slots, device] = await this.#read(account_id, product_id, device_id, options);
    return { device: device?.data, slots };
  }

  async list(account_id: number, product_id: number): Promise<Device[]> {
    const first = await firstItems(this.table, deviceKeys.devices(account_id, product_id), DEVICES_LISTED);
    return first.map(({ data }) => data).sort(byActivation);
  }

  async page(account_id: number, product_id: number, { limit, after }: DevicePageInput): Promise<DevicePage> {
    const query =
      after === null
        ? deviceKeys.devices(account_id, product_id)
        : deviceKeys.devicesFrom(account_id, product_id, after);
    // The query starts at the last device of the previous page, which may have been released meanwhile.
    const found = (await firstItems(this.table, query, limit + 2)).map(({ data }) => data);
    const further = found[0]?.device_id === after ? found.slice(1) : found;
    const devices = further.slice(0, limit);
    const next = further.length > limit ? (devices.at(-1)?.device_id ?? null) : null;
    return { devices: devices.sort(byActivation), next };
  }

  async used(account_id: number): Promise<ReadonlyMap<number, KeptSlots>> {
    const [items, leases] = await Promise.all([
      Array.fromAsync(allItems(this.table, deviceKeys.allSlots(account_id))),
      allRecords(this.table, deviceKeys.allLeases(account_id)),
    ]);
    const byProduct = Map.groupBy(items, ({ sk }) => productOf(sk));
    const sessions = Map.groupBy(leases, ({ product_id }) => product_id);
    const products = new Set([...byProduct.keys(), ...sessions.keys()]);
    return new Map(
      [...products].map((id) => [id, { ...readSlots(byProduct.get(id) ?? []), sessions: sessions.get(id) }]),
    );
  }

  async activate(
    permit: Permit,
    account_id: number,
    product_id: number,
    device: Device,
    slots: ReadSlots,
    { unlimited = false, messages = [] }: Activation = {},
  ): Promise<boolean> {
    return this.#attempt([
      ...take({ account_id, product_id }, slots, device, unlimited),
      { put: itemOf(deviceKeys.device(account_id, product_id, device.device_id), device), condition: { absent: true } },
      listingOf(account_id, product_id, device),
      { put: seenVersion(account_id, product_id, device) },
      ...(await this.webhookWrites(permit, deviceEvents('activated', { account_id, product_id }, device))),
      ...this.messageWrites(permit, messages),
    ]);
  }

  async release(
    permit: Permit,
    account_id: number,
    product_id: number,
    device_id: string,
    { now, offlineToo = false }: ReleaseTerms,
  ): Promise<Release | 'changed'> {
    const [slots, device] = await this.#read(account_id, product_id, device_id);
    const of = { account_id, product_id };
    const subject = subjectOf(account_id, product_id, device_id);
    const live = liveHolds(slots.held, now);
    const held = live.find((hold) => hold.device_id === device_id);
    if (!device && held && !offlineToo) return held;
    if (!device && !held) return 'not there';
    const until = device && !offlineToo ? offlineUntil(device.data, now) : null;
    const hold = device && until !== null ? heldDevice(device.data, until, now) : undefined;
    if (hold && live.length >= MOST_HELD) return hold;
    const written = await this.#attempt([
      ...(device ? [giveBack(of, slots, device_id, now, hold)] : freeHeld(of, slots, device_id, now)),
      ...(device
        ? [{ remove: deviceKeys.device(account_id, product_id, device_id), condition: { version: device.version } }]
        : []),
      { remove: deviceKeys.listed({ account_id, product_id, device_id }) },
      this.trail.entry(permit, auditEvent(subject, 'released', undefined, hold && { offline_until: until })),
      ...(await this.webhookWrites(permit, deviceEvents('released', of, device?.data ?? { device_id }))),
    ]);
    return written ? (hold ?? 'released') : 'changed';
  }

  async rename(permit: Permit, account_id: number, product_id: number, device_id: string, name: string | null) {
    const key = deviceKeys.device(account_id, product_id, device_id);
    const read = await this.table.get(key);
    if (!read) return 'not there';
    if (read.data.name === name) return 'renamed';
    const subject = subjectOf(account_id, product_id, device_id);
    const { name_is_sent: _, ...rest } = read.data;
    const renamed = await this.#attempt([
      { put: itemOf(key, { ...rest, name }), condition: { version: read.version } },
      this.trail.entry(permit, auditEvent(subject, 'renamed', { name: read.data.name }, { name })),
      ...(await this.webhookWrites(permit, deviceEvents('renamed', { account_id, product_id }, read.data))),
    ]);
    return renamed ? 'renamed' : 'changed';
  }

  async touch(
    permit: Permit,
    account_id: number,
    product_id: number,
    newcomer: Device,
    presented: string | null = null,
  ): Promise<SeenDevice | undefined> {
    const key = deviceKeys.device(account_id, product_id, newcomer.device_id);
    const read = await this.table.get(key);
    if (!read) return undefined;
    const seen = seenAgain(read.data, newcomer, presented);
    const put = { put: itemOf(key, seen.device), condition: { version: read.version } };
    const versions = isUnseenToday(read.data, newcomer.last_seen_at)
      ? [seenVersion(account_id, product_id, seen.device)]
      : [];
    const isShared = sharedAt(seen.device) !== sharedAt(read.data);
    const event = auditEvent(subjectOf(account_id, product_id, newcomer.device_id), 'shared');
    const written = isShared
      ? await this.#attempt([put, this.trail.entry(permit, event), ...versions.map((version) => ({ put: version }))])
      : (await Promise.all([this.table.put(put.put, put.condition), ...versions.map((one) => this.table.put(one))]))[0];
    return written ? seen : undefined;
  }

  async hold(_permit: Permit, account_id: number, product_id: number, device: Device): Promise<boolean> {
    const key = deviceKeys.device(account_id, product_id, device.device_id);
    const read = await this.table.get(key);
    if (!read) return false;
    const held = withOffline({ ...read.data, last_seen_at: device.last_seen_at }, device.offline_until);
    const [written] = await Promise.all([
      this.table.put(itemOf(key, held), { version: read.version }),
      this.table.put(seenVersion(account_id, product_id, device)),
    ]);
    return written;
  }

  async seenVersions(product_id: number, since: string): Promise<(string | null)[]> {
    const seen = await allRecords(this.table, deviceKeys.seenVersions(product_id));
    return seen.flatMap(({ day, version }) => (day >= since ? [version] : []));
  }

  async named(text: string, limit: number): Promise<ListedDevice[]> {
    return (await firstItems(this.table, deviceKeys.listedAs(text), limit)).map(({ data }) => data);
  }

  async #read(account_id: number, product_id: number, device_id: string | null, options?: ReadOptions) {
    const [{ items }, device] = await Promise.all([
      // The count and its shards are far smaller than a page.
      this.table.query({ ...deviceKeys.slotsOf(account_id, product_id), ...options, limit: SLOT_PARTS + 1 }),
      device_id === null ? undefined : this.table.get(deviceKeys.device(account_id, product_id, device_id)),
    ]);
    return [readSlots(items), device] as const;
  }

  /** False if a condition fails, or others write the same items: the caller then reads and decides again. */
  async #attempt(writes: readonly TypedWrite[]): Promise<boolean> {
    try {
      return await this.table.transact(writes, { hurried: true });
    } catch (error) {
      if (error instanceof StoreBusy) return false;
      throw error;
    }
  }
}
