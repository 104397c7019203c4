import type { CheckAppsSubscription } from '../../../application/billing/check-apps-subscription.ts';
import type { ListInvoices } from '../../../application/billing/list-invoices.ts';
import type { ListOrders } from '../../../application/billing/list-orders.ts';
import type { ListPaymentMethods } from '../../../application/billing/list-payment-methods.ts';
import type { ListSubscriptions } from '../../../application/billing/list-subscriptions.ts';
import type { ShowOrder } from '../../../application/billing/show-order.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import type { HandlersOf } from '../call.ts';
import { idIn } from '../input.ts';

export type BillingUseCases = {
  listInvoices: ListInvoices;
  listOrders: ListOrders;
  showOrder: ShowOrder;
  listPaymentMethods: ListPaymentMethods;
  listSubscriptions: ListSubscriptions;
  checkAppsSubscription: CheckAppsSubscription;
};

type Answered =
  | 'listInvoices'
  | 'listOrders'
  | 'getOrder'
  | 'listPaymentMethods'
  | 'listSubscriptions'
  | 'checkAppsSubscription';

export const billingHandlers = (use: BillingUseCases): HandlersOf<Answered> => ({
  listInvoices: async ({ key, query, locale }) => ok(await use.listInvoices.execute({ key, locale, wish: query })),
  listOrders: async ({ key, locale }) => ok(await use.listOrders.execute({ key, locale })),
  getOrder: ({ key, path, locale }) => use.showOrder.execute({ key, orderId: idIn(path.order), locale }),
  listPaymentMethods: async ({ key, locale }) => ok(await use.listPaymentMethods.execute({ key, locale })),
  listSubscriptions: async ({ key, locale }) => ok(await use.listSubscriptions.execute({ key, locale })),
  checkAppsSubscription: async ({ key, locale }) => ok(await use.checkAppsSubscription.execute({ key, locale })),
});
