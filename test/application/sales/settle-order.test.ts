import { beforeEach, expect, test } from 'vitest';
import type { OrderFacts, SaleEvent } from '../../../domain/sales/sale-event.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../../support/account-builders.ts';
import { anOrder, aProduct } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { aClock } from '../../support/fakes.ts';
import { BY_WEBHOOK, MAILING } from '../../support/mail.ts';
import { done } from '../../support/outcomes.ts';
import { aPrice, order } from '../../support/sale-events.ts';
import { memoryService } from '../../support/service.ts';

const PRICES = ['one', 'team'].map((id, n) => aPrice(id, { provider: 'shop', device_limit: 10 * n + 1 }));
const LINE = { quantity: 1, total_cents: 900, discount_cents: 0 };
const LINES = PRICES.map(({ id: price }) => ({ product: 'tool', price, ...LINE }));

let service: Service;

/** An order that waits for its payment, of the shop's own system unless `more` names another provider. */
const waiting = (facts: Partial<OrderFacts> = {}, more: Partial<SaleEvent> = {}): SaleEvent => ({
  ...order({ status: 'pending', paid_at: null, total_cents: 1800, vat_cents: null, lines: LINES, ...facts }),
  provider: 'shop',
  ...more,
});

const record = async (event: SaleEvent) => done(await service.get('recordSale')(BY_WEBHOOK, event));
const settle = (named: string) => service.get('settleOrder')(BY_WEBHOOK, { order: named });
const shown = async (id: number) => done(await service.get('describeOrder')({ order: `id:${id}` }));

beforeEach(async () => {
  service = memoryService({ clock: aClock() }, undefined, MAILING);
  await put(service, { products: [aProduct({ id: 1, slug: 'tool', prices: PRICES })] });
});

test('a pending order is settled once by its number, with the terms that each line was sold with', async () => {
  const { order_id } = await record(waiting());
  const { number } = (await shown(order_id ?? 0)).order;
  const results = await Promise.all([settle(number), settle(`id:${order_id}`)]);
  expect(results.some(({ ok }) => ok)).toBe(true);
  const { order: paid, entitlements } = await shown(order_id ?? 0);
  expect(paid).toMatchObject({ number, status: 'paid', paid_at: service.get('clock').now(), total_cents: 1800 });
  expect(entitlements.map(({ device_limit }) => device_limit)).toEqual([1, 11]);
  expect((await service.get('messages').waiting(9)).filter(({ kind }) => kind === 'order')).toHaveLength(1);
  expect(await settle(number)).toMatchObject({
    code: 'order_not_pending',
    message: `Order ${number} is paid; only a pending order can be marked as paid.`,
  });
});

test('a later event of the shop’s system changes a settled order, and a delayed one does not reopen it', async () => {
  const { order_id } = await record(waiting());
  done(await settle(`id:${order_id}`));
  const at = (year: number) => ({ happened_at: `${year}-01-01T00:00:00.000Z` });
  await record(waiting({}, at(2040)));
  expect((await shown(order_id ?? 0)).order.status).toBe('paid');
  await record(waiting({ status: 'cancelled' }, at(2041)));
  expect((await shown(order_id ?? 0)).order.status).toBe('cancelled');
});

test('an order of a payment provider or of a store document, and one of an unknown number, cannot be settled', async () => {
  const line = { price: 'price_1', ...LINE };
  const stripe = aProduct({ id: 2, slug: 'pad', prices: [aPrice('price_1')] });
  await put(service, {
    products: [stripe],
    accounts: [anAccount({ id: 7 })],
    orders: [anOrder({ id: 5, account_id: 7, status: 'pending', paid_at: null })],
  });
  const { order_id } = await record(waiting({ lines: [line], total_cents: 900 }, { provider: 'stripe' }));
  for (const id of [order_id, 5]) expect(await settle(`id:${id}`)).toMatchObject({ code: 'order_not_own' });
  expect(await settle('O-404')).toMatchObject({ code: 'order_not_found' });
});
