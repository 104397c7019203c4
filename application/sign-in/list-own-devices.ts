import type { Device } from '../../domain/devices/device.ts';
import { accessTo } from '../../domain/licensing/access.ts';
import type { Localized } from '../../domain/shared/locale.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Devices } from '../../ports/outbound/devices.ts';
import type { Licenses } from '../../ports/outbound/licenses.ts';

type Ports = { catalogs: Catalogs; licenses: Licenses; devices: Devices; clock: Clock };

/** A product with the devices that hold its slots. */
export type ProductDevices = {
  readonly id: number;
  readonly name: Localized;
  /** Null is no limit; 0 where the account's access to the product has ended. */
  readonly device_limit: number | null;
  /** First activated first. */
  readonly devices: readonly Device[];
};

/**
 * The devices of an account by product, in the order of the catalog: each product that the account may use, and each
 * that it has devices of. A product that only stands for a bundle has no devices and is left out. `productId` asks for
 * one product alone.
 */
export class ListOwnDevices {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(accountId: number, productId: number | null): Promise<{ products: ProductDevices[] }> {
    const { catalogs, licenses, devices, clock } = this.#ports;
    const [{ products, bundles }, holdings, held] = await Promise.all([
      catalogs.current(),
      licenses.held(accountId),
      devices.ofAccount(accountId),
    ]);
    const now = clock.now();
    const asked = [...products.values()].filter(({ id }) => productId === null || id === productId);
    return {
      products: asked.flatMap((product) => {
        const own = held.get(product.id) ?? [];
        const access = accessTo(product, bundles, holdings, now);
        const isBundle = bundles.some(({ product_id }) => product_id === product.id);
        if (own.length === 0 && (isBundle || !access.granted)) return [];
        const device_limit = access.granted ? access.device_limit : 0;
        return [{ id: product.id, name: product.name, device_limit, devices: own }];
      }),
    };
  }
}
