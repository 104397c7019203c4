import type { Locale } from '../../domain/shared/locale.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { Orders } from '../../ports/outbound/billing.ts';
import type { ReadOrders } from './read-orders.ts';

export type Ports = { orders: Orders; readOrders: ReadOrders };
export type Input = { accountId: number; orderId: number | null; locale: Locale };

/** One order of the account. Another account's order and a null id are refused like an order that doesn't exist. */
export const showOrder =
  ({ orders, readOrders }: Ports) =>
  async ({ accountId, orderId, locale }: Input) => {
    if (orderId === null) return refuse('order_not_found');
    const found = orders.find(accountId, orderId).then((order) => (order ? [order] : []));
    const [order] = await readOrders({ accountId, locale, orders: found });
    return order ? ok({ order }) : refuse('order_not_found');
  };

export type ShowOrder = ReturnType<typeof showOrder>;
