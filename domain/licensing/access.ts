import { checkProductScope, type ProductScope } from '../access/principal.ts';
import type { Bundle, Product } from '../catalog/product.ts';
import { dayOf, type Instant, laterEnd, movedEnd } from '../shared/instant.ts';
import type { Locale } from '../shared/locale.ts';
import { type Outcome, ok, type Refused, refuse } from '../shared/outcome.ts';
import { type Entitlement, type GrantStatus, grantStatus, type Holdings, type OwnHoldings } from './entitlement.ts';
import { accessEnd, type Subscription } from './subscription.ts';
import {
  byPayment,
  editionIn,
  exchangedUnits,
  type HeldTerms,
  highestEdition,
  isAddOn,
  type TermGrant,
  termsAt,
  termsEnd,
} from './terms.ts';

export type AccessSource = 'direct' | 'bundle' | 'subscription';

export type Access =
  | (HeldTerms & {
      readonly granted: true;
      readonly access_source: AccessSource;
      readonly access_expires_at: Instant | null;
      readonly updates_supported_until: Instant | null;
      /** Null means no limit. */
      readonly device_limit: number | null;
      /** The times at which the limit will drop, earliest first; absent if there are none. */
      readonly sinks?: readonly { readonly at: Instant; readonly device_limit: number }[];
      /** The time before the end of access at which an edition or a feature ends; absent if none does. */
      readonly terms_end?: Instant;
    })
  | ({
      readonly granted: false;
      /** The time at which the first future grant begins; absent if there is none. */
      readonly begins_at?: Instant;
    } & (
      | { readonly reason: 'not_entitled' | 'entitlement_revoked' }
      /** `ended_at` is the latest end of a grant. */
      | { readonly reason: 'access_expired'; readonly ended_at: Instant }
    ));

export type GrantedAccess = Extract<Access, { granted: true }>;

export type Sentence = Readonly<Record<Locale, (day: string, time: string) => string>>;

const BEGINS: Sentence = {
  en: (day, time) => `Access to this product begins on ${day} at ${time} UTC.`,
  ko: (day, time) => `이 제품은 ${day} ${time}(UTC)부터 사용할 수 있습니다.`,
};

const ENDED: Sentence = {
  en: (day, time) => `Your access to this product ended on ${day} at ${time} UTC; renew it to continue.`,
  ko: (day, time) => `이 제품의 이용 기간이 ${day} ${time}(UTC)에 끝났습니다. 계속 사용하시려면 갱신해 주세요.`,
};

/** A message with its time to the minute and in UTC, because the time zone is unknown. */
export const dated = (sentence: Sentence, at: Instant, locale: Locale): string =>
  sentence[locale](dayOf(at), at.slice(11, 16));

/** The message to a buyer whose access begins later. */
export const beginsLater = (at: Instant, locale: Locale): string => dated(BEGINS, at, locale);

/** The message to a buyer whose access has ended. */
export const hasEnded = (at: Instant, locale: Locale): string => dated(ENDED, at, locale);

/** A grant of any kind, in common terms. */
type Grant = TermGrant & {
  of: Entitlement | Subscription;
  source: AccessSource;
  /** The sale that it comes from; null if nobody paid for it. */
  sale: string | null;
  renews: boolean;
  updates_supported_until: Instant | null;
  /** Devices of each unit; null means no limit. */
  per_unit: number | null;
  /** The time at which its devices start to count, which is later for a renewal; null means never. */
  counts_from: Instant | null;
};

const SOURCE_RANK: readonly AccessSource[] = ['direct', 'bundle', 'subscription'];

/** The units of a subscription for a product: those of the product itself, and of bundles with it. */
const unitsOf = ({ units, product_ids }: Subscription, granting: readonly number[]): number =>
  units === undefined
    ? 1
    : product_ids.filter((id) => granting.includes(id)).reduce((sum, id) => sum + (units[id] ?? 1), 0);

/** A line of an order is one sale, even if the store lists a bundle and its products separately. */
const saleOf = ({ id, grant_type, order_id, order_item_id }: Entitlement): string | null => {
  if (grant_type === 'subscription') return `of ${order_id ?? `entitlement ${id}`}`;
  const isBought = grant_type === 'purchase' || (grant_type === 'bundle' && order_id !== null);
  return isBought ? `${order_id ?? `#${id}`} ${order_item_id}` : null;
};

type Limited = Pick<Product, 'id' | 'device_limit' | 'editions'>;

