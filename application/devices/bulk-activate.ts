import { type ActivationCall, type ApiKey, activationStep, productKey } from '../../domain/access/api-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { CHANGES_BY_KEYS } from '../../domain/audit/bounds.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { usableProducts } from '../../domain/licensing/account-products.ts';
import { dailyBoundReached } from '../../domain/shared/daily-bound.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { ok } from '../../domain/shared/outcome.ts';
import type { ReadScopeKeys } from '../../ports/outbound/access.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { EndApiKey } from '../access/api-keys.ts';
import { productName } from '../catalog/product-views.ts';
import { CONFLICT, rereading } from '../shared/contended.ts';
import type { Clearance } from '../shared/steps.ts';

export type BulkActivateInput = {
  key: ApiKey;
  locale: Locale;
  /** The Idempotency-Key of the request; null if it has none. */
  requestName: string | null;
};

type Activation = {
  status: 'created' | 'existing' | 'key_limit_reached';
  key: string | null;
  key_prefix: string | null;
};

/**
 * Creates a key for the calling device for each product that the account may use. A live key of the device stays, so a
 * repeated call creates no second one. An unused key whose value the device has lost is replaced, because values are
 * stored nowhere. The keys count against the account's daily limit.
 */
export const bulkActivate = ({
  catalogs,
  licenses,
  apiKeys,
  clock,
  digest,
  dailyBounds,
  endApiKey,
  keySecrets,
  keyQuota,
  ids,
  pauses,
}: Needs<'apiKeys' | 'catalogs' | 'clock' | 'dailyBounds' | 'digest' | 'ids' | 'keySecrets' | 'licenses' | 'pauses'> & {
  keyQuota: number;
  endApiKey: EndApiKey;
}) => {
  const activate = (
    permit: Permit,
    parent: ApiKey,
    product: Product,
    scopes: readonly ReadScopeKeys[],
    call: ActivationCall,
  ): Promise<Activation> => {
    const { account_id } = parent;
    const none: ReadScopeKeys = { account_id, product_id: product.id, keys: [], version: null };
    const first = scopes.find((one) => one.product_id === product.id) ?? none;
    const read = () => apiKeys.scope(account_id, product.id);
    return rereading(pauses, first, read, async (scope) => {
      const now = clock.now();
      const step = activationStep(scope, parent, call, keyQuota, now);
      if (step.status === 'existing') return { status: step.status, key: null, key_prefix: step.key.prefix };
      if (step.status === 'key_limit_reached') return { status: step.status, key: null, key_prefix: null };
      const { value, ...stored } = keySecrets.mint();
      const { request_hash } = call;
      const fresh = { id: ids.next(), ...stored, ...(request_hash !== null && { request_hash }) };
      const key = productKey(parent, product, fresh, now);
      const written = await apiKeys.change(permit, scope, { add: key, revoke: step.lost }, now);
      return written ? { status: step.status, key: value, key_prefix: key.prefix } : CONFLICT;
    });
  };

  return async function bulkActivate(input: BulkActivateInput) {
    const { key, locale, requestName } = input;
    const request_hash = requestName === null ? null : digest.sha256(`${key.id} ${requestName}`);
    const call = { begun_at: clock.now(), request_hash };
    const owner = String(key.account_id);
    const [catalog, holdings, scopes, isReached] = await Promise.all([
      catalogs.current(),
      licenses.held(key.account_id, undefined, key.memberships ?? []),
      apiKeys.scopes(key.account_id),
      dailyBounds.isReached(CHANGES_BY_KEYS, owner, call.begun_at),
    ]);
    if (isReached) return dailyBoundReached(CHANGES_BY_KEYS, call.begun_at);
    const usable = usableProducts(catalog, key, holdings, call.begun_at);
    return async ({ permit }: Clearance) => {
      const products = await Promise.all(
        usable.map(async ({ product }) => ({
          product_id: product.id,
          name: productName(product, locale),
          ...(await activate(permit, key, product, scopes, call)),
        })),
      );
      const created = products.filter(({ status }) => status === 'created').length;
      // A sign-out during this call may have missed the new keys, so they are ended here.
      if (created > 0) {
        const [current] = await Promise.all([
          apiKeys.find(key.hash),
          dailyBounds.count(permit, CHANGES_BY_KEYS, owner, created, call.begun_at),
        ]);
        if (!current) await endApiKey(permit, key);
      }
      return ok({ products, created });
    };
  };
};
