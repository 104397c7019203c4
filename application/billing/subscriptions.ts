import { appsStanding, appsTexts } from '../../domain/billing/apps-subscription.ts';
import { wonFor } from '../../domain/billing/money.ts';
import type { PaymentMethod } from '../../domain/billing/payment-method.ts';
import { SUBSCRIPTION_STATUS_LABELS, subscriptionStanding } from '../../domain/billing/subscription-standing.ts';
import type { Catalog } from '../../domain/catalog/catalog.ts';
import { productsBrought } from '../../domain/licensing/access.ts';
import {
  accessEnd,
  SUBSCRIPTIONS,
  type Subscription,
  type SubscriptionBilling,
} from '../../domain/licensing/subscription.ts';
import { hasPassed, type Instant } from '../../domain/shared/instant.ts';
import { inLocale, type Locale } from '../../domain/shared/locale.ts';
import { inOrder } from '../../domain/shared/paging.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

/** The renewal amount in won; every value is null if the amount, its currency or the exchange rate is unknown. */
const krwEstimate = (billing: SubscriptionBilling | null) => {
  const { renewal_amount_cents: amount, renewal_currency: currency, krw_exchange: exchange } = billing ?? {};
  const isKnown = amount != null && currency != null && exchange != null;
  return {
    estimated_krw_amount: isKnown ? wonFor(amount, currency, exchange.rate) : null,
    estimated_krw_exchange_rate: isKnown ? exchange.rate : null,
    estimated_krw_exchange_source: isKnown ? exchange.source : null,
    estimated_krw_currency: isKnown ? 'KRW' : null,
  };
};

/**
 * `SubscriptionData` of the OpenAPI document, its products, and `renewal_url`: the page that the action `renew` leads
 * to.
 */
const subscriptionView = (
  subscription: Subscription,
  methods: ReadonlyMap<number, PaymentMethod>,
  locale: Locale,
  now: Instant,
) => {
  const { id, product_ids, starts_at, ends_at, cancelled_at, apps, billing } = subscription;
  const standing = subscriptionStanding(subscription, now);
  const method = billing?.payment_method_id == null ? undefined : methods.get(billing.payment_method_id);
  const isOver = hasPassed(accessEnd(subscription), now);
  const updateUrl = isOver ? null : (billing?.update_payment_method_url ?? null);
  return {
    id,
    product_ids,
    status: standing.status,
    status_label: SUBSCRIPTION_STATUS_LABELS[standing.status][locale],
    is_trial: standing.is_trial,
    starts_at,
    ends_at,
    access_ends_at: accessEnd(subscription),
    cancelled_at,
    order_id: billing?.order_id ?? null,
    order_number: billing?.order_number ?? null,
    can_cancel: standing.can_cancel,
    cancel_at_period_end: standing.cancel_at_period_end,
    next_charge_at: standing.next_charge_at,
    renewal_amount_cents: billing?.renewal_amount_cents ?? null,
    renewal_currency: billing?.renewal_currency ?? null,
    payment_method_brand: method?.brand ?? null,
    payment_method_last4: method?.last4 ?? null,
    is_apps_subscription: apps !== null,
    offer_code: billing?.offer?.code ?? null,
    offer_name: billing?.offer ? (inLocale(billing.offer.name, locale) ?? null) : null,
    action: standing.action,
    ...krwEstimate(billing),
    update_card_url: method?.type === 'card' ? updateUrl : null,
    update_payment_method_url: updateUrl,
    renewal_url: billing?.renewal_url ?? null,
  };
};

type Ports = Needs<'clock' | 'licenses' | 'paymentMethods'>;

/** Every subscription of the account, including ended ones, newest first. */
export const listSubscriptions = ({ licenses, paymentMethods, clock }: Ports) =>
  async function listSubscriptions({ account_id, locale }: { account_id: number; locale: Locale }) {
    const [{ subscriptions }, methods] = await Promise.all([
      licenses.held(account_id, [], []),
      paymentMethods.ofAccount(account_id),
    ]);
    const byId = new Map(methods.map((method) => [method.id, method]));
    const now = clock.now();
    return {
      subscriptions: inOrder(subscriptions, SUBSCRIPTIONS).map((one) => subscriptionView(one, byId, locale, now)),
    };
  };

export type ListSubscriptions = ReturnType<typeof listSubscriptions>;

/** The tier of an account without an apps subscription in force. */
const NO_TIER = 'none';

/**
 * The apps and features that the account's apps subscription allows (`AppsSubscriptionCheckData` in the OpenAPI
 * document). The apps are the products that the subscription grants, so that this check and a license check never
 * disagree. Subscriptions belong to the account: a key that is bound to one product reads all of them.
 */
export const checkAppsSubscription = ({ catalogs, licenses, clock }: Needs<'catalogs' | 'clock' | 'licenses'>) =>
  async function checkAppsSubscription({ account_id, locale }: { account_id: number; locale: Locale }) {
    const [catalog, { subscriptions }] = await Promise.all([catalogs.current(), licenses.held(account_id, [], [])]);
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

/** Bundle identifiers, or slugs for products without one; a bundle product is not an app itself. */
const appNames = (product_ids: readonly number[], { products, bundles }: Catalog): string[] => {
  const packages = new Set(bundles.map(({ product_id }) => product_id));
  return [...new Set(product_ids)]
    .filter((id) => !packages.has(id))
    .sort((a, b) => a - b)
    .flatMap((id) => products.get(id) ?? [])
    .map(({ bundle_id, slug }) => bundle_id ?? slug);
};
