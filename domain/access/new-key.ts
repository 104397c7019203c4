import type { Account } from '../accounts/account.ts';
import type { Product } from '../catalog/product.ts';
import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { type Ability, DEVICE_KEY_ABILITIES, PERSONAL_KEY_ABILITIES, productKeyAbilities } from './abilities.ts';
import type { ApiKey, KeyDevice } from './api-key.ts';

/** The key that somebody wants. */
export type KeyWish = {
  account_id: number;
  name: string;
  /** The kind's own abilities where left out. */
  abilities?: readonly Ability[];
  /** The one product that it is to be bound to. */
  product_id?: number | null;
  expires_at?: Instant | null;
  /**
   * Makes it a device sign-in key, which takes the slot of the least recently used one of its client if none is free.
   */
  device?: { client: string; device: KeyDevice };
};

/** The parts that every key has anew: its id, and the hash and prefix of its value. */
export type FreshKey = Pick<ApiKey, 'id' | 'hash' | 'prefix'>;

export type WishRefusal = 'account_not_found' | 'product_not_found' | 'expiry_has_passed';

/** Whether a key can be what is wanted: for an account and a product that exist, and with an end that is to come. */
export const judgeKeyWish = (
  { account_id, product_id = null, expires_at = null }: KeyWish,
  account: Account | undefined,
  products: ReadonlyMap<number, Product>,
  now: Instant,
): Outcome<null, WishRefusal> => {
  if (!account) return refuse('account_not_found', { message: `There is no account ${account_id}.` });
  if (product_id !== null && !products.has(product_id)) {
    return refuse('product_not_found', { message: `There is no product ${product_id}.` });
  }
  if (expires_at !== null && expires_at <= now) {
    return refuse('expiry_has_passed', { message: `The expiry ${expires_at} has passed; name a later one.` });
  }
  return ok(null);
};

/** The key that is wanted, as it is made now. */
export const newKey = (wish: KeyWish, fresh: FreshKey, now: Instant): ApiKey => {
  const { account_id, name, abilities, product_id = null, expires_at = null, device } = wish;
  return {
    ...fresh,
    account_id,
    name,
    kind: device ? 'device' : 'personal',
    abilities: abilities ?? (device ? DEVICE_KEY_ABILITIES : PERSONAL_KEY_ABILITIES),
    product_id,
    client: device?.client ?? null,
    device: device?.device ?? null,
    parent_id: null,
    created_at: now,
    expires_at,
    last_used_at: null,
    revoked_at: null,
  };
};

/**
 * The key of one product that bulk activation makes for the device of its parent. It can do no more than its parent,
 * and never outlives the expiry that was set for that.
 */
export const productKey = (
  parent: ApiKey,
  { id: product_id, slug }: Pick<Product, 'id' | 'slug'>,
  fresh: FreshKey & Pick<ApiKey, 'request_hash'>,
  now: Instant,
): ApiKey => ({
  ...fresh,
  account_id: parent.account_id,
  name: `${slug} on ${parent.device?.name ?? parent.name}`,
  kind: 'device',
  abilities: productKeyAbilities(parent.abilities),
  product_id,
  client: parent.client,
  device: parent.device,
  parent_id: parent.id,
  created_at: now,
  expires_at: parent.expires_at,
  last_used_at: null,
  revoked_at: null,
});
