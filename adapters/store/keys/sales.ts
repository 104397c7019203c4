import type { OrderSale, SubscriptionSale } from '../../../domain/sales/sale.ts';
import { keyIn } from './shared.ts';

/** Keys of a provider's payments and subscriptions, by the provider's references. */
export const saleKeys = {
  order: (provider: string, reference: string) => keyIn<OrderSale>(`SALE#${provider}#${reference}`, 'ORDER'),
  subscription: (provider: string, reference: string) =>
    keyIn<SubscriptionSale>(`SALE#${provider}#${reference}`, 'SUBSCRIPTION'),
};
