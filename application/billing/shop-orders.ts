import type { Permit } from '../../domain/access/permit.ts';
import { type InvoiceStatus, invoiceStatus } from '../../domain/billing/invoice.ts';
import {
  newestOrdersFirst,
  ORDERS,
  type Order,
  type OrderStatus,
  UNPAID_STATUSES,
} from '../../domain/billing/order.ts';
import type { Claim, RecordOwner } from '../../domain/billing/record-owner.ts';
import { type RefundEffect, type RefundInput, refundEffect } from '../../domain/billing/refund.ts';
import {
  type SubscriptionStanding,
  subscriptionReason,
  subscriptionStanding,
} from '../../domain/billing/subscription-standing.ts';
import { withdrawalBar, withdrawalEnd } from '../../domain/billing/withdrawal.ts';
import { productsBrought, renewedEntitlements } from '../../domain/licensing/access.ts';
import { entitlementStatus, type GrantStatus } from '../../domain/licensing/entitlement.ts';
import { accessEnd, graceEnd, SUBSCRIPTIONS, type Subscription } from '../../domain/licensing/subscription.ts';
import { messageAbout, ORDER_MAILS_A_DAY, orderMessages } from '../../domain/mail/message.ts';
import { dailyBoundReached } from '../../domain/shared/daily-bound.ts';
import { hasPassed, type Instant } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { inOrder, isBehind } from '../../domain/shared/paging.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { RecordOwners } from '../../ports/outbound/billing.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { accountMissing, accountSuspended, emailsOf } from '../accounts/accounts.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { eachAccount, type Progress, unseen } from '../shared/progress.ts';

/** The orders that a text may name: by id or number, or explicitly by one of them (`id:7`, `number:7`). */
const claimsOf = (named: string): Claim[] => {
  const [, kind, rest = named] = /^(id|number):(.+)$/s.exec(named) ?? [];
  const id = Number(rest);
  const isId = /^[1-9]\d*$/.test(rest) && Number.isSafeInteger(id);
  return [
    ...(isId && kind !== 'number' ? [{ kind: 'order', id } as const] : []),
    ...(kind === 'id' ? [] : [{ kind: 'order', number: rest } as const]),
  ];
};

/** The account and id of the order with this id or number. A text that matches two orders is refused. */
export const findOrder = ({ recordOwners }: { recordOwners: RecordOwners }) =>
  async function findOrder(named: string): Promise<Outcome<RecordOwner, 'order_not_found' | 'order_ambiguous'>> {
    const owners = (await recordOwners.of(claimsOf(named))).flatMap((owner) => owner ?? []);
    const [first, second] = owners;
    if (!first) {
      return refuse('order_not_found', { message: `There is no order with the id or number ${named}.` });
    }
    if (second && !isSameJson(first, second)) {
      return refuse('order_ambiguous', {
        message: `${named} is the id of one order and the number of another; name id:${named} or number:${named}.`,
      });
    }
    return ok(first);
  };

export type FindOrder = ReturnType<typeof findOrder>;

export type OrdersInput = {
  /** Null lists the orders of every account. */
  readonly account_id: number | null;
  readonly status: OrderStatus | null;
  /** Only orders from this moment on. */
  readonly since: Instant | null;
  readonly limit: number;
  /** The key of the order after which the list starts. */
  readonly after?: string | null;
};

/**
 * The newest orders of an account, or of the shop, each with the address of its account. While the shop's list lacks
 * orders of an older store, every account is read.
 */
export const listShopOrders = ({
  accounts,
  shopSales,
  storedOrders,
}: Needs<'accounts' | 'shopSales' | 'storedOrders'>) => {
  const newestOf = async (input: OrdersInput, progress: Progress): Promise<readonly Order[]> => {
    const { account_id, status, since, limit, after = null } = input;
    if (account_id === null && (await shopSales.isComplete())) return shopSales.newest({ status, since, limit, after });
    let newest: Order[] = [];
    const read = async (id: number): Promise<void> => {
      const found = (await storedOrders.ofAccount(id)).filter(
        (order) =>
          (status === null || order.status === status) &&
          (since === null || order.ordered_at >= since) &&
          isBehind(order, after, ORDERS),
      );
      newest = newestOrdersFirst([...newest, ...found]).slice(0, limit);
    };
    if (account_id === null) await eachAccount(accounts, progress, read);
    else await read(account_id);
    return newest;
  };

  return async function listShopOrders(
    input: OrdersInput,
    progress: Progress = unseen,
  ): Promise<Outcome<readonly (Order & { account_email: string | null })[], 'account_not_found'>> {
    const { account_id } = input;
    if (account_id !== null && !(await accounts.get(account_id))) return accountMissing(account_id);
    const newest = await newestOf(input, progress);
    const emailOf = await emailsOf(
      accounts,
      newest.map((order) => order.account_id),
    );
    return ok(newest.map((order) => ({ ...order, account_email: emailOf(order.account_id) })));
  };
};

