import type { OrderSale, SubscriptionSale } from '../../../domain/sales/sale.ts';
import type { KeyOf } from './families.ts';

/** Where a provider's payments and subscriptions lie, by the provider's references. */
export const saleKeys = {
  order: (provider: string, reference: string): KeyOf<OrderSale> => ({
    pk: `SALE#${provider}#${reference}`,
    sk: 'ORDER',
  }),
  subscription: (provider: string, reference: string): KeyOf<SubscriptionSale> => ({
    pk: `SALE#${provider}#${reference}`,
    sk: 'SUBSCRIPTION',
  }),
};
