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
 * Signs a device out: releases its slots of all products, and revokes the calling key and the product keys of its bulk
 * activation. A key that is bound to a product releases only that product's slot, because the device stays signed in.
 * Another key of the same device stays valid, and can take a free slot again. A license key stays, because other
 * devices use it. A slot held by an offline file stays taken.
 *
 * Returns the number of freed slots.
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
  /** The calling device, if the key is a license key, which is bound to none. */
  body: { device_id: string | null };
  locale: Locale;
};

type RevokeLicenseDevicePorts = { endApiKey: EndApiKey; releaseSlots: ReleaseSlots; links: Links };

/**
 * Releases the slot of the calling key's device, then revokes the key. The key comes second, so an interrupted call can
 * be repeated. The slot is released again at the end, because a license check with the key may have taken it. With a
 * license key, only the calling device is released; the key stays, because other devices use it.
 */
export const revokeLicenseDevice = ({ endApiKey, releaseSlots, links }: RevokeLicenseDevicePorts) =>
  async function revokeLicenseDevice({ key, product, body, locale }: RevokeLicenseDeviceInput) {
    return async ({ permit }: Clearance) => {
      const device = key.kind === 'license' ? body.device_id : (key.device?.device_id ?? null);
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
  };
