import { billingHandlers } from '../../../adapters/pipeline/handlers/billing.ts';
import { CheckAppsSubscription } from '../../../application/billing/check-apps-subscription.ts';
import { ListInvoices } from '../../../application/billing/list-invoices.ts';
import { ListOrders } from '../../../application/billing/list-orders.ts';
import { ListPaymentMethods } from '../../../application/billing/list-payment-methods.ts';
import { ListSubscriptions } from '../../../application/billing/list-subscriptions.ts';
import { ReadOrders } from '../../../application/billing/read-orders.ts';
import { ShowOrder } from '../../../application/billing/show-order.ts';
import * as apiBilling from '../../../ports/inbound/api/billing.ts';
import * as appBilling from '../../../ports/inbound/app/billing.ts';
import { part } from '../area.ts';

/** Orders, invoices, payment methods and subscriptions of an account. */
export const billing = {
  parts: {
    readOrders: part(ReadOrders),
    listOrders: part(ListOrders),
    showOrder: part(ShowOrder),
    listInvoices: part(ListInvoices),
    listPaymentMethods: part(ListPaymentMethods),
    listSubscriptions: part(ListSubscriptions),
    checkAppsSubscription: part(CheckAppsSubscription),
  },
  endpoints: { ...apiBilling, ...appBilling },
  handlers: billingHandlers,
};
