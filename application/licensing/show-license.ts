import type { Product } from '../../domain/catalog/product.ts';
import { DEVICES_LISTED } from '../../domain/devices/device.ts';
import { deviceView } from '../../domain/devices/seat.ts';
import type { GrantedAccess } from '../../domain/licensing/access.ts';
import { withdrawnDevices } from '../../domain/licensing/license-check.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { productName } from '../catalog/product-views.ts';
import type { Clearance } from '../shared/steps.ts';

export type Ports = Needs<'catalogs' | 'devices' | 'links'>;
export type Input = { accountId: number; product: Product; locale: Locale };

/**
 * An account's access to a product, the number of devices that use it, and the first 100 of them. A device that the
 * client policy revokes is none of them.
 */
export const showLicense =
  ({ catalogs, devices, links }: Ports) =>
  async ({ accountId, product, locale }: Input) => {
    const [{ policy }, seated] = await Promise.all([catalogs.current(), devices.list(accountId, product.id)]);
    const withdrawn = withdrawnDevices(product.id, policy.revoked);
    const list = seated.filter(({ device_id }) => !withdrawn.includes(device_id));
    // Only a full list may lack devices, and only then the count is read.
    const isCut = seated.length === DEVICES_LISTED;
    const used = isCut ? (await devices.find(accountId, product.id, null)).slots.used : list.length;
    return async ({ access: granted }: Clearance<GrantedAccess>) =>
      ok({
        product: { id: product.id, name: productName(product, locale), bundle_id: product.bundle_id },
        access_source: granted.access_source,
        access_expires_at: granted.access_expires_at,
        updates_supported_until: granted.updates_supported_until,
        devices: { used, limit: granted.device_limit },
        device_list: list.map(deviceView),
        manage_url: links.manageDevices(product.id),
      });
  };

export type ShowLicense = ReturnType<typeof showLicense>;
