import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { ORDER_STATUSES, type OrderStatus } from '../../../../domain/billing/order.ts';
import { byHost } from '../../../../ports/inbound/hosts.ts';
import { EVERY_AREA } from '../../../../runtimes/composition/areas/all-areas.ts';
import { bootstrap } from '../../../../runtimes/composition/bootstrap.ts';
import { readConfig } from '../../../../runtimes/configuration/config.ts';
import { openEngines } from '../../../../runtimes/engines/open-engines.ts';
import { anAccount } from '../../../support/account-builders.ts';
import { anOrder, anOrderItem, aProduct } from '../../../support/builders.ts';
import { MEMBER, serveConsole } from '../../../support/console.ts';
import { report } from '../child.ts';

const [ACCOUNTS, PRODUCTS, DAYS, AT_ONCE] = [5000, 20, 365, 500];
/** The distance of the orders with another status than the usual one. */
const RARE = 143;

/**
 * The console on a store with `BENCH_ORDERS` orders of the last year, in three currencies and from two providers. 100
 * of 100,000 have each of the rare statuses. `BENCH_FILLED` means that an earlier run has filled the store.
 */
const { BENCH_ORDERS = '100000', BENCH_FILLED } = process.env;
const config = readConfig(process.env);
const urls = byHost(() => 'http://127.0.0.1');
const engines = await openEngines(config, urls);
const limits = { perAccount: 1e9, perAgent: 1e9, perAddress: 1e9, filesPerAddress: 1e9 };
const { mail, webhookSecrets } = config;
const settings = { urls, ...limits, mail, webhookSecrets, catalogAge: config.store.engine.catalogAge };
const service = bootstrap(settings, engines, EVERY_AREA);
const permit = grantPermit();

const statusOf = (n: number): OrderStatus => (n % RARE === 0 && ORDER_STATUSES[(n / RARE) % 7]) || 'paid';
const orderNumber = (n: number) => {
  const at = new Date(Date.now() - ((n * 7919) % (DAYS * 1440)) * 60_000).toISOString();
  const items = [anOrderItem({ id: n, product_id: (n % PRODUCTS) + 1 })];
  const source = { provider: n % 2 ? 'stripe' : 'paddle', payment: `pay-${n}`, subscription: null };
  const more = { currency: ['USD', 'EUR', 'KRW'][n % 3] ?? 'USD', status: statusOf(n), items, source };
  return anOrder({ id: n, account_id: 1000 + (n % ACCOUNTS), ordered_at: at, ...more });
};

/** Runs the calls that the numbers up to `count` make, many at a time. */
const many = async (count: number, call: (n: number) => Promise<unknown>): Promise<void> => {
  for (let from = 1; from <= count; from += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => call(from + n)));
  }
};

const fill = async (): Promise<void> => {
  const accounts = service.get('accounts');
  await accounts.save(permit, anAccount({ id: MEMBER.account_id, email: MEMBER.email }));
  for (let id = 1; id <= PRODUCTS; id++) {
    const value = aProduct({ id, slug: `product-${id}`, bundle_id: `com.example.product${id}` });
    await service.get('catalogEditor').save(permit, { kind: 'product', value });
  }
  await many(ACCOUNTS, (n) => accounts.save(permit, anAccount({ id: 999 + n, email: `buyer-${n}@example.com` })));
  await many(Number(BENCH_ORDERS), (n) => service.get('billingRecords').saveOrder(permit, orderNumber(n)));
};

if (BENCH_FILLED === undefined) await fill();
await service.get('completeSums')(permit);
const { server, session } = await serveConsole(service, 'everything');
report(server, { session });
