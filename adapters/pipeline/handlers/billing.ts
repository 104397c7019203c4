import type { CheckAppsSubscription } from '../../../application/billing/check-apps-subscription.ts';
import type { ListInvoices } from '../../../application/billing/list-invoices.ts';
import type { ListOrders } from '../../../application/billing/list-orders.ts';
import type { ListPaymentMethods } from '../../../application/billing/list-payment-methods.ts';
import type { ListSubscriptions } from '../../../application/billing/list-subscriptions.ts';
import type { ShowOrder } from '../../../application/billing/show-order.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import type { HandlersOf } from '../handler.ts';

export type UseCases = {
  readonly listInvoices: ListInvoices;
  readonly listOrders: ListOrders;
  readonly showOrder: ShowOrder;
  readonly listPaymentMethods: ListPaymentMethods;
  readonly listSubscriptions: ListSubscriptions;
  readonly checkAppsSubscription: CheckAppsSubscription;
};

export type Answered =
  | 'listInvoices'
  | 'listOrders'
  | 'getOrder'
  | 'listPaymentMethods'
  | 'listSubscriptions'
  | 'checkAppsSubscription';

export const billingHandlers = (use: UseCases): HandlersOf<Answered> => ({
  listInvoices: async ({ caller, query, locale }) =>
    ok(await use.listInvoices({ accountId: caller.account_id, locale, wish: query })),
  listOrders: async ({ caller, locale }) => ok(await use.listOrders({ accountId: caller.account_id, locale })),
  getOrder: ({ caller, params, locale }) =>
    use.showOrder({ accountId: caller.account_id, orderId: params.order, locale }),
  listPaymentMethods: async ({ caller, locale }) =>
    ok(await use.listPaymentMethods({ accountId: caller.account_id, locale })),
  listSubscriptions: async ({ caller, locale }) =>
    ok(await use.listSubscriptions({ accountId: caller.account_id, locale })),
  checkAppsSubscription: async ({ caller, locale }) =>
    ok(await use.checkAppsSubscription({ accountId: caller.account_id, locale })),
});
