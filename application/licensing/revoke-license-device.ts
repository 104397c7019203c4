import type { ApiKey } from '../../domain/access/api-key.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { revocationView } from '../../domain/licensing/device-revocation.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { ok } from '../../domain/shared/outcome.ts';
import type { Links } from '../../ports/outbound/links.ts';
import type { EndApiKey } from '../access/end-api-key.ts';
import type { ReleaseSlots } from '../devices/release-slots.ts';
import type { Clearance } from '../shared/steps.ts';

export type Ports = { endApiKey: EndApiKey; releaseSlots: ReleaseSlots; links: Links };
export type Input = {
  key: ApiKey;
  product: Product;
  /** The device that asks, where the key is a license key, which is bound to none. */
  deviceId: string | null;
  locale: Locale;
};

/**
 * Releases the slot of the calling key's device, then revokes the key. The key comes second, so that a call that broke
 * off can be repeated. The slot is released once more at the end: a license check by the key may have taken it again. A
 * license key releases the device that asks, and stays, because other devices have it.
 */
export const revokeLicenseDevice =
  ({ endApiKey, releaseSlots, links }: Ports) =>
  async ({ key, product, deviceId, locale }: Input) =>
  async ({ permit }: Clearance) => {
    const device = key.kind === 'license' ? deviceId : (key.device?.device_id ?? null);
    const release = async () =>
      device !== null && (await releaseSlots.ofProduct(permit, key.account_id, product.id, device));
    const before = await release();
    if (key.kind !== 'license') await endApiKey(permit, key);
    const released = (key.kind !== 'license' && (await release())) || before;
    return ok(revocationView(key, product.id, released ? device : null, links.manageDevices(product.id), locale));
  };

export type RevokeLicenseDevice = ReturnType<typeof revokeLicenseDevice>;
