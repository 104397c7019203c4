import { CheckAppsSubscription } from '../../application/billing/check-apps-subscription.ts';
import { ListInvoices } from '../../application/billing/list-invoices.ts';
import { ListOrders } from '../../application/billing/list-orders.ts';
import { ListPaymentMethods } from '../../application/billing/list-payment-methods.ts';
import { ListSubscriptions } from '../../application/billing/list-subscriptions.ts';
import { ReadOrders } from '../../application/billing/read-orders.ts';
import { ShowOrder } from '../../application/billing/show-order.ts';
import { areaModule, type Overrides } from './binder.ts';

export const billing = (overrides: Overrides) =>
  areaModule(overrides, (binder) =>
    binder
      .part('readOrders', ReadOrders, ({ catalogs, licenses, installs, links, clock }) => ({
        catalogs,
        licenses,
        installs,
        links,
        clock,
      }))
      .part('listOrders', ListOrders, ({ orders, readOrders }) => ({ orders, readOrders }))
      .part('showOrder', ShowOrder, ({ orders, readOrders }) => ({ orders, readOrders }))
      .part('listInvoices', ListInvoices, ({ invoices, clock }) => ({ invoices, clock }))
      .part('listPaymentMethods', ListPaymentMethods, ({ paymentMethods, clock }) => ({ paymentMethods, clock }))
      .part('listSubscriptions', ListSubscriptions, ({ licenses, paymentMethods, clock }) => ({
        licenses,
        paymentMethods,
        clock,
      }))
      .part('checkAppsSubscription', CheckAppsSubscription, ({ catalogs, licenses, clock }) => ({
        catalogs,
        licenses,
        clock,
      })),
  );
