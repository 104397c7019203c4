import type { ApiKey } from '../../domain/access/api-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { EndApiKey } from '../access/end-api-key.ts';
import type { ReleaseSlots } from './release-slots.ts';

export type Ports = { endApiKey: EndApiKey; releaseSlots: ReleaseSlots };

/**
 * Signs a device out: releases its slots of all products, and revokes the calling key and the product keys that its
 * bulk activation made. A key that is bound to a product releases the slot of that product alone, because the device
 * stays signed in. Another key of the same device lives on, and takes a free slot again with its next license check.
 *
 * The number of slots that were released.
 */
export const signOutDevice = ({ endApiKey, releaseSlots }: Ports) => {
  /** The products of which the key's device may hold a slot that the key may release. */
  const productsOf = async ({ account_id, product_id, device }: ApiKey): Promise<readonly number[]> => {
    if (device === null) return [];
    return product_id === null ? releaseSlots.takenProducts(account_id) : [product_id];
  };

  return async ({ key, permit }: { key: ApiKey; permit: Promise<Permit> }): Promise<number> => {
    const deviceId = key.device?.device_id;
    const [allowed, products] = await Promise.all([permit, productsOf(key)]);
    if (deviceId === undefined) {
      await endApiKey(allowed, key);
      return 0;
    }
    const release = (ids: readonly number[]) => releaseSlots.ofProducts(allowed, key.account_id, ids, deviceId);
    const before = await release(products);
    await endApiKey(allowed, key);
    // A license check by one of the keys may have taken a slot again, or another one, before its key ended.
    const [again, current] = await Promise.all([release(products), productsOf(key)]);
    const others = await release(current.filter((productId) => !products.includes(productId)));
    return new Set([...before, ...again, ...others]).size;
  };
};

export type SignOutDevice = ReturnType<typeof signOutDevice>;
