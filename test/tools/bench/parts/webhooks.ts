import { join } from 'node:path';
import { SIGNERS } from '../../../support/payment-bodies.ts';
import type { Shot } from '../connection.ts';
import { closedLoop } from '../load.ts';
import { part } from '../part.ts';
import { PERCENTILES, percentiles } from '../saturation.ts';
import { answerOf, onSqlite, startBare, startService } from '../service.ts';
import { median } from '../statistics.ts';
import { PRODUCTS } from '../store.ts';

const TABLE = 'Sales by signed webhook, each from a new buyer';
const SALES = 500;
const WARM_UP = 1000;
const ROUNDS = 5;

const { sign, secret } = SIGNERS.shop;

/** A sale to its own buyer, signed as by the shop's system. */
const saleShot = (n: number): Shot => {
  const at = new Date().toISOString();
  const lines = [{ product: `product-${(n % PRODUCTS) + 1}`, total_cents: 1900 }];
  const buyer = { email: `buyer-${n}@example.com`, name: 'A Buyer' };
  const facts = { reference: `sale-${n}`, buyer, ordered_at: at, paid_at: at, currency: 'USD', total_cents: 1900 };
  const body = JSON.stringify({ type: 'order', timestamp: at, data: { ...facts, lines } });
  const headers = { 'content-type': 'application/json', ...sign(body, Date.now(), secret, `event-${n}`) };
  return { method: 'POST', path: '/webhooks/shop', headers, body };
};

export const WEBHOOKS = part({
  title: 'Sales by webhook',
  ratios: {},
  figures: [],
  tables: [TABLE],
  measure: async (folder) => {
    const environment = { SHOP_WEBHOOK_SECRET: secret, MAIL_FROM: 'shop@example.com' };
    const service = await startService({ ...onSqlite(join(folder, 'data')), ...environment });
    const bare = await startBare({ ...environment, BENCH_EVENTS: join(folder, 'events.sqlite') });
    const sides = [
      { name: 'sqlite engine', port: service.port, rates: [] as number[], millis: [] as number[] },
      { name: 'bare Express, one row', port: bare.port, rates: [] as number[], millis: [] as number[] },
    ];
    for (const { name, port } of sides) {
      const answer = await answerOf(port, saleShot(0));
      if (!answer.includes('done')) throw new Error(`A sale of ${name} was answered ${answer}.`);
      await closedLoop(port, WARM_UP, (n) => saleShot(1 + n));
    }
    let from = 1 + WARM_UP;
    for (let round = 0; round < ROUNDS; round++) {
      for (const { port, rates, millis } of sides) {
        const { seconds } = await closedLoop(port, SALES, (n) => saleShot(from + n));
        rates.push(SALES / seconds);
        millis.push(...(await closedLoop(port, SALES, (n) => saleShot(from + SALES + n), 1)).millis);
      }
      from += 2 * SALES;
    }
    service.stop();
    bare.stop();
    const rows = sides.map(({ name, rates, millis }) => [
      name,
      Math.round(median(rates)),
      ...percentiles(Float64Array.from(millis).sort()),
    ]);
    const head = ['', 'sales per second', ...PERCENTILES.map((name) => `${name} ms alone`)];
    return { ratios: {}, figures: {}, tables: { [TABLE]: { head, rows } } };
  },
});