/** An order with everything that came from it, as shown to the operator. */
export const describeOrder = ({
  findOrder,
  orderRecords,
  accounts,
  catalogs,
  productUses,
  clock,
  storedLicenses,
}: Needs<'accounts' | 'catalogs' | 'clock' | 'orderRecords' | 'productUses' | 'storedLicenses'> & {
  findOrder: FindOrder;
}) =>
  async function describeOrder({ order: named }: { readonly order: string }) {
    const found = await findOrder(named);
    if (!found.ok) return found;
    const { account_id, id } = found.value;
    const [read, account, { bundles, products, storefront }, known, held] = await Promise.all([
      orderRecords.read(account_id, id),
      accounts.get(account_id),
      catalogs.current(),
      productUses.of(account_id),
      storedLicenses.held(account_id),
    ]);
    if (!read) return refuse('order_not_found', { message: `Order ${named} no longer exists.` });
    const now = clock.now();
    const { order } = read;
    const uses = [...known.values()].map(({ use }) => use);
    const entitlements = renewedEntitlements(held, bundles).filter((one) => one.order_id === order.id);
    const terms = storefront?.withdrawal;
    return ok({
      order,
      account_email: account?.email ?? null,
      /** The slug of each item's product; null for a product that the store no longer has. */
      slugs: order.items.map(({ product_id }) => products.get(product_id ?? 0)?.slug ?? null),
      /** The records that came from the order, each with its state. */
      entitlements: entitlements.map((one) => ({ ...one, status: entitlementStatus(one, now) satisfies GrantStatus })),
      subscriptions: read.subscriptions.map((one) => ({
        ...one,
        standing: subscriptionStanding(one, now) satisfies SubscriptionStanding,
      })),
      invoices: read.invoices.map((one) => ({ ...one, status: invoiceStatus(one, now) satisfies InvoiceStatus })),
      /** Why the buyer may not withdraw; null if withdrawing is possible. */
      withdrawal_bar: withdrawalBar(order, { uses, bundles }, terms, now),
      withdraw_until: terms && order.paid_at !== null ? withdrawalEnd(order.paid_at, terms) : null,
    });
  };

export type DescribeOrder = ReturnType<typeof describeOrder>;

export type DescribedOrder = Extract<Awaited<ReturnType<DescribeOrder>>, { ok: true }>['value'];

type ResendPorts = Needs<'accounts' | 'clock' | 'dailyBounds' | 'messages' | 'storedOrders'> & { findOrder: FindOrder };

/** Mails the buyer a paid order again, with a new link. Returns the address. */
export const resendOrderMail = ({ accounts, clock, dailyBounds, findOrder, messages, storedOrders }: ResendPorts) =>
  async function resendOrderMail(permit: Permit, named: string): Promise<Outcome<string, string>> {
    const found = await findOrder(named);
    if (!found.ok) return found;
    const { account_id, id } = found.value;
    const [account, order] = await Promise.all([accounts.get(account_id), storedOrders.find(account_id, id)]);
    if (!account || !order) return accountMissing(account_id);
    if (account.suspended_at) return accountSuspended(account_id);
    if (UNPAID_STATUSES.includes(order.status)) {
      return refuse('order_unpaid', { message: `Order ${order.number} is ${order.status}, so it has no mail.` });
    }
    const now = clock.now();
    const count = await dailyBounds.count(permit, ORDER_MAILS_A_DAY, String(id), 1, now);
    if (count > ORDER_MAILS_A_DAY.most) return dailyBoundReached(ORDER_MAILS_A_DAY, now);
    await messages.add(permit, messageAbout('order', order));
    return ok(account.email);
  };

export type ResendOrderMail = ReturnType<typeof resendOrderMail>;

export type RefundOrderInput = Omit<RefundInput, 'item_ids'> & {
  /** The items to refund; null or an empty list means the whole order. */
  readonly item_ids: readonly number[] | null;
  /** The order's id or number. */
  readonly order: string;
  /** If true, returns the decision and writes nothing. */
  readonly trial?: boolean;
};

export type RefundedOrder = RefundEffect & { readonly result: 'changed' | 'unchanged' };

const isChanged = ({ changed: { order, entitlements, subscriptions, invoices } }: RefundEffect): boolean =>
  order !== null || entitlements.length + subscriptions.length + invoices.length > 0;

const joined = <T extends { readonly id: number }>(before: readonly T[], later: readonly T[]): T[] => [
  ...new Map([...before, ...later].map((record) => [record.id, record])).values(),
];

