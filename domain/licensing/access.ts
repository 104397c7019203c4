import { checkProductScope, type ProductScope } from '../access/principal.ts';
import type { Bundle, Product } from '../catalog/product.ts';
import { dayOf, type Instant, laterEnd } from '../shared/instant.ts';
import type { Locale } from '../shared/locale.ts';
import { type Outcome, ok, type Refused, refuse } from '../shared/outcome.ts';
import { type Entitlement, grantStatus, type Holdings } from './entitlement.ts';
import { accessEnd, type Subscription } from './subscription.ts';

export type AccessSource = 'direct' | 'bundle' | 'subscription';

/** An account's access to one product. */
export type Access =
  | {
      readonly granted: true;
      readonly access_source: AccessSource;
      readonly access_expires_at: Instant | null;
      readonly updates_supported_until: Instant | null;
      /** Null is no limit. */
      readonly device_limit: number | null;
    }
  | ({
      readonly granted: false;
      /** The moment at which the first grant begins; absent where none begins later. */
      readonly begins_at?: Instant;
    } & (
      | { readonly reason: 'not_entitled' | 'entitlement_revoked' }
      /** `ended_at` is the latest end of a grant. */
      | { readonly reason: 'access_expired'; readonly ended_at: Instant }
    ));

export type GrantedAccess = Extract<Access, { granted: true }>;

type Sentence = Readonly<Record<Locale, (day: string, time: string) => string>>;

const BEGINS: Sentence = {
  en: (day, time) => `Access to this product begins on ${day} at ${time} UTC.`,
  ko: (day, time) => `이 제품은 ${day} ${time}(UTC)부터 사용할 수 있습니다.`,
};

const ENDED: Sentence = {
  en: (day, time) => `Your access to this product ended on ${day} at ${time} UTC; renew it to continue.`,
  ko: (day, time) => `이 제품의 이용 기간이 ${day} ${time}(UTC)에 끝났습니다. 계속 사용하시려면 갱신해 주세요.`,
};

/** A sentence with its moment to the minute and in UTC, because a time zone is not known. */
const dated = (sentence: Sentence, at: Instant, locale: Locale): string =>
  sentence[locale](dayOf(at), at.slice(11, 16));

/** The sentence to a buyer whose access begins later. */
export const beginsLater = (at: Instant, locale: Locale): string => dated(BEGINS, at, locale);

/** The sentence to a buyer whose access has ended. */
export const hasEnded = (at: Instant, locale: Locale): string => dated(ENDED, at, locale);

/** A grant of any kind, in common terms. */
type Grant = {
  source: AccessSource;
  starts_at: Instant;
  access_expires_at: Instant | null;
  updates_supported_until: Instant | null;
  device_limit: number | null;
  revoked: boolean;
};

const SOURCE_RANK: readonly AccessSource[] = ['direct', 'bundle', 'subscription'];

const ofUnits = (perUnit: number | null, units: number): number | null => (perUnit === null ? null : perUnit * units);

/** The units of a subscription that give a product: those of the product itself, and of bundles with it. */
const unitsOf = ({ units, product_ids }: Subscription, granting: readonly number[]): number =>
  units === undefined
    ? 1
    : product_ids.filter((id) => granting.includes(id)).reduce((sum, id) => sum + (units[id] ?? 1), 0);

const fromEntitlement = (entitlement: Entitlement, product: Product): Grant => {
  return {
    source: entitlement.product_id === product.id && entitlement.source_product_id === null ? 'direct' : 'bundle',
    starts_at: entitlement.granted_at,
    access_expires_at: entitlement.access_expires_at,
    updates_supported_until: entitlement.updates_supported_until,
    device_limit: ofUnits(entitlement.device_limit ?? product.device_limit, entitlement.source_quantity),
    revoked: entitlement.revoked_at !== null,
  };
};

/** Access lasts through the grace period, but releases from within it are covered only after a renewal. */
const fromSubscription = (subscription: Subscription, product: Product, granting: readonly number[]): Grant => ({
  source: 'subscription',
  starts_at: subscription.starts_at,
  access_expires_at: accessEnd(subscription),
  updates_supported_until: subscription.ends_at,
  device_limit: ofUnits(subscription.device_limit ?? product.device_limit, unitsOf(subscription, granting)),
  revoked: false,
});

const grantsFor = (product: Product, bundles: readonly Bundle[], holdings: Holdings): Grant[] => {
  const granting = productsGranting(product.id, bundles);
  return [
    ...holdings.entitlements.filter((e) => granting.includes(e.product_id)).map((e) => fromEntitlement(e, product)),
    ...holdings.subscriptions
      .filter((s) => s.product_ids.some((id) => granting.includes(id)))
      .map((s) => fromSubscription(s, product, granting)),
  ];
};

export const bundlesWith = (productId: number, bundles: readonly Bundle[]): Bundle[] =>
  bundles.filter((bundle) => bundle.product_ids.includes(productId));

/** The products whose grants give access to this one: itself, and every bundle that contains it. */
export const productsGranting = (productId: number, bundles: readonly Bundle[]): number[] => [
  productId,
  ...bundlesWith(productId, bundles).map((bundle) => bundle.product_id),
];

