import type { Order } from '../../domain/billing/order.ts';
import { withdrawableSince } from '../../domain/billing/withdrawal.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Licenses } from '../../ports/outbound/licenses.ts';
import type { Links } from '../../ports/outbound/links.ts';
import type { Installs } from '../../ports/outbound/usage.ts';
import { orderView } from './order-view.ts';

type Ports = { catalogs: Catalogs; licenses: Licenses; installs: Installs; links: Links; clock: Clock };

/** The views of orders (OrderData of the specification). The records around them are read while the orders are. */
export class ReadOrders {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({
    accountId,
    locale,
    orders,
  }: {
    accountId: number;
    locale: Locale;
    orders: Promise<readonly Order[]>;
  }) {
    const { catalogs, licenses, installs, links, clock } = this.#ports;
    const now = clock.now();
    const [found, catalog, { entitlements }, recent] = await Promise.all([
      orders,
      catalogs.current(),
      licenses.held(accountId),
      installs.since(accountId, withdrawableSince(now)),
    ]);
    return found.map((order) => orderView(order, { catalog, entitlements, installs: recent, links, locale, now }));
  }
}
