import { newestOrdersFirst } from '../../domain/billing/order.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { Orders } from '../../ports/outbound/billing.ts';
import type { ReadOrders } from './read-orders.ts';

export type Ports = { orders: Orders; readOrders: ReadOrders };

/** Every order of the account, newest first. */
export class ListOrders {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ accountId, locale }: { accountId: number; locale: Locale }) {
    const { orders, readOrders } = this.#ports;
    const all = orders.ofAccount(accountId).then(newestOrdersFirst);
    return { orders: await readOrders.execute({ accountId, locale, orders: all }) };
  }
}