/** The products that a purchase of this one brings: itself, and the products of its bundle, if it stands for one. */
export const productsBrought = (productId: number, bundles: readonly Bundle[]): number[] => [
  productId,
  ...bundles.filter((bundle) => bundle.product_id === productId).flatMap((bundle) => bundle.product_ids),
];

const widest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : Math.max(a, b);

/**
 * The access that the holdings give to one product: the union of all grants in force. The latest end, the latest update
 * window and the highest device limit count, so a further grant never takes anything away. With no grant in force, the
 * reason is `access_expired` where a grant has ended, else `entitlement_revoked`, else `not_entitled`. A grant that
 * begins later is told beside it.
 */
export const accessTo = (product: Product, bundles: readonly Bundle[], holdings: Holdings, now: Instant): Access => {
  const grants = grantsFor(product, bundles, holdings);
  const [first, ...more] = grants
    .filter((grant) => grantStatus(grant, now) === 'active')
    .sort((a, b) => SOURCE_RANK.indexOf(a.source) - SOURCE_RANK.indexOf(b.source));
  if (!first) {
    const ended_at = grants
      .flatMap((grant) => (grantStatus(grant, now) === 'expired' ? (grant.access_expires_at ?? []) : []))
      .sort()
      .at(-1);
    const revoked = grants.some((grant) => grant.revoked);
    const [begins_at] = grants
      .filter((grant) => grantStatus(grant, now) === 'pending')
      .map(({ starts_at }) => starts_at)
      .sort();
    return {
      granted: false,
      ...(ended_at === undefined
        ? { reason: revoked ? 'entitlement_revoked' : 'not_entitled' }
        : { reason: 'access_expired', ended_at }),
      ...(begins_at !== undefined && { begins_at }),
    };
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

/** The refusal of a call about a product that does not exist, or that its caller may not know of. */
export const noSuchProduct = (): Refused<'not_found'> => refuse('not_found', { message: 'There is no such product.' });

/**
 * The product that a call is about. Its scope is checked first, so that a caller bound to one product can't learn
 * whether another exists. `scope` is null where nobody is known to ask, and `asked` where no product can have the id.
 * A call that `mustBeBound` is refused to whoever is not bound to exactly this product.
 */
export const targetProduct = (
  products: ReadonlyMap<number, Product>,
  scope: ProductScope | null,
  asked: number | null,
  mustBeBound = false,
): Outcome<Product, 'product_api_key_scope_required' | 'not_found'> => {
  const scoped = scope === null ? ok(null) : checkProductScope(scope, asked ?? 0, mustBeBound);
  if (!scoped.ok) return scoped;
  const product = asked === null ? undefined : products.get(asked);
  return product ? ok(product) : noSuchProduct();
};

/** The outcome of a gate for a call that tells of an unknown product in its own words. */
export const unknownAs = <T, R extends string, U extends Refused>(
  outcome: Outcome<T, R | 'not_found'>,
  unknown: U,
): Outcome<T, Exclude<R, 'not_found'>> | U => {
  const judged: Outcome<T, string> = outcome;
  return !judged.ok && judged.code === 'not_found' ? unknown : (judged as Outcome<T, Exclude<R, 'not_found'>>);
};

/**
 * Whether an account's access lets a call about a product pass. A product that is hidden from the account answers as
 * one that does not exist, so that nobody learns of it; one on sale asks for an entitlement only where the call needs
 * it.
 */
export function judgeAccess(
  product: Pick<Product, 'published'>,
  access: Access,
  needsEntitlement: false,
): Outcome<Access, 'not_found'>;
export function judgeAccess(
  product: Pick<Product, 'published'>,
  access: Access,
  needsEntitlement: true,
): Outcome<GrantedAccess, 'not_found' | 'product_entitlement_required'>;
export function judgeAccess(
  product: Pick<Product, 'published'>,
  access: Access,
  needsEntitlement: boolean,
): Outcome<Access, 'not_found' | 'product_entitlement_required'>;
export function judgeAccess(
  { published }: Pick<Product, 'published'>,
  access: Access,
  needsEntitlement: boolean,
): Outcome<Access, 'not_found' | 'product_entitlement_required'> {
  if (access.granted || (published && !needsEntitlement)) return ok(access);
  if (!published) return noSuchProduct();
  return refuse(
    'product_entitlement_required',
    access.begins_at === undefined
      ? {}
      : { message: beginsLater(access.begins_at, 'en'), ko: beginsLater(access.begins_at, 'ko') },
  );
}

/** Whether a caller without an account may be told of a product: a hidden one answers as one that does not exist. */
export const judgeOpenly = ({ published }: Pick<Product, 'published'>): Outcome<undefined, 'not_found'> =>
  published ? ok(undefined) : noSuchProduct();

/**
 * Whether an account may be told of a product and of its own access to it. An account whose access to a hidden product
 * has ended knows of the product; any other account without access gets the answer for an unknown one.
 */
export const judgeSight = ({ published }: Pick<Product, 'published'>, access: Access): Outcome<Access, 'not_found'> =>
  access.granted || published || access.reason !== 'not_entitled' ? ok(access) : noSuchProduct();
