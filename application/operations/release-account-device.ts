import { type ApiKey, isLive } from '../../domain/access/api-key.ts';
import { keysOfDevice } from '../../domain/access/device-keys.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { productNamed } from '../../domain/catalog/product-named.ts';
import type { Device } from '../../domain/devices/device.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { EndApiKey } from '../access/end-api-key.ts';
import type { ReleaseSlots } from '../devices/release-slots.ts';
import { accountMissing } from './find-account.ts';
import { productMissing } from './find-product.ts';

export type Ports = Needs<'accounts' | 'apiKeys' | 'catalogs' | 'clock' | 'devices'> & {
  releaseSlots: ReleaseSlots;
  endApiKey: EndApiKey;
};

export type Input = {
  readonly account_id: number;
  /** The product's id or slug. */
  readonly product: string;
  readonly device_id: string;
  /** True ends the device's keys too, so that it takes no slot again. */
  readonly revoke_keys: boolean;
  /** True decides and writes nothing. */
  readonly trial?: boolean;
};

export type ReleasedDevice = {
  readonly product: Product;
  /** The device that holds or held the slot; null where it held none. */
  readonly device: Device | null;
  /** The live keys by which the device can take a slot of the product. */
  readonly keys: readonly ApiKey[];
};

export type Refusal = 'account_not_found' | 'product_not_found' | 'device_not_found';

/**
 * Frees the slot that a device of an account holds for a product. The device's keys live on, and may take a free slot
 * again, unless they are revoked too; an account-wide key of the device then ends for all products. A call that broke
 * off can be repeated.
 */
export const releaseAccountDevice = ({
  releaseSlots,
  endApiKey,
  accounts,
  catalogs,
  devices,
  apiKeys,
  clock,
}: Ports) => {
  const find = async ({
    account_id,
    product: named,
    device_id,
    revoke_keys,
  }: Input): Promise<Outcome<ReleasedDevice, Refusal>> => {
    const [account, catalog] = await Promise.all([accounts.get(account_id), catalogs.current()]);
    if (!account) return accountMissing(account_id);
    const product = productNamed(catalog, named);
    if (!product) return productMissing(named);
    const [{ device = null }, scopes] = await Promise.all([
      devices.find(account_id, product.id, device_id),
      apiKeys.scopes(account_id),
    ]);
    const now = clock.now();
    const keys = keysOfDevice(
      scopes.flatMap((scope) => scope.keys),
      product.id,
      device_id,
    ).filter((key) => isLive(key, now));
    if (device === null && !(revoke_keys && keys.length > 0)) {
      return refuse('device_not_found', {
        message: `Device ${device_id} of account ${account_id} holds no slot of ${product.slug}; "device list --account ${account_id}" shows those that do.`,
      });
    }
    return ok({ product, device, keys });
  };

  return async (permit: Permit, input: Input): Promise<Outcome<ReleasedDevice, Refusal>> => {
    const found = await find(input);
    if (!found.ok || input.trial) return found;
    const { product, keys } = found.value;
    const release = () => releaseSlots.ofProduct(permit, input.account_id, product.id, input.device_id);
    await release();
    if (!input.revoke_keys) return found;
    for (const key of keys) await endApiKey(permit, key);
    // A license check by one of the keys may have taken the slot again before the key ended.
    await release();
    return found;
  };
};

export type ReleaseAccountDevice = ReturnType<typeof releaseAccountDevice>;
