import { listOrders, readOrders, showOrder } from '../../../application/billing/orders.ts';
import { listInvoices, listPaymentMethods } from '../../../application/billing/payments.ts';
import { checkAppsSubscription, listSubscriptions } from '../../../application/billing/subscriptions.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import * as apiBilling from '../../../ports/inbound/api/billing.ts';
import * as appBilling from '../../../ports/inbound/app/billing.ts';
import { area } from '../area.ts';

/** Orders, invoices, payment methods and subscriptions of an account. */
export const billing = area({
  parts: {
    readOrders,
    listOrders,
    showOrder,
    listInvoices,
    listPaymentMethods,
    listSubscriptions,
    checkAppsSubscription,
  },
  endpoints: { ...apiBilling, ...appBilling },
  handlers: (use) => ({
    listInvoices: async ({ caller, query, locale }) =>
      ok(await use.listInvoices({ account_id: caller.account_id, locale, wish: query })),
    listOrders: async ({ caller, locale }) => ok(await use.listOrders({ account_id: caller.account_id, locale })),
    getOrder: ({ caller, params, locale }) =>
      use.showOrder({ account_id: caller.account_id, order_id: params.order, locale }),
    listPaymentMethods: async ({ caller, locale }) =>
      ok(await use.listPaymentMethods({ account_id: caller.account_id, locale })),
    listSubscriptions: async ({ caller, locale }) =>
      ok(await use.listSubscriptions({ account_id: caller.account_id, locale })),
    checkAppsSubscription: async ({ caller, locale }) =>
      ok(await use.checkAppsSubscription({ account_id: caller.account_id, locale })),
  }),
});
