import type { Permit } from '../../domain/access/permit.ts';
import { borrowedUntil, type Lease, liveLeases } from '../../domain/devices/lease.ts';
import {
  DEVICES_LISTED,
  type Device,
  deviceOfLease,
  type HeldDevice,
  heldDevice,
  liveHolds,
  refuseSeat,
  type Seat,
  seatStep,
  slotsTaken,
} from '../../domain/devices/seat.ts';
import { messageAbout } from '../../domain/mail/message.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { ReadSlots, Release } from '../../ports/outbound/devices.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, rereading, untilWritten } from '../shared/contended.ts';
import { OneAtATime } from '../shared/one-at-a-time.ts';

export type SeatReads = { device: Device | undefined; slots: ReadSlots };

export type SeatInput = {
  account_id: number;
  product_id: number;
  /** Null means no limit. */
  limit: number | null;
  /** The record to add for a device without a slot. */
  newcomer: Device;
  /** The value from the device's last answer that the check sent; null if it sent none. */
  presented?: string | null;
  found: SeatReads;
  /** The devices that the client policy revokes: their slots are free. */
  withdrawn: readonly string[];
};

type Ports = Needs<'devices' | 'links' | 'pauses' | 'productUses'>;

/**
 * Gives a device its slot. A device that holds one always passes. Of concurrent new devices, exactly as many get a slot
 * as are free. If none is free, the slot of a device revoked by the client policy is released. The refusal lists up to
 * 100 devices that hold slots. The end of a new offline file is recorded with the slot, before the file is issued.
 * Taking a slot, or the first check of a device on a day, counts as use of the product.
 */
export const seatDevice = ({ devices, productUses, pauses, links }: Ports) => {
  const newcomers = new OneAtATime();

  const find = ({ account_id, product_id, newcomer }: SeatInput): Promise<SeatReads> =>
    devices.find(account_id, product_id, newcomer.device_id);

  const takeSlot = async (
    permit: Permit,
    input: SeatInput,
    found: SeatReads,
  ): Promise<Outcome<Seat, 'device_limit_reached'>> => {
    const { account_id, product_id, limit, newcomer, presented = null } = input;
    const use = { product_id, used_at: newcomer.last_seen_at };
    const read = () => find(input);
    return rereading(pauses, found, read, async ({ device, slots }) => {
      const seat = seatStep(device, slots, newcomer, limit, presented);
      switch (seat.step) {
        case 'keep':
          return ok(seat);
        case 'hold':
          return (await devices.hold(permit, account_id, product_id, seat.device)) ? ok(seat) : CONFLICT;
        case 'touch': {
          // The device has its slot even if the day can't be written. Its next check records it again.
          const [touched] = await Promise.allSettled([
            devices.touch(permit, account_id, product_id, newcomer, presented),
            productUses.of(account_id).then((known) => productUses.note(permit, account_id, known, [use])),
          ]);
          // Only a recorded value may be returned. If it could not be recorded, the previous value stays valid.
          const seen = touched.status === 'fulfilled' ? touched.value : undefined;
          return ok({ ...seat, continuation: seen ? seen.continuation : presented });
        }
        case 'take': {
          const about = { account_id, id: newcomer.device_id, product_id };
          const terms = { unlimited: limit === null, messages: [messageAbout('device', about)] };
          const [taken, known] = await Promise.all([
            devices.activate(permit, account_id, product_id, seat.device, slots, terms),
            productUses.of(account_id),
          ]);
          if (!taken) return CONFLICT;
          await productUses.note(permit, account_id, known, [use]);
          return ok(seat);
        }
        case 'full': {
          const [listed, current] = await Promise.all([devices.list(account_id, product_id), read()]);
          // The device may have taken a slot since the count was read, or another device may have freed one.
          if (current.device || current.slots.version !== slots.version) return CONFLICT;
          const now = newcomer.last_seen_at;
          const inUse = [...listed, ...liveHolds(slots.held, now)];
          if (await releasesWithdrawn(permit, input, inUse)) return CONFLICT;
          const firstOnes = inUse.slice(0, DEVICES_LISTED);
          return refuseSeat(limit, slotsTaken(slots, now), firstOnes, links.manageDevices(product_id), now);
        }
      }
    });
  };

  /** Releases the slot of a withdrawn device that holds one. Returns true if the slots have changed. */
  const releasesWithdrawn = async (
    permit: Permit,
    { account_id, product_id, withdrawn, newcomer }: SeatInput,
    inUse: readonly Device[],
  ): Promise<boolean> => {
    const listed = new Set(inUse.map(({ device_id }) => device_id));
    // A truncated list may lack a device that holds a slot.
    const isCut = inUse.length >= DEVICES_LISTED;
    const terms = { now: newcomer.last_seen_at, offlineToo: true };
    for (const id of withdrawn) {
      if (!isCut && !listed.has(id)) continue;
      const released = await devices.release(permit, account_id, product_id, id, terms);
      // A listed device that is missing has released its slot meanwhile.
      if (released !== 'not there' || listed.has(id)) return true;
    }
    return false;
  };

  return async function seatDevice(permit: Permit, input: SeatInput): Promise<Outcome<Seat, 'device_limit_reached'>> {
    const { account_id, product_id, limit, newcomer, presented, found } = input;
    const first = seatStep(found.device, found.slots, newcomer, limit, presented);
    // Most devices were seen today and need no write.
    if (first.step === 'keep') return ok(first);
    if (first.step !== 'take') return takeSlot(permit, input, found);
    // Earlier devices in the loop change the slots, so a decision on the old slots would conflict.
    return newcomers.run(`${account_id} ${product_id}`, async (waited) =>
      takeSlot(permit, input, waited ? await find(input) : found),
    );
  };
};

