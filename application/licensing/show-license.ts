import type { Product } from '../../domain/catalog/product.ts';
import { DEVICES_LISTED } from '../../domain/devices/device.ts';
import { deviceView } from '../../domain/devices/seat.ts';
import type { GrantedAccess } from '../../domain/licensing/access.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { Devices } from '../../ports/outbound/devices.ts';
import type { Links } from '../../ports/outbound/links.ts';
import { productName } from '../catalog/product-views.ts';

type Ports = { devices: Devices; links: Links };
type Input = { accountId: number; product: Product; access: Promise<GrantedAccess>; locale: Locale };

/** An account's access to a product, the number of devices that use it, and the first 100 of them. */
export class ShowLicense {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ accountId, product, access, locale }: Input) {
    const { devices, links } = this.#ports;
    const [list, granted] = await Promise.all([devices.list(accountId, product.id), access]);
    // Only a full list may lack devices, and only then the count is read.
    const isCut = list.length === DEVICES_LISTED;
    const used = isCut ? (await devices.find(accountId, product.id, null)).slots.used : list.length;
    return {
      product: { id: product.id, name: productName(product, locale), bundle_id: product.bundle_id },
      access_source: granted.access_source,
      access_expires_at: granted.access_expires_at,
      updates_supported_until: granted.updates_supported_until,
      devices: { used, limit: granted.device_limit },
      device_list: list.map(deviceView),
      manage_url: links.manageDevices(product.id),
    };
  }
}