const fromEntitlement = (entitlement: Entitlement, product: Limited): Grant => ({
  of: entitlement,
  source: entitlement.product_id === product.id && entitlement.source_product_id === null ? 'direct' : 'bundle',
  sale: saleOf(entitlement),
  renews: entitlement.renews === true,
  starts_at: entitlement.granted_at,
  access_expires_at: entitlement.access_expires_at,
  updates_supported_until: entitlement.updates_supported_until,
  per_unit: entitlement.device_limit ?? product.device_limit,
  units: entitlement.source_quantity,
  counts_from: entitlement.granted_at,
  revoked: entitlement.revoked_at !== null,
  edition: editionIn(product, entitlement.edition),
  features: entitlement.features ?? [],
});

/** Access lasts through the grace period, but releases in it are covered only after a renewal. */
const fromSubscription = (subscription: Subscription, product: Limited, granting: readonly number[]): Grant => ({
  of: subscription,
  source: 'subscription',
  sale: `of ${subscription.billing?.order_id ?? `subscription ${subscription.id}`}`,
  renews: false,
  starts_at: subscription.starts_at,
  access_expires_at: accessEnd(subscription),
  updates_supported_until: subscription.ends_at,
  per_unit: subscription.device_limit ?? product.device_limit,
  units: unitsOf(subscription, granting),
  counts_from: subscription.starts_at,
  revoked: false,
  edition: editionIn(product, subscription.edition),
  features: subscription.features ?? [],
});

/**
 * A renewal of the licenses that existed at its payment: it starts at the end of their access, separately for access
 * and updates, and has their devices per unit, edition and features, unless its price sets them. One that names an
 * edition renews only licenses of that edition. One of updates only leaves their access unchanged.
 */
const renewed = (grant: Grant, existing: readonly Grant[], product: Limited): Grant => {
  const { of, starts_at } = grant;
  const there = of.edition === undefined ? existing : existing.filter(({ edition }) => edition === grant.edition);
  const access = there.map((one) => one.access_expires_at).reduce(laterEnd, starts_at);
  const updates = there.map((one) => one.updates_supported_until).reduce(laterEnd, starts_at);
  const last = there.filter((one) => one.access_expires_at === access);
  const isOwn = last.length === 0;
  const isOfUpdates = grant.access_expires_at === null && grant.updates_supported_until !== null && !isOwn;
  return {
    ...grant,
    access_expires_at: isOfUpdates ? access : movedEnd(grant.access_expires_at, starts_at, access),
    updates_supported_until: movedEnd(grant.updates_supported_until, starts_at, updates),
    per_unit: of.device_limit === null && !isOwn ? last.map(({ per_unit }) => per_unit).reduce(widest) : grant.per_unit,
    counts_from: access,
    edition: isOwn ? grant.edition : highestEdition(product, new Set(last.map(({ edition }) => edition))),
    features: [...grant.features, ...last.flatMap(({ features }) => features)],
  };
};

/** An upgrade. It has at least the devices per unit of the licenses whose place it takes, unless its price sets them. */
const upgraded = (grant: Grant, existing: readonly Grant[]): Grant => {
  const replaced = exchangedUnits([...existing, grant]).taken.get(grant) ?? [];
  const kept = grant.of.device_limit === null ? replaced : [];
  const per_unit = kept.map((one) => one.per_unit).reduce(widest, grant.per_unit);
  return { ...grant, per_unit, features: [...grant.features, ...replaced.flatMap(({ features }) => features)] };
};

/**
 * The grants of a product. Renewals and upgrades are computed from all grants each time, so they don't depend on the
 * order of events or refunds, and stand behind the others in the order of their payment.
 */
const grantsFor = (
  product: Limited,
  bundles: readonly Bundle[],
  { entitlements, subscriptions }: OwnHoldings,
): Grant[] => {
  const granting = productsGranting(product.id, bundles);
  const all = [
    ...entitlements.filter((one) => granting.includes(one.product_id)).map((one) => fromEntitlement(one, product)),
    ...subscriptions
      .filter((one) => one.product_ids.some((id) => granting.includes(id)))
      .map((one) => fromSubscription(one, product, granting)),
  ].sort(byPayment);
  const isLater = (one: Grant): boolean => !isAddOn(one) && (one.renews || one.of.upgrades_from !== undefined);
  const grants = all.filter((one) => !isLater(one));
  for (const later of all.filter(isLater)) {
    const there = grants.filter((one) => !isAddOn(one) && grantStatus(one, later.starts_at) === 'active');
    grants.push(later.renews ? renewed(later, there, product) : upgraded(later, there));
  }
  return grants;
};

/**
 * The grants that count for a person: those of the account, or of a product with seats those behind each seat. A seat
 * allows the devices of one unit, however many units its team has, and upgrades of some units leave it the most.
 */
