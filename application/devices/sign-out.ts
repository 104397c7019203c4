import type { ApiKey } from '../../domain/access/api-key.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { revocationView } from '../../domain/devices/seat.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { ok } from '../../domain/shared/outcome.ts';
import type { Links } from '../../ports/outbound/links.ts';
import type { EndApiKey } from '../access/api-keys.ts';
import type { Clearance } from '../shared/steps.ts';
import { heldBy, type ReleaseSlots } from './slots.ts';

/**
 * Signs a device out: releases its slots of all products, and revokes the calling key and the product keys that its
 * bulk activation made. A key that is bound to a product releases the slot of that product alone, because the device
 * stays signed in. Another key of the same device lives on, and takes a free slot again with its next license check. A
 * license key stays, because other devices have it. A slot that an offline file holds stays taken.
 *
 * The number of slots that are free now.
 */
export const signOutDevice = ({ endApiKey, releaseSlots }: { endApiKey: EndApiKey; releaseSlots: ReleaseSlots }) => {
  /** The products of which the key's device may hold a slot that the key may release. */
  const productsOf = async ({ account_id, product_id, device }: ApiKey): Promise<readonly number[]> => {
    if (device === null) return [];
    return product_id === null ? releaseSlots.takenProducts(account_id) : [product_id];
  };

  return async function signOutDevice({ key }: { key: ApiKey }) {
    const device_id = key.device?.device_id;
    const products = await productsOf(key);
    return async ({ permit }: Clearance) => {
      if (device_id === undefined) {
        if (key.kind !== 'license') await endApiKey(permit, key);
        return ok(0);
      }
      const release = async (ids: readonly number[]) =>
        (await releaseSlots.ofProducts(permit, key.account_id, ids, device_id)).freed;
      const before = await release(products);
      await endApiKey(permit, key);
      // A license check by one of the keys may have taken a slot again, or another one, before its key ended.
      const [again, current] = await Promise.all([release(products), productsOf(key)]);
      const others = await release(current.filter((product_id) => !products.includes(product_id)));
      return ok(new Set([...before, ...again, ...others]).size);
    };
  };
};

export type RevokeLicenseDeviceInput = {
  key: ApiKey;
  product: Product;
  /** The device that asks, where the key is a license key, which is bound to none. */
  device_id: string | null;
  locale: Locale;
};

/**
 * Releases the slot of the calling key's device, then revokes the key. The key comes second, so that a call that broke
 * off can be repeated. The slot is released once more at the end: a license check by the key may have taken it again. A
 * license key releases the device that asks, and stays, because other devices have it.
 */
export const revokeLicenseDevice =
  ({ endApiKey, releaseSlots, links }: { endApiKey: EndApiKey; releaseSlots: ReleaseSlots; links: Links }) =>
  async ({ key, product, device_id, locale }: RevokeLicenseDeviceInput) =>
    async function revokeLicenseDevice({ permit }: Clearance) {
      const device = key.kind === 'license' ? device_id : (key.device?.device_id ?? null);
      const release = async () =>
        device === null ? 'not there' : releaseSlots.ofProduct(permit, key.account_id, product.id, device);
      const all = [await release()];
      if (key.kind !== 'license') {
        await endApiKey(permit, key);
        all.push(await release());
      }
      const until = all.map(heldBy).find((one) => one !== null)?.offline_until ?? null;
      const slot = { released: until === null && all.includes('released') ? device : null, until };
      return ok(revocationView(key, product.id, slot, links.manageDevices(product.id), locale));
    };
