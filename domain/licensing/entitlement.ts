import type { Membership } from '../accounts/account.ts';
import type { LicenseTerms, Metadata } from '../catalog/product.ts';
import { hasPassed, type Instant } from '../shared/instant.ts';
import type { Locale } from '../shared/locale.ts';
import type { Subscription } from './subscription.ts';

/** The ways in which an account gets an entitlement. */
export const GRANT_TYPES = ['purchase', 'bundle', 'subscription', 'promotion', 'gift', 'grant'] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

/** A right to one product, from an order, a bundle, or the operator. Its license terms are those of its sale. */
export type Entitlement = LicenseTerms & {
  readonly id: number;
  readonly account_id: number;
  readonly product_id: number;
  /** The bundle product whose purchase gave this entitlement; null for a direct one. */
  readonly source_product_id: number | null;
  readonly order_id: number | null;
  readonly order_item_id: number | null;
  readonly grant_type: GrantType;
  /** The number of units bought; each unit adds `device_limit` devices. */
  readonly source_quantity: number;
  /** Devices per unit; null means the product's limit. */
  readonly device_limit: number | null;
  readonly granted_at: Instant;
  readonly revoked_at: Instant | null;
  readonly access_expires_at: Instant | null;
  /** Releases after this time are not covered; null covers all. */
  readonly updates_supported_until: Instant | null;
  /**
   * True for a renewal: its days start at the end of the account's existing access. Its own ends apply if there is
   * none.
   */
  readonly renews?: boolean | undefined;
  readonly metadata?: Metadata | undefined;
  /** The batch of the license key whose first use brought it. */
  readonly key_batch_id?: number | undefined;
  /** Set if it came from another account. `from` is the first one's number. Its order stays with the buyer. */
  readonly transferred?: { readonly at: Instant; readonly from: number } | undefined;
};

/** The entitlements and subscriptions of an account: all of them, or those that the caller requested. */
export type OwnHoldings = {
  readonly entitlements: readonly Entitlement[];
  readonly subscriptions: readonly Subscription[];
};

/** A place in a team, with the holdings of the team's account; without any while that account is suspended or erased. */
export type TeamPlace = Membership & { readonly holdings: OwnHoldings };

/** The holdings of an account, and those that it has by its places in teams; `places` is absent if it has none. */
export type Holdings = OwnHoldings & { readonly places?: readonly TeamPlace[] | undefined };

/** The status of a grant; `pending` begins later. */
export type GrantStatus = 'pending' | 'active' | 'expired' | 'revoked';

/** The reach of an entitlement: everything, only the versions within its ended update window, or nothing. */
export type AccessState = 'full' | 'without_updates' | 'none';

export type Labels<S extends string> = Readonly<Record<S, Readonly<Record<Locale, string>>>>;

/** The only rule for whether a grant is active. A revocation takes precedence over an end, and an end over a start. */
export const grantStatus = (
  grant: { readonly starts_at: Instant; readonly access_expires_at: Instant | null; readonly revoked: boolean },
  now: Instant,
): GrantStatus => {
  if (grant.revoked) return 'revoked';
  if (hasPassed(grant.access_expires_at, now)) return 'expired';
  return grant.starts_at <= now ? 'active' : 'pending';
};

export const entitlementStatus = (
  { granted_at, access_expires_at, revoked_at }: Entitlement,
  now: Instant,
): GrantStatus => grantStatus({ starts_at: granted_at, access_expires_at, revoked: revoked_at !== null }, now);

/** After the update window, a buyer can still install and use the releases within it. */
export const accessState = (entitlement: Entitlement, now: Instant): AccessState => {
  if (entitlementStatus(entitlement, now) !== 'active') return 'none';
  return hasPassed(entitlement.updates_supported_until, now) ? 'without_updates' : 'full';
};

export const GRANT_STATUS_LABELS: Labels<GrantStatus> = {
  pending: { en: 'Not begun', ko: '시작 전' },
  active: { en: 'Active', ko: '사용 중' },
  expired: { en: 'Expired', ko: '만료됨' },
  revoked: { en: 'Revoked', ko: '회수됨' },
};

export const ACCESS_STATE_LABELS: Labels<AccessState> = {
  full: { en: 'Use and updates', ko: '사용 및 업데이트 가능' },
  without_updates: { en: 'Use without new updates', ko: '사용 가능, 업데이트 종료' },
  none: { en: 'No access', ko: '이용 불가' },
};

export const GRANT_TYPE_LABELS: Labels<GrantType> = {
  purchase: { en: 'Purchase', ko: '구매' },
  bundle: { en: 'Bundle', ko: '묶음 상품' },
  subscription: { en: 'Subscription', ko: '구독' },
  promotion: { en: 'Promotion', ko: '프로모션' },
  gift: { en: 'Gift', ko: '선물' },
  grant: { en: 'Given by the store', ko: '스토어 제공' },
};
