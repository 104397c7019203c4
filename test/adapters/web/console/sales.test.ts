import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../../domain/access/grant-permit.ts';
import { anAccount } from '../../../support/account-builders.ts';
import { aBill, anOrder, anOrderItem, aProduct, aSubscription } from '../../../support/builders.ts';
import { type Console, openConsole } from '../../../support/console.ts';
import { done } from '../../../support/outcomes.ts';
import { hiddenFields } from '../../../support/page-browser.ts';
import { order } from '../../../support/sale-events.ts';

const DAY_MS = 86_400_000;
const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
const BUYER = anAccount({ id: 7, email: 'buyer@example.com' });
const ORDER = anOrder({
  id: 5,
  account_id: 7,
  number: 'O-5',
  ordered_at: ago(1),
  items: [anOrderItem({ id: 1, product_id: 1 }), anOrderItem({ id: 2, product_id: 1, total_cents: 100 })],
});

let shop: Console;
const open = async (role: Parameters<typeof openConsole>[1] = 'everything') => {
  shop = await openConsole(
    {
      products: [aProduct({ id: 1, slug: 'tool', currency: 'USD', name: { en: 'The tool' } })],
      accounts: [BUYER],
      orders: [ORDER, anOrder({ id: 6, account_id: 7, currency: 'JPY', ordered_at: ago(2) })],
      subscriptions: [
        aSubscription({ id: 1, account_id: 7, billing: aBill({ next_charge_at: ago(-3) }), ends_at: ago(-3) }),
        aSubscription({ id: 2, account_id: 7, status: 'past_due', ends_at: ago(-2) }),
        aSubscription({ id: 3, account_id: 7, cancelled_at: ago(1), ends_at: ago(-9) }),
      ],
    },
    role,
  );
  await shop.service.get('completeSums')(grantPermit());
};
const page = async (path: string): Promise<string> => {
  const { status, body } = await shop.browser.get(path);
  expect([shop.faults, status]).toEqual([[], 200]);
  return body;
};

afterEach(() => shop.close());

