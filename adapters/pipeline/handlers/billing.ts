import { listOrders, showOrder } from '../../../application/billing/orders.ts';
import { listInvoices, listPaymentMethods } from '../../../application/billing/payments.ts';
import { checkAppsSubscription, listSubscriptions } from '../../../application/billing/subscriptions.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import * as apiBilling from '../../../ports/inbound/api/billing.ts';
import * as appBilling from '../../../ports/inbound/app/billing.ts';
import { handling } from './handling.ts';

export const billingHandlers = handling(
  { ...apiBilling, ...appBilling },
  { listOrders, showOrder, listInvoices, listPaymentMethods, listSubscriptions, checkAppsSubscription },
  (use) => ({
    listInvoices: async (call) => ok(await use.listInvoices(call)),
    listOrders: async (call) => ok(await use.listOrders(call)),
    getOrder: ({ account_id, locale, params }) => use.showOrder({ account_id, locale, order_id: params.order }),
    listPaymentMethods: async (call) => ok(await use.listPaymentMethods(call)),
    listSubscriptions: async (call) => ok(await use.listSubscriptions(call)),
    checkAppsSubscription: async (call) => ok(await use.checkAppsSubscription(call)),
  }),
);
