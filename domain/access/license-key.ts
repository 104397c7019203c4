import type { Instant } from '../shared/instant.ts';
import { LICENSE_KEY_ABILITIES } from './abilities.ts';
import { type ApiKey, isLive } from './api-key.ts';
import type { ScopeKeys } from './key-quota.ts';
import type { FreshKey } from './new-key.ts';

/** The live license keys of an account and a product. Earlier systems may have made several. */
export const licenseKeys = ({ keys }: Pick<ScopeKeys, 'keys'>, now: Instant): ApiKey[] =>
  keys.filter((key) => key.kind === 'license' && isLive(key, now));

export type LicenseKeyStep =
  | { readonly status: 'existing'; readonly key: ApiKey }
  /** `replaced` are the keys to revoke in the same step. */
  | { readonly status: 'created'; readonly replaced: readonly ApiKey[] };

/**
 * Decides whether a license key is made. A buyer who asks for one gets it, and the keys before it end. A message makes
 * one only where there is none. A key that the same message made before was perhaps never sent: while nobody has used
 * it, it is made anew. `requestHash` names the message; null is the buyer.
 */
export const licenseKeyStep = (scope: ScopeKeys, requestHash: string | null, now: Instant): LicenseKeyStep => {
  const live = licenseKeys(scope, now);
  const key = live.find((one) => one.request_hash !== requestHash || one.last_used_at !== null);
  return requestHash !== null && key ? { status: 'existing', key } : { status: 'created', replaced: live };
};

/** A license key as it is made now. It has no end of its own: the license decides. */
export const newLicenseKey = (
  { account_id, product_id }: Pick<ScopeKeys, 'account_id' | 'product_id'>,
  fresh: FreshKey & Pick<ApiKey, 'name' | 'request_hash'>,
  now: Instant,
): ApiKey => ({
  ...fresh,
  account_id,
  kind: 'license',
  abilities: LICENSE_KEY_ABILITIES,
  product_id,
  client: null,
  device: null,
  parent_id: null,
  created_at: now,
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
});
