import type { ApiKey } from '../../domain/access/api-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { revocationView } from '../../domain/licensing/device-revocation.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { Links } from '../../ports/outbound/links.ts';
import type { EndApiKey } from '../access/end-api-key.ts';
import type { ReleaseSlots } from '../devices/release-slots.ts';

export type Ports = { endApiKey: EndApiKey; releaseSlots: ReleaseSlots; links: Links };
export type Input = { key: ApiKey; product: Product; locale: Locale; permit: Promise<Permit> };

/**
 * Releases the slot of the calling key's device, then revokes the key. The key comes second, so that a call that broke
 * off can be repeated. The slot is released once more at the end: a license check by the key may have taken it again.
 */
export const revokeLicenseDevice =
  ({ endApiKey, releaseSlots, links }: Ports) =>
  async (input: Input) => {
    const { key, product, locale } = input;
    const permit = await input.permit;
    const release = async () =>
      key.device !== null && (await releaseSlots.ofProduct(permit, key.account_id, product.id, key.device.device_id));
    const before = await release();
    await endApiKey(permit, key);
    const after = await release();
    return revocationView(key, product.id, before || after, links.manageDevices(product.id), locale);
  };

export type RevokeLicenseDevice = ReturnType<typeof revokeLicenseDevice>;
