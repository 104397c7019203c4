import { productNamed } from '../../domain/catalog/product-named.ts';
import { deviceView } from '../../domain/devices/seat.ts';
import { type DeviceProduct, deviceProducts } from '../../domain/licensing/account-products.ts';
import { isWithdrawn } from '../../domain/policy/withdrawn-device.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { accountMissing } from './find-account.ts';
import { productMissing } from './find-product.ts';

export type Ports = Needs<'accounts' | 'catalogs' | 'clock' | 'devices' | 'licenses'>;

export type Input = {
  readonly account_id: number;
  /** The product's id or slug; null for every product. */
  readonly product: string | null;
  /** The most devices of each product. */
  readonly limit: number;
  /** `next` of the page before; null for the first page. */
  readonly after: string | null;
};

export type ListedDevice = ReturnType<typeof deviceView> & {
  /** True where the client policy withdraws the device, whose slot is given back with its next license check. */
  readonly withdrawn: boolean;
};

export type ListedDevices = {
  readonly product_id: number;
  readonly slug: string;
  /** Null is no limit; 0 where the account's access to the product has ended. */
  readonly limit: number | null;
  readonly used: number;
  readonly devices: readonly ListedDevice[];
  /** The device that the next page follows; null where there is none. */
  readonly next: string | null;
};

/** The devices of an account for the operator: by product, in the order of the catalog, a page of each product. */
export const listAccountDevices =
  ({ accounts, catalogs, licenses, devices, clock }: Ports) =>
  async ({
    account_id,
    product: named,
    limit,
    after,
  }: Input): Promise<Outcome<ListedDevices[], 'account_not_found' | 'product_not_found'>> => {
    const [account, catalog] = await Promise.all([accounts.get(account_id), catalogs.current()]);
    if (!account) return accountMissing(account_id);
    const product = named === null ? undefined : productNamed(catalog, named);
    if (named !== null && !product) return productMissing(named);
    const asked = product ? [product] : [...catalog.products.values()];
    const [holdings, held] = await Promise.all([licenses.held(account_id), devices.used(account_id)]);
    const listed = async ({ product: { id, slug }, device_limit, used }: DeviceProduct): Promise<ListedDevices> => {
      const { devices: found, next } = await devices.page(account_id, id, { limit, after });
      const shown = found.map((device) => ({
        ...deviceView(device),
        withdrawn: isWithdrawn(catalog.policy, { product_id: id, device_id: device.device_id }),
      }));
      return { product_id: id, slug, limit: device_limit, used, devices: shown, next };
    };
    const all: ListedDevices[] = [];
    for (const one of deviceProducts(asked, catalog.bundles, holdings, held, clock.now())) all.push(await listed(one));
    return ok(all);
  };

export type ListAccountDevices = ReturnType<typeof listAccountDevices>;