const grantsOfPerson = (product: Product, bundles: readonly Bundle[], holdings: Holdings): Grant[] => {
  if (product.slots !== 'persons') return grantsFor(product, bundles, holdings);
  const places = (holdings.places ?? []).filter(({ product_id }) => product_id === product.id);
  const own = { account_id: 0, role: 'member', holdings };
  const seats = [...(places.some(({ role }) => role === 'owner') ? [] : [own]), ...places];
  return seats
    .filter(({ role }) => role === 'member')
    .flatMap((seat) =>
      grantsFor(product, bundles, seat.holdings).map((grant) => ({
        ...grant,
        of: { ...grant.of, upgrades_from: undefined },
        sale: `seat of ${seat.account_id}`,
        units: 1,
      })),
    );
};

/** The entitlements for display, with the ends that renewals get from the account's other holdings. */
export const renewedEntitlements = (holdings: Holdings, bundles: readonly Bundle[]): Entitlement[] =>
  [...Map.groupBy(holdings.entitlements, ({ product_id }) => product_id)].flatMap(([id, own]) => {
    if (!own.some(({ renews }) => renews)) return own;
    const grants = grantsFor({ id, device_limit: null }, bundles, holdings);
    const ends = new Map(grants.map((grant) => [grant.of, grant]));
    return own.map((one) => {
      const { access_expires_at, updates_supported_until } = ends.get(one) ?? one;
      return { ...one, access_expires_at, updates_supported_until };
    });
  });

export const bundlesWith = (product_id: number, bundles: readonly Bundle[]): Bundle[] =>
  bundles.filter((bundle) => bundle.product_ids.includes(product_id));

/** The products whose grants give access to this one: the product itself, and every bundle that contains it. */
export const productsGranting = (product_id: number, bundles: readonly Bundle[]): number[] => [
  product_id,
  ...bundlesWith(product_id, bundles).map((bundle) => bundle.product_id),
];

/**
 * The products that a purchase of this one includes: the product itself, and the products of its bundle, if it is one.
 */
export const productsBrought = (product_id: number, bundles: readonly Bundle[]): number[] => [
  product_id,
  ...bundles.filter((bundle) => bundle.product_id === product_id).flatMap((bundle) => bundle.product_ids),
];

const widest = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : Math.max(a, b);

const unitsTimes = (units: number, per_unit: number | null): number =>
  units === 0 ? 0 : (per_unit ?? Number.POSITIVE_INFINITY) * units;

/** The allowed devices at a time: those of all sales together, or of another grant if it allows more. */
const deviceLimit = (grants: readonly Grant[], { stacking }: Pick<Product, 'stacking'>, at: Instant): number | null => {
  const counted = grants.filter(
    (one) => one.counts_from !== null && grantStatus({ ...one, starts_at: one.counts_from }, at) === 'active',
  );
  const { left } = exchangedUnits(counted);
  const sales = Map.groupBy(counted, ({ sale }) => (stacking === 'highest' ? null : sale));
  const highest = (all: readonly Grant[] = []): number =>
    Math.max(0, ...all.map((one) => unitsTimes(left.get(one) ?? 0, one.per_unit)));
  const sum = [...sales].reduce((all, [sale, some]) => all + (sale === null ? 0 : highest(some)), 0);
  const most = Math.max(sum, highest(sales.get(null)));
  return Number.isFinite(most) ? most : null;
};

/** The seats of a team for a product: the units of all sales together, or of another grant if it has more. */
export const seatLimit = (product: Product, bundles: readonly Bundle[], holdings: OwnHoldings, now: Instant): number =>
  deviceLimit(
    grantsFor(product, bundles, holdings)
      .filter((one) => !isAddOn(one))
      .map((grant) => ({ ...grant, per_unit: 1 })),
    product,
    now,
  ) ?? 0;

/**
 * The time at which one of `used` devices must stop without another check: when the access, an edition or a feature
 * ends, or when the limit drops below the taken slots.
 */
export const slotEnd = ({ access_expires_at, sinks = [], terms_end }: GrantedAccess, used: number): Instant | null => {
  const sunk = sinks.find(({ device_limit }) => device_limit < used)?.at;
  return [access_expires_at, sunk, terms_end].flatMap((at) => at ?? []).sort()[0] ?? null;
};

/**
 * The access that the holdings give to one product: the union of all active grants. The latest end and the latest
 * update window apply, and the devices of all purchases and subscriptions add up, so another grant never takes anything
 * away: only an upgrade takes the place of a license in the sum. An add-on gives no access. Without an active grant, the reason is `access_expired` if a grant has ended, else `entitlement_revoked`, else
 * `not_entitled`. A future grant is reported too.
 */
