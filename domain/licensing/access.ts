import type { Bundle, Product } from '../catalog/product.ts';
import { type Instant, laterEnd } from '../shared/instant.ts';
import type { Entitlement, Holdings } from './entitlement.ts';
import { grantStatus } from './grant-status.ts';
import { accessEnd, type Subscription } from './subscription.ts';

export type AccessSource = 'direct' | 'bundle' | 'subscription';

/** What an account may do with one product. */
export type Access =
  | {
      readonly granted: true;
      readonly access_source: AccessSource;
      readonly access_expires_at: Instant | null;
      readonly updates_supported_until: Instant | null;
      /** Null: any number of devices. */
      readonly device_limit: number | null;
    }
  | { readonly granted: false; readonly reason: 'not_entitled' | 'access_expired' | 'entitlement_revoked' };

export type GrantedAccess = Extract<Access, { granted: true }>;

/** One grant of whatever kind, brought to the same terms. */
type Grant = {
  source: AccessSource;
  starts_at: Instant;
  access_expires_at: Instant | null;
  updates_supported_until: Instant | null;
  device_limit: number | null;
  revoked: boolean;
};

const SOURCE_RANK: readonly AccessSource[] = ['direct', 'bundle', 'subscription'];

const fromEntitlement = (entitlement: Entitlement, product: Product): Grant => {
  const perUnit = entitlement.device_limit ?? product.device_limit;
  return {
    source: entitlement.product_id === product.id && entitlement.source_product_id === null ? 'direct' : 'bundle',
    starts_at: entitlement.granted_at,
    access_expires_at: entitlement.access_expires_at,
    updates_supported_until: entitlement.updates_supported_until,
    device_limit: perUnit === null ? null : perUnit * entitlement.source_quantity,
    revoked: entitlement.revoked_at !== null,
  };
};

/** Through its days of grace a subscription keeps running what it brought; what is published then comes with the renewal. */
const fromSubscription = (subscription: Subscription, product: Product): Grant => ({
  source: 'subscription',
  starts_at: subscription.starts_at,
  access_expires_at: accessEnd(subscription),
  updates_supported_until: subscription.ends_at,
  device_limit: subscription.device_limit ?? product.device_limit,
  revoked: false,
});

const grantsFor = (product: Product, bundles: readonly Bundle[], holdings: Holdings): Grant[] => {
  const granting = productsGranting(product.id, bundles);
  return [
    ...holdings.entitlements.filter((e) => granting.includes(e.product_id)).map((e) => fromEntitlement(e, product)),
    ...holdings.subscriptions
      .filter((s) => s.product_ids.some((id) => granting.includes(id)))
      .map((s) => fromSubscription(s, product)),
  ];
};

/** The bundles that bring a product. */
export const bundlesWith = (productId: number, bundles: readonly Bundle[]): Bundle[] =>
  bundles.filter((bundle) => bundle.product_ids.includes(productId));

/** The products whose entitlements decide on access to this one: itself and every bundle with it. */
export const productsGranting = (productId: number, bundles: readonly Bundle[]): number[] => [
  productId,
  ...bundlesWith(productId, bundles).map((bundle) => bundle.product_id),
];

/** The products that one brings: itself, and where it is sold as a bundle those in it. */
export const productsBrought = (productId: number, bundles: readonly Bundle[]): number[] => [
  productId,
  ...bundles.filter((bundle) => bundle.product_id === productId).flatMap((bundle) => bundle.product_ids),
];

const widest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : Math.max(a, b);

/**
 * What the holdings grant of one product: the union of all that is in force. The latest end, the latest update window
 * and the highest device limit count, so that a further grant never takes anything away.
 * With nothing in force, the reason is the one that a buyer can act on: an end before a revocation before nothing.
 */
export const accessTo = (product: Product, bundles: readonly Bundle[], holdings: Holdings, now: Instant): Access => {
  const grants = grantsFor(product, bundles, holdings);
  const [first, ...more] = grants
    .filter((grant) => grantStatus(grant, now) === 'active')
    .sort((a, b) => SOURCE_RANK.indexOf(a.source) - SOURCE_RANK.indexOf(b.source));
  if (!first) {
    const ended = grants.some((grant) => grantStatus(grant, now) === 'expired');
    const revoked = grants.some((grant) => grant.revoked);
    return { granted: false, reason: ended ? 'access_expired' : revoked ? 'entitlement_revoked' : 'not_entitled' };
  }
  const union = more.reduce(
    (all, grant) => ({
      ...all,
      access_expires_at: laterEnd(all.access_expires_at, grant.access_expires_at),
      updates_supported_until: laterEnd(all.updates_supported_until, grant.updates_supported_until),
      device_limit: widest(all.device_limit, grant.device_limit),
    }),
    first,
  );
  return {
    granted: true,
    access_source: union.source,
    access_expires_at: union.access_expires_at,
    updates_supported_until: union.updates_supported_until,
    device_limit: union.device_limit,
  };
};