export type SeatDevice = ReturnType<typeof seatDevice>;

/** The device that keeps its slot after a release, because its offline file is valid. */
export const heldBy = (release: Release): HeldDevice | null => (typeof release === 'object' ? release : null);

/**
 * Ends the sessions of an account that `which` selects. A borrowed one holds its slot to its end, because its token runs
 * offline, unless `offlineToo` is true (for operators): the result is its device. `untold` leaves no audit entry.
 * However many calls run concurrently, each session is ended once.
 */
export const endSessions = ({ clock, leases, pauses }: Needs<'clock' | 'leases' | 'pauses'>) =>
  function endSessions(
    permit: Permit,
    { account_id, product_id }: { readonly account_id: number; readonly product_id: number },
    which: Partial<Pick<Lease, 'lease_id' | 'device_id'>>,
    { offlineToo = false, untold = false } = {},
  ): Promise<Release> {
    return untilWritten(pauses, async () => {
      const now = clock.now();
      let result: Release = 'not there';
      for (const lease of liveLeases(await leases.of(account_id, product_id), [], now)) {
        if (lease.lease_id !== (which.lease_id ?? lease.lease_id)) continue;
        if (lease.device_id !== (which.device_id ?? lease.device_id)) continue;
        const until = offlineToo ? null : borrowedUntil(lease, now);
        if (until === null && !(await leases.end(permit, account_id, lease, { untold }))) return CONFLICT;
        result = until === null ? 'released' : heldDevice(deviceOfLease(lease), until, now);
      }
      return result;
    });
  };

export type EndSessions = ReturnType<typeof endSessions>;

/**
 * Releases slots that a device holds. However many calls run concurrently, each slot is released and counted once. A
 * slot held by an offline file stays taken until the file expires, unless `offlineToo` is true (for operators).
 */
export const releaseSlots = ({
  devices,
  clock,
  pauses,
  endSessions,
}: Needs<'clock' | 'devices' | 'pauses'> & { endSessions: EndSessions }) => {
  /** Releases the slot of one product, or ends the device's sessions. */
  const ofProduct = async (
    permit: Permit,
    account_id: number,
    product_id: number,
    device_id: string,
    offlineToo = false,
  ): Promise<Release> => {
    const release = await untilWritten(pauses, async () => {
      const terms = { now: clock.now(), offlineToo };
      const released = await devices.release(permit, account_id, product_id, device_id, terms);
      return released === 'changed' ? CONFLICT : released;
    });
    if (release !== 'not there') return release;
    return endSessions(permit, { account_id, product_id }, { device_id }, { offlineToo });
  };

  /** The products of which the account has devices that are not released, or sessions. */
  const takenProducts = async (account_id: number): Promise<number[]> => {
    const slots = await devices.used(account_id);
    return [...slots].flatMap(([product_id, { used, sessions }]) => (used > 0 || sessions ? [product_id] : []));
  };

  /**
   * Releases the slots of several products. Returns the products whose slot is now free, and those whose slot is held.
   */
  const ofProducts = async (permit: Permit, account_id: number, products: readonly number[], device_id: string) => {
    const all = await Promise.all(products.map((product_id) => ofProduct(permit, account_id, product_id, device_id)));
    return { freed: products.filter((_, n) => all[n] === 'released'), held: all.flatMap((one) => heldBy(one) ?? []) };
  };

  return { ofProduct, takenProducts, ofProducts };
};

export type ReleaseSlots = ReturnType<typeof releaseSlots>;
