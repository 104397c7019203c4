import { appsStanding, appsTexts } from '../../domain/billing/apps-subscription.ts';
import type { Catalog } from '../../domain/catalog/catalog.ts';
import { productsBrought } from '../../domain/licensing/access.ts';
import type { Subscription } from '../../domain/licensing/subscription.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'catalogs' | 'clock' | 'licenses'>;

/** The tier of an account without an apps subscription in force. */
const NO_TIER = 'none';

/**
 * The apps and features that the account's apps subscription allows (AppsSubscriptionCheckData of the specification).
 * The apps are the products that the subscription grants, so that this check and a license check never disagree.
 * Subscriptions belong to the account: a key that is bound to one product reads all of them.
 */
export const checkAppsSubscription =
  ({ catalogs, licenses, clock }: Ports) =>
  async ({ accountId, locale }: { accountId: number; locale: Locale }) => {
    const [catalog, { subscriptions }] = await Promise.all([catalogs.current(), licenses.held(accountId, [])]);
    const now = clock.now();
    const productsOf = ({ product_ids }: Subscription): number[] =>
      product_ids.flatMap((id) => productsBrought(id, catalog.bundles));
    const standing = appsStanding(
      subscriptions.filter((subscription) => productsOf(subscription).length > 0),
      now,
    );
    const begun = standing.state === 'none' || standing.state === 'scheduled' ? undefined : standing;
    const inForce = begun?.inForce ?? [];
    const foremost = begun?.foremost;
    return {
      has_active_apps_subscription: inForce.length > 0,
      in_grace_period: standing.state === 'grace',
      expires_at: begun?.expires_at ?? null,
      grace_period_ends_at: begun?.grace_period_ends_at ?? null,
      tier: (inForce.length > 0 ? foremost?.apps?.tier : undefined) ?? NO_TIER,
      features: [...new Set(inForce.flatMap(({ apps }) => apps?.features ?? []))],
      allowed_apps: appNames(inForce.flatMap(productsOf), catalog),
      renewal_url: foremost?.billing?.renewal_url ?? null,
      ...appsTexts(standing, locale, now),
    };
  };

export type CheckAppsSubscription = ReturnType<typeof checkAppsSubscription>;

/** Bundle identifiers, or slugs where a product has none; a product that is sold as a bundle is no app itself. */
const appNames = (productIds: readonly number[], { products, bundles }: Catalog): string[] => {
  const packages = new Set(bundles.map(({ product_id }) => product_id));
  return [...new Set(productIds)]
    .filter((id) => !packages.has(id))
    .sort((a, b) => a - b)
    .flatMap((id) => products.get(id) ?? [])
    .map(({ bundle_id, slug }) => bundle_id ?? slug);
};
