import type { ApiKey } from '../../domain/access/api-key.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { ok, refuse } from '../../domain/shared/outcome.ts';
import type { Orders } from '../../ports/outbound/billing.ts';
import type { ReadOrders } from './read-orders.ts';

type Ports = { orders: Orders; readOrders: ReadOrders };

/** One order of the account. Another account's is refused as one that doesn't exist is, and so is what is no id. */
export class ShowOrder {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ key, orderId, locale }: { key: ApiKey; orderId: number | null; locale: Locale }) {
    if (orderId === null) return refuse('order_not_found');
    const { orders, readOrders } = this.#ports;
    const found = orders.find(key.account_id, orderId).then((order) => (order ? [order] : []));
    const [order] = await readOrders.execute({ accountId: key.account_id, locale, orders: found });
    return order ? ok({ order }) : refuse('order_not_found');
  }
}