describe('the sales in the console', () => {
  beforeEach(() => open());

  test('sums are shown for each currency, by product and by provider', async () => {
    const body = await page('/sales?days=7');
    expect(body).toMatch(/\$20\.00[\s\S]*¥1,900|¥1,900[\s\S]*\$20\.00/);
    expect(body).toContain('<svg class="chart"');
    expect(body).toContain('The tool');
  });

  test('the tax is that of what remains, with the charged and the refunded tax beside it', async () => {
    const refunds = [{ refunded_at: ago(0), item_ids: [2], keeps_access: false, reason: null }];
    const taxed = { ...ORDER, supply_cents: 1600, vat_cents: 400, refunds, status: 'partially_refunded' as const };
    await shop.service.get('billingRecords').saveOrder(grantPermit(), taxed);
    expect(await page('/sales?days=7')).toMatch(/\$3\.80[\s\S]*\$4\.00 charged, \$0\.20 refunded/);
  });

  test('the sales of days are loaded as a file for a spreadsheet', async () => {
    const body = await page('/sales?days=7');
    expect(body).toContain('action="/sales/csv"');
    const [from, to] = [ago(3).slice(0, 10), ago(0).slice(0, 10)];
    const lines = (await page(`/sales/csv?from=${from}&to=${to}`)).split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[1]).toBe(`${ago(1).slice(0, 10)},sale,O-5,,,tool,2,USD,20.00,0.00,0.00,0.00,`);
    expect(lines[2]).toContain(',JPY,1900,0,0,0,');
    const { status, body: refused } = await shop.browser.get('/sales/csv?from=2020-01-01&to=2026-01-01');
    expect([status, refused.includes('366')]).toEqual([409, true]);
  });

  test('orders are listed newest first and filtered by state', async () => {
    const body = await page('/orders');
    expect(body.indexOf('O-5')).toBeLessThan(body.indexOf('O-6'));
    expect(body).toContain('buyer@example.com');
    expect(await page('/orders?status=disputed')).not.toContain('O-5');
  });

  test.each([
    '/orders/',
    '/events/stripe/',
    '/search?q=',
  ])('a text under %s that is too long for a record finds nothing', async (path) => {
    const { status } = await shop.browser.get(`${path}${encodeURIComponent('가'.repeat(400))}`);
    expect([shop.faults, status]).toEqual([[], path === '/search?q=' ? 200 : 404]);
  });

  test('a refund shows its consequences before it happens', async () => {
    expect(await page('/orders/id:5')).toContain('/orders/id:5/refund');
    const tried = await page('/orders/id:5/refund?item=2');
    expect(tried).toContain('Pay $1.00 back');
    expect((await shop.service.get('storedOrders').find(7, 5))?.refunds).toBeUndefined();
    const sent = await shop.browser.submit('/orders/id:5/refund?item=2', '/orders/id:5/refund/now', {
      reason: 'by mistake',
    });
    expect(sent.status).toBe(303);
    expect(await page(sent.location ?? '')).toContain('Refunded $1.00');
    expect(await page('/sales?days=7')).toContain('$1.00');
    await shop.browser.submit('/orders/id:5/refund', '/orders/id:5/refund/now', {});
    expect(await page('/orders/id:5')).not.toContain('/orders/id:5/refund');
    expect(await page('/')).toMatch(/O-5[\s\S]*buyer@example\.com[\s\S]*Refunded/);
  });

  test('a sale is recorded by hand, and an invalid one is shown again with the typed text', async () => {
    const typed = {
      email: 'new@example.com',
      'lines.0.product': 'tool',
      'lines.0.quantity': '1',
      'lines.0.total_cents': '12.50',
      reference: 'R-1',
      ordered_at: ago(1).slice(0, 10),
    };
    const wrong = await shop.browser.submit('/orders/record', '/orders/record/save', {
      ...typed,
      'lines.0.total_cents': 'much',
    });
    expect([wrong.status, wrong.body.includes('value="much"')]).toEqual([422, true]);
    const sent = await shop.browser.submit('/orders/record', '/orders/record/save', typed);
    expect(sent.status).toBe(303);
    expect(await page(sent.location ?? '')).toContain('$12.50');
    const again = await shop.browser.submit('/orders/record', '/orders/record/save', typed);
    expect(again.location).toBe(sent.location);
    const other = await shop.browser.submit('/orders/record', '/orders/record/save', {
      ...typed,
      email: 'other@example.com',
    });
    expect([other.status, other.body.includes('R-1 is the reference of order')]).toEqual([409, true]);
  });

  test('a pending order of the shop’s own system is marked as paid on its page, once', async () => {
    const pending = { ...ORDER, id: 9, number: 'O-9', status: 'pending', paid_at: null } as const;
    await shop.service.get('billingRecords').saveOrder(grantPermit(), pending);
    expect(await page('/orders/id:9')).not.toContain('/settle');
    const lines = [{ product: 'tool', quantity: 1, total_cents: 900, discount_cents: 0 }];
    const event = { ...order({ status: 'pending', paid_at: null, lines }), provider: 'shop' };
    const { order_id } = done(await shop.service.get('recordSale')(grantPermit(), event));
    const path = `/orders/id:${order_id}`;
    expect(await page(path)).toMatch(/This order waits for its payment\.(?![\s\S]*\/mail")/);
    const settled = await shop.browser.submit(path, `${path}/settle`, {});
    expect(await page(settled.location ?? '')).toMatch(/The order is paid[\s\S]*The tool<\/strong> <[^>]*>Active/);
    const { csrf = '' } = hiddenFields(await page('/orders/record'), '/orders/record/save');
    const again = await shop.browser.post(`${path}/settle`, { csrf });
    expect([again.status, again.body.includes('only a pending order')]).toEqual([409, true]);
  });

  test('a refused sale keeps its currency and its product', async () => {
    const euro = { 'name.en': 'Euro tool', kind: 'app', unit_price_cents: '10', 'unit_price_cents:currency': 'EUR' };
    await shop.browser.submit('/products/new', '/products/new/add', euro);
    const { status, body } = await shop.browser.submit('/orders/record?currency=EUR', '/orders/record/save', {
      email: 'new@example.com',
      'lines.0.product': 'euro-tool',
      'lines.0.total_cents': 'much',
      reference: 'R-3',
    });
    expect(status).toBe(422);
    expect(body).toContain('name="lines.0.total_cents:currency" value="EUR"');
    expect(body).toMatch(/<option value="euro-tool" selected>/);
    expect(body).not.toContain('<option value="tool"');
  });

  test('a sale of one of several editions is recorded by hand', async () => {
    const terms = { unit_price_cents: '10', 'unit_price_cents:currency': 'USD', editions: 'basic\npro' };
    await shop.browser.submit('/products/1', '/products/1/terms', terms);
    for (const [price, device_limit] of [
      ['basic', ''],
      ['pro', '7'],
    ] as const) {
      const fields = { provider: 'shop', price: `one ${price}`, edition: price, device_limit };
      expect((await shop.browser.submit('/products/1', '/products/1/add-price', fields)).status).toBe(303);
    }
    expect(await page('/orders/record')).toContain('<option value="tool one pro">The tool, one pro (7 devices, pro)');
    const sold = await shop.browser.submit('/orders/record', '/orders/record/save', {
      email: 'buyer@example.com',
      'lines.0.product': 'tool one pro',
      'lines.0.quantity': '1',
      'lines.0.total_cents': '10',
      reference: 'R-2',
      ordered_at: ago(1).slice(0, 10),
    });
    expect(sold.status).toBe(303);
    expect(await page(sold.location ?? '')).toContain('The tool, pro');
    expect(await page('/customers/7')).toMatch(/The tool[\s\S]*<td[^>]*>pro<\/td>/);
  });

  test('subscriptions are listed by their next event', async () => {
    const body = await page('/subscriptions');
    const [failing, renewing, ending] = ['Payment failed', 'Renewing soon', 'Ending'].map((title) =>
      body.indexOf(`<h2>${title}`),
    );
    expect([(failing ?? 0) > 0, (renewing ?? 0) > (failing ?? 0), (ending ?? 0) > (renewing ?? 0)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(body.match(/buyer@example\.com/g)).toHaveLength(3);
  });
});
