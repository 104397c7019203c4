import type { Permit } from '../../domain/access/permit.ts';
import { DEVICES_LISTED, type Device, refuseSeat, type Seat, seatStep } from '../../domain/devices/seat.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { ReadSlots } from '../../ports/outbound/devices.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, rereading, untilWritten } from '../shared/contended.ts';

export type SeatReads = { device: Device | undefined; slots: ReadSlots };

type SeatWish = {
  accountId: number;
  productId: number;
  /** Null means no limit. */
  limit: number | null;
  /** The record to add for a device without a slot. */
  newcomer: Device;
  found: SeatReads;
  /** The devices that the client policy revokes: their slots are free. */
  withdrawn: readonly string[];
};

/**
 * Gives a device its slot. A device that holds one always passes. However many new devices come at once, exactly as
 * many get in as there are free slots. The slot of a device that the client policy revokes is released where no other
 * is free. The refusal lists devices that hold the slots, at most 100. A slot that is taken, or a device that is first
 * seen on a day, is a use of the product.
 */
export const seatDevice = ({
  devices,
  productUses,
  pauses,
  links,
}: Needs<'devices' | 'links' | 'pauses' | 'productUses'>) => {
  const newcomers = new OneAtATime();

  const find = ({ accountId, productId, newcomer }: SeatWish): Promise<SeatReads> =>
    devices.find(accountId, productId, newcomer.device_id);

  const takeSlot = async (
    permit: Permit,
    input: SeatWish,
    found: SeatReads,
  ): Promise<Outcome<Seat, 'device_limit_reached'>> => {
    const { accountId, productId, limit, newcomer } = input;
    const use = { product_id: productId, used_at: newcomer.last_seen_at };
    const read = () => find(input);
    return rereading(pauses, found, read, async ({ device, slots }) => {
      const seat = seatStep({ device, used: slots.used }, newcomer, limit);
      switch (seat.step) {
        case 'keep':
          return ok(seat);
        case 'touch':
          await Promise.all([
            devices.touch(permit, accountId, productId, seat.device),
            productUses.of(accountId).then((known) => productUses.note(permit, accountId, known, [use])),
          ]);
          return ok(seat);
        case 'take': {
          const [taken, known] = await Promise.all([
            devices.activate(permit, accountId, productId, seat.device, slots, { unlimited: limit === null }),
            productUses.of(accountId),
          ]);
          if (!taken) return CONFLICT;
          await productUses.note(permit, accountId, known, [use]);
          return ok(seat);
        }
        case 'full': {
          const [inUse, now] = await Promise.all([devices.list(accountId, productId), read()]);
          // The device may have got a slot since the count was read, or another device may have left one.
          if (now.device || now.slots.version !== slots.version) return CONFLICT;
          if (await releasesWithdrawn(permit, input, inUse)) return CONFLICT;
          return refuseSeat(limit, inUse, links.manageDevices(productId));
        }
      }
    });
  };

  /** Releases the slot of a withdrawn device that holds one. True where the slots have changed. */
  const releasesWithdrawn = async (
    permit: Permit,
    { accountId, productId, withdrawn }: SeatWish,
    inUse: readonly Device[],
  ): Promise<boolean> => {
    const listed = new Set(inUse.map(({ device_id }) => device_id));
    // A list that is cut may lack a device that holds a slot.
    const isCut = inUse.length === DEVICES_LISTED;
    for (const id of withdrawn) {
      if (!isCut && !listed.has(id)) continue;
      const released = await devices.release(permit, accountId, productId, id);
      // A device that was listed and is gone has left its slot meanwhile.
      if (released !== 'not there' || listed.has(id)) return true;
    }
    return false;
  };

  return async (permit: Permit, input: SeatWish): Promise<Outcome<Seat, 'device_limit_reached'>> => {
    const { accountId, productId, limit, newcomer, found } = input;
    const first = seatStep({ device: found.device, used: found.slots.used }, newcomer, limit);
    // Most devices were seen today and need no write.
    if (first.step === 'keep') return ok(first);
    if (first.step !== 'take') return takeSlot(permit, input, found);
    // The devices before this one change the slots, so that a decision on the slots of before would be lost.
    return newcomers.run(`${accountId} ${productId}`, async (waited) =>
      takeSlot(permit, input, waited ? await find(input) : found),
    );
  };
};

export type SeatDevice = ReturnType<typeof seatDevice>;

/** Releases slots that a device holds. However many calls run at once, each slot is released and counted once. */
export const releaseSlots = ({ devices, pauses }: Needs<'devices' | 'pauses'>) => {
  /** Releases the slot of one product; false where the device holds none. */
  const ofProduct = (permit: Permit, accountId: number, productId: number, deviceId: string): Promise<boolean> =>
    untilWritten(pauses, async () => {
      const released = await devices.release(permit, accountId, productId, deviceId);
      return released === 'changed' ? CONFLICT : released === 'released';
    });

  const takenProducts = async (accountId: number): Promise<number[]> => {
    const used = await devices.used(accountId);
    return [...used].flatMap(([productId, slots]) => (slots > 0 ? [productId] : []));
  };

  /** Releases the slots of several products; the products of which the device held one. */
  const ofProducts = async (permit: Permit, accountId: number, products: readonly number[], deviceId: string) => {
    const released = await Promise.all(products.map((productId) => ofProduct(permit, accountId, productId, deviceId)));
    return products.filter((_, n) => released[n]);
  };

  return { ofProduct, takenProducts, ofProducts };
};

export type ReleaseSlots = ReturnType<typeof releaseSlots>;

/**
 * Does works of the same name one after the other, within this process. Works that change the same records are exact
 * without it; it spares them the attempts that they would lose to each other.
 */
export class OneAtATime {
  /** The end of the last work of each name. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Calls `work` once the works before it have ended, well or not. `waited` is true if there were any. */
  async run<T>(name: string, work: (waited: boolean) => Promise<T>): Promise<T> {
    const before = this.#last.get(name);
    const result = before ? before.then(() => work(true)) : work(false);
    const end = result.catch(() => {});
    this.#last.set(name, end);
    try {
      return await result;
    } finally {
      if (this.#last.get(name) === end) this.#last.delete(name);
    }
  }
}
