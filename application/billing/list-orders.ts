import type { ApiKey } from '../../domain/access/api-key.ts';
import { newestOrdersFirst } from '../../domain/billing/order.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { Orders } from '../../ports/outbound/billing.ts';
import type { ReadOrders } from './read-orders.ts';

type Ports = { orders: Orders; readOrders: ReadOrders };

/** Every order of the account, the newest first. */
export class ListOrders {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ key, locale }: { key: ApiKey; locale: Locale }) {
    const { orders, readOrders } = this.#ports;
    const all = orders.ofAccount(key.account_id).then(newestOrdersFirst);
    return { orders: await readOrders.execute({ accountId: key.account_id, locale, orders: all }) };
  }
}