export const accessTo = (product: Product, bundles: readonly Bundle[], holdings: Holdings, now: Instant): Access => {
  const all = grantsOfPerson(product, bundles, holdings);
  const grants = all.filter((one) => !isAddOn(one));
  const those = (status: GrantStatus): Grant[] => grants.filter((one) => grantStatus(one, now) === status);
  const active = those('active');
  const [first] = active.sort((a, b) => SOURCE_RANK.indexOf(a.source) - SOURCE_RANK.indexOf(b.source));
  if (!first) {
    const begins = those('pending').map(({ starts_at }) => starts_at);
    const ends = those('expired').flatMap((one) => one.access_expires_at ?? []);
    const [begins_at, ended_at] = [begins.sort().at(0), ends.sort().at(-1)];
    return {
      granted: false,
      ...(ended_at === undefined
        ? { reason: those('revoked').length > 0 ? 'entitlement_revoked' : 'not_entitled' }
        : { reason: 'access_expired', ended_at }),
      ...(begins_at !== undefined && { begins_at }),
    };
  }
  const access_expires_at = active.map((grant) => grant.access_expires_at).reduce(laterEnd);
  const device_limit = deviceLimit(grants, product, now);
  const endOf = (some: readonly Grant[]) =>
    [...new Set(some.flatMap((grant) => grant.access_expires_at ?? []))].filter((at) => at > now).sort();
  const sinks = endOf(active).flatMap((at) => {
    const less = deviceLimit(grants, product, at);
    return less !== null && less < (device_limit ?? Number.POSITIVE_INFINITY) ? [{ at, device_limit: less }] : [];
  });
  const inForce = all.filter((one) => grantStatus(one, now) === 'active');
  const terms = termsAt(inForce, product, now);
  const terms_end = termsEnd(inForce, product, terms, endOf(inForce));
  return {
    granted: true,
    ...terms,
    access_source: first.source,
    access_expires_at,
    updates_supported_until: active.map((grant) => grant.updates_supported_until).reduce(laterEnd),
    device_limit,
    ...(sinks.some(({ at }) => at !== access_expires_at) && { sinks }),
    ...(terms_end !== undefined && terms_end !== access_expires_at && { terms_end }),
  };
};

/** The refusal for a product that does not exist, or is hidden from the caller. */
export const noSuchProduct = (): Refused<'not_found'> => refuse('not_found', { message: 'There is no such product.' });

/**
 * The product that a call is about. Its scope is checked first, so that a caller bound to one product can't learn
 * whether another exists. `scope` is null if the caller is unknown, and `product_id` if no product can have the id. A
 * call that `mustBeBound` is refused unless the caller is bound to exactly this product.
 */
export const targetProduct = (
  products: ReadonlyMap<number, Product>,
  scope: ProductScope | null,
  product_id: number | null,
  mustBeBound = false,
): Outcome<Product, 'product_api_key_scope_required' | 'not_found'> => {
  const scoped = scope === null ? ok(null) : checkProductScope(scope, product_id ?? 0, mustBeBound);
  if (!scoped.ok) return scoped;
  const product = product_id === null ? undefined : products.get(product_id);
  return product ? ok(product) : noSuchProduct();
};

/** The outcome of a guard, with the call's own message about an unknown product. */
export const unknownAs = <T, R extends string, U extends Refused>(
  outcome: Outcome<T, R | 'not_found'>,
  unknown: U,
): Outcome<T, Exclude<R, 'not_found'>> | U => {
  const judged: Outcome<T, string> = outcome;
  return !judged.ok && judged.code === 'not_found' ? unknown : (judged as Outcome<T, Exclude<R, 'not_found'>>);
};

/**
 * Whether an account's access permits a call about a product. A hidden product answers like one that does not exist; a
 * product on sale needs an entitlement only if the call requires one.
 */
export const judgeAccess = <Needs extends boolean>(
  { published }: Pick<Product, 'published'>,
  access: Access,
  needsEntitlement: Needs,
): Judged<Needs> => {
  const judged = ((): Outcome<Access, 'not_found' | 'product_entitlement_required'> => {
    if (access.granted || (published && !needsEntitlement)) return ok(access);
    if (!published) return noSuchProduct();
    const { begins_at: at } = access;
    const texts = at === undefined ? {} : { message: beginsLater(at, 'en'), ko: beginsLater(at, 'ko') };
    return refuse('product_entitlement_required', texts);
  })();
  return judged as Judged<Needs>;
};

type Judged<Needs extends boolean> = Outcome<
  Needs extends true ? GrantedAccess : Access,
  'not_found' | (Needs extends true ? 'product_entitlement_required' : never)
>;

/** Whether a caller without an account may know of a product: a hidden one answers like one that does not exist. */
export const judgeOpenly = ({ published }: Pick<Product, 'published'>): Outcome<undefined, 'not_found'> =>
  published ? ok(undefined) : noSuchProduct();

/**
 * Whether an account may know of a product and its own access to it. An account whose access to a hidden product has
 * ended knows of it; any other account without access gets the answer for an unknown product.
 */
export const judgeSight = ({ published }: Pick<Product, 'published'>, access: Access): Outcome<Access, 'not_found'> =>
  access.granted || published || access.reason !== 'not_entitled' ? ok(access) : noSuchProduct();
