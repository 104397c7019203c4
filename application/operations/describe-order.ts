import { type InvoiceStatus, invoiceStatus } from '../../domain/billing/invoice.ts';
import { type SubscriptionStanding, subscriptionStanding } from '../../domain/billing/subscription-standing.ts';
import { withdrawalBar, withdrawalEnd } from '../../domain/billing/withdrawal.ts';
import { entitlementStatus, type GrantStatus } from '../../domain/licensing/grant-status.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { ReadOrder } from '../../ports/outbound/billing.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { FindOrder } from './find-order.ts';

export type Ports = Needs<'accounts' | 'catalogs' | 'clock' | 'orderRecords' | 'productUses'> & {
  findOrder: FindOrder;
};

/** The state of each record that came from an order, with the record. */
const statesOf = ({ entitlements, subscriptions, invoices }: ReadOrder, now: Instant) => ({
  entitlements: entitlements.map((one) => ({ ...one, status: entitlementStatus(one, now) satisfies GrantStatus })),
  subscriptions: subscriptions.map((one) => ({
    ...one,
    standing: subscriptionStanding(one, now) satisfies SubscriptionStanding,
  })),
  invoices: invoices.map((one) => ({ ...one, status: invoiceStatus(one, now) satisfies InvoiceStatus })),
});

/** An order with all that came from it, as its operator sees it. */
export const describeOrder =
  ({ findOrder, orderRecords, accounts, catalogs, productUses, clock }: Ports) =>
  async (named: string) => {
    const found = await findOrder(named);
    if (!found.ok) return found;
    const { account_id, id } = found.value;
    const [read, account, { bundles, products }, known] = await Promise.all([
      orderRecords.read(account_id, id),
      accounts.get(account_id),
      catalogs.current(),
      productUses.of(account_id),
    ]);
    if (!read) return refuse('order_not_found', { message: `Order ${named} is gone.` });
    const now = clock.now();
    const { order } = read;
    const uses = [...known.values()].map(({ use }) => use);
    return ok({
      order,
      account_email: account?.email ?? null,
      /** The slug of each item's product; null for a product that the store no longer has. */
      slugs: order.items.map(({ product_id }) => products.get(product_id)?.slug ?? null),
      ...statesOf(read, now),
      /** The reason for which the buyer may not withdraw; null where withdrawing is possible. */
      withdrawal_bar: withdrawalBar(order, { uses, bundles }, now),
      withdraw_until: order.paid_at === null ? null : withdrawalEnd(order.paid_at),
    });
  };

export type DescribeOrder = ReturnType<typeof describeOrder>;

export type DescribedOrder = Extract<Awaited<ReturnType<DescribeOrder>>, { ok: true }>['value'];
