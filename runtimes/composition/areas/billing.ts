import { billingHandlers } from '../../../adapters/pipeline/handlers/billing.ts';
import { checkAppsSubscription } from '../../../application/billing/check-apps-subscription.ts';
import { listInvoices } from '../../../application/billing/list-invoices.ts';
import { listOrders } from '../../../application/billing/list-orders.ts';
import { listPaymentMethods } from '../../../application/billing/list-payment-methods.ts';
import { listSubscriptions } from '../../../application/billing/list-subscriptions.ts';
import { readOrders } from '../../../application/billing/read-orders.ts';
import { showOrder } from '../../../application/billing/show-order.ts';
import * as apiBilling from '../../../ports/inbound/api/billing.ts';
import * as appBilling from '../../../ports/inbound/app/billing.ts';

/** Orders, invoices, payment methods and subscriptions of an account. */
export const billing = {
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
  handlers: billingHandlers,
};
