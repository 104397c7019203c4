import type { ApiKey } from '../../domain/access/api-key.ts';
import { licenseKeyStep, newLicenseKey } from '../../domain/access/license-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ReadAccess } from '../licensing/read-access.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

export type Ports = Needs<'apiKeys' | 'catalogs' | 'clock' | 'digest' | 'ids' | 'licenseKeySecrets' | 'pauses'> & {
  readAccess: ReadAccess;
};

export type LicenseKeyWish = {
  readonly account_id: number;
  readonly product_id: number;
  /** The message that the key is for. Without one the buyer asks, and the keys before it end. */
  readonly message?: string;
};

/** The key, and its value, which is stored nowhere; null where the buyer has the key already. */
export type MadeLicenseKey = { readonly key: ApiKey; readonly value: string | null };

/**
 * Makes the license key of a product for an account that may use it (`licenseKeyStep`). Refuses a product that hands out
 * none, and an account whose access has ended or, unless a message is about to bring it, has not begun.
 */
export const makeLicenseKey =
  ({ apiKeys, catalogs, clock, digest, ids, licenseKeySecrets, pauses, readAccess }: Ports) =>
  async (
    permit: Permit,
    { account_id, product_id, message }: LicenseKeyWish,
  ): Promise<Outcome<MadeLicenseKey, 'license_key_not_found'>> => {
    const catalog = await catalogs.current();
    const product = catalog.products.get(product_id);
    const access = product?.license_keys && (await readAccess(account_id, product, catalog));
    // The payment of a subscription may be mailed before its subscription is known.
    const isToCome = message !== undefined && access && !access.granted && access.reason === 'not_entitled';
    if (!access || !(access.granted || isToCome)) {
      return refuse('license_key_not_found', {
        message: `Account ${account_id} gets no license key of product ${product_id}: the product hands out none, or the account may not use it.`,
      });
    }
    const request_hash = message === undefined ? null : digest.sha256(message);
    return untilWritten(pauses, async () => {
      const now = clock.now();
      const scope = await apiKeys.scope(account_id, product_id);
      const step = licenseKeyStep(scope, request_hash, now);
      if (step.status === 'existing') return ok({ key: step.key, value: null });
      const { value, ...shown } = licenseKeySecrets.mint();
      const fresh = { id: ids.next(), ...shown, name: 'License key', ...(request_hash !== null && { request_hash }) };
      const key = newLicenseKey(scope, fresh, now);
      const written = await apiKeys.change(permit, scope, { add: key, revoke: step.replaced }, now);
      return written ? ok({ key, value }) : CONFLICT;
    });
  };

export type MakeLicenseKey = ReturnType<typeof makeLicenseKey>;
