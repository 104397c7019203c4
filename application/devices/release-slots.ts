import type { Permit } from '../../domain/access/permit.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

export type Ports = Needs<'devices' | 'pauses'>;

/** Releases slots that a device holds. However many calls run at once, each slot is released and counted once. */
export const releaseSlots = ({ devices, pauses }: Ports) => {
  /** Releases the slot of one product; false where the device holds none. */
  const ofProduct = (permit: Permit, accountId: number, productId: number, deviceId: string): Promise<boolean> =>
    untilWritten(pauses, async () => {
      const released = await devices.release(permit, accountId, productId, deviceId);
      return released === 'changed' ? CONFLICT : released === 'released';
    });

  /** The products of which some device holds a slot. */
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