/** Adds the changes of a later transaction to the effect of a refund. */
const withLater = (whole: RefundEffect, { changed, leaves_subscription }: RefundEffect): RefundEffect => ({
  ...whole,
  leaves_subscription,
  changed: {
    order: whole.changed.order,
    entitlements: joined(whole.changed.entitlements, changed.entitlements),
    subscriptions: joined(whole.changed.subscriptions, changed.subscriptions),
    invoices: joined(whole.changed.invoices, changed.invoices),
  },
});

type RefundOrderPorts = Needs<'clock' | 'orderRecords' | 'pauses'> & { findOrder: FindOrder };

/**
 * Refunds an order or some of its items, and revokes what they gave. It moves no money: the payment provider does. One
 * transaction writes up to 49 records. If there are more, the order is written first, so an interrupted refund is
 * recorded, and repeating it revokes the rest. It ends when a new read shows nothing left to change, because a record
 * that names the order may be written between the read and the write.
 */
export const refundOrder = ({ findOrder, orderRecords, clock, pauses }: RefundOrderPorts) =>
  async function refundOrder(
    permit: Permit,
    { order: named, trial = false, item_ids, ...input }: RefundOrderInput,
  ): Promise<Outcome<RefundedOrder, 'order_not_found' | 'order_ambiguous' | 'order_not_paid' | 'item_not_found'>> {
    const found = await findOrder(named);
    if (!found.ok) return found;
    let whole: RefundEffect | undefined;
    return untilWritten(pauses, async () => {
      for (;;) {
        const read = await orderRecords.read(found.value.account_id, found.value.id);
        if (!read) return refuse('order_not_found', { message: `Order ${named} no longer exists.` });
        const decided = refundEffect(read, { ...input, item_ids: item_ids ?? [] }, clock.now());
        if (!decided.ok) return decided;
        const effect = decided.value;
        if (trial || !isChanged(effect))
          return ok({ ...(whole ?? effect), result: isChanged(whole ?? effect) ? 'changed' : 'unchanged' });
        const messages = effect.changed.order ? orderMessages(read.order, effect.changed.order) : [];
        if (!(await orderRecords.refund(permit, effect.changed, read, messages))) return CONFLICT;
        whole = whole ? withLater(whole, effect) : effect;
      }
    });
  };

export type ListedSubscription = Subscription & { readonly standing: SubscriptionStanding };

type ListShopSubscriptionsPorts = Needs<'accounts' | 'clock' | 'storedLicenses'>;

/** Every subscription of an account with its current state, newest first. */
export const listShopSubscriptions = ({ accounts, storedLicenses, clock }: ListShopSubscriptionsPorts) =>
  async function listShopSubscriptions(
    account_id: number,
  ): Promise<Outcome<ListedSubscription[], 'account_not_found'>> {
    const [account, { subscriptions }] = await Promise.all([
      accounts.get(account_id),
      storedLicenses.held(account_id, []),
    ]);
    if (!account) return accountMissing(account_id);
    const now = clock.now();
    return ok(
      inOrder(subscriptions, SUBSCRIPTIONS).map((one) => ({ ...one, standing: subscriptionStanding(one, now) })),
    );
  };

export type ListShopSubscriptions = ReturnType<typeof listShopSubscriptions>;

type DescribeSubscriptionPorts = Needs<'catalogs' | 'clock'> & { listShopSubscriptions: ListShopSubscriptions };

/** One subscription of an account: its current state, the reason for it, and its products. */
export const describeSubscription = ({ listShopSubscriptions, catalogs, clock }: DescribeSubscriptionPorts) =>
  async function describeSubscription(account_id: number, id: number) {
    const [listed, { bundles, products }] = await Promise.all([listShopSubscriptions(account_id), catalogs.current()]);
    if (!listed.ok) return listed;
    const found = listed.value.find((one) => one.id === id);
    if (!found) {
      return refuse('subscription_not_found', {
        message: `Account ${account_id} has no subscription ${id}; "subscription list --account ${account_id}" shows them.`,
      });
    }
    const { standing, ...subscription } = found;
    const now = clock.now();
    const covered = new Set(subscription.product_ids.flatMap((product_id) => productsBrought(product_id, bundles)));
    return ok({
      subscription,
      standing,
      /** The fact that determines the state. */
      why: subscriptionReason(subscription, now),
      gives_access: subscription.starts_at <= now && !hasPassed(accessEnd(subscription), now),
      /** The end of access, including the grace period; null means never. */
      access_ends_at: accessEnd(subscription),
      grace_ends_at: graceEnd(subscription),
      /** The subscription's products, including those of its bundles. */
      covers: [...covered].map((product_id) => ({ product_id, slug: products.get(product_id)?.slug ?? null })),
    });
  };
