import type { ProductScope } from '../../domain/access/principal.ts';
import { checkProductScope } from '../../domain/access/principal.ts';
import { usesIn } from '../../domain/devices/product-use.ts';
import { lastOfEachDay, USAGE_A_DAY, type UsageDay, usageFaults, usageSize } from '../../domain/devices/usage.ts';
import { couldUseOn } from '../../domain/licensing/account-products.ts';
import { dailyBoundReached } from '../../domain/shared/daily-bound.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { Clearance } from '../shared/steps.ts';

export type Ports = Needs<'catalogs' | 'clock' | 'dailyBounds' | 'licenses' | 'productUses' | 'usage'>;
export type Input = {
  accountId: number;
  scope: ProductScope;
  /** The key of the device that sends its usage. */
  keyId: number;
  consent: boolean;
  days: readonly UsageDay[];
};

/**
 * Keeps a device's daily usage, and replaces its earlier rows of the same days. A launch is a use of the product. One
 * faulty row refuses all. Without consent nothing is kept.
 */
export const uploadUsage =
  ({ catalogs, licenses, usage, productUses, dailyBounds, clock }: Ports) =>
  async (input: Input) => {
    const { accountId, scope, keyId, consent, days } = input;
    if (!consent) return ok({ stored: 0, days: [] });
    for (const { product_id } of days) {
      const scoped = checkProductScope(scope, product_id);
      if (!scoped.ok) return scoped;
    }
    const owner = String(accountId);
    const now = clock.now();
    const [catalog, holdings, known, isReached] = await Promise.all([
      catalogs.current(),
      licenses.held(accountId),
      productUses.of(accountId),
      dailyBounds.isReached(USAGE_A_DAY, owner, now),
    ]);
    const couldUse = ({ product_id, usage_date }: UsageDay): boolean => {
      const product = catalog.products.get(product_id);
      return product !== undefined && couldUseOn(product, catalog, holdings, usage_date, now);
    };
    const errors = usageFaults(days, couldUse, now);
    if (Object.keys(errors).length > 0) return refuse('validation_failed', { data: { errors } });
    if (isReached) return dailyBoundReached(USAGE_A_DAY, now);
    const rows = lastOfEachDay(days);
    return async ({ permit }: Clearance) => {
      await Promise.all([
        usage.save(permit, accountId, keyId, rows),
        productUses.note(permit, accountId, known, usesIn(rows, now)),
        dailyBounds.count(permit, USAGE_A_DAY, owner, usageSize(rows), now),
      ]);
      return ok({ stored: rows.length, days: rows });
    };
  };

export type UploadUsage = ReturnType<typeof uploadUsage>;
