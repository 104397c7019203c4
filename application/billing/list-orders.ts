import { newestOrdersFirst } from '../../domain/billing/order.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { Orders } from '../../ports/outbound/billing.ts';
import type { ReadOrders } from './read-orders.ts';

export type Ports = { orders: Orders; readOrders: ReadOrders };

/** Every order of the account, newest first. */
export const listOrders =
  ({ orders, readOrders }: Ports) =>
  async ({ accountId, locale }: { accountId: number; locale: Locale }) => {
    const all = orders.ofAccount(accountId).then(newestOrdersFirst);
    return { orders: await readOrders({ accountId, locale, orders: all }) };
  };

export type ListOrders = ReturnType<typeof listOrders>;
