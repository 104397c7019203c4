import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Price } from '../../../domain/catalog/product.ts';
import { accessTo } from '../../../domain/licensing/access.ts';
import type { OrderFacts, SaleEvent, ThingName } from '../../../domain/sales/sale-event.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { sales } from '../../../runtimes/composition/areas/sales.ts';
import { aProduct } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';
import { done } from '../../support/outcomes.ts';
import { at, EMAIL, order, refund, subscription } from '../../support/sale-events.ts';

const terms = { device_limit: null, access_days: null, updates_days: null, grace_days: 0, apps: null };
const price = (id: string, more: Partial<Price> = {}): Price => ({ provider: 'stripe', id, ...terms, ...more });
const year = { access_days: 365, updates_days: 365 };
const PRODUCT = aProduct({
  id: 4,
  slug: 'tool',
  device_limit: 3,
  prices: [
    price('p-tool', year),
    price('p-seats'),
    price('p-renewal', { ...year, renewal: true }),
    price('p-for-ever', { updates_days: 365 }),
    price('p-updates', { updates_days: 365, renewal: true }),
  ],
});
const ONE_PRICE = aProduct({ id: 5, slug: 'alone', prices: [price('p-alone', { device_limit: 7, ...year })] });

const EDITIONS = aProduct({
  id: 6,
  slug: 'editions',
  device_limit: 3,
  editions: [
    { name: 'basic', features: ['save'] },
    { name: 'pro', features: ['export'] },
  ],
  prices: [
    price('p-basic', { edition: 'basic', features: ['old'] }),
    price('p-pro', { edition: 'pro' }),
    price('p-upgrade', { edition: 'pro', upgrades_from: ['basic'] }),
    price('p-sync', { features: ['sync'], requires: ['pro'] }),
  ],
});

const sold = (reference: string, thing: ThingName, minute: number, quantity = 1): SaleEvent =>
  order(
    {
      reference,
      paid_at: at(minute),
      total_cents: 1000,
      vat_cents: null,
      lines: [{ ...thing, quantity, total_cents: 1000, discount_cents: 0 }],
    },
    minute,
  );

/** The buyer's records, and the access to a product a day after these events. */
const outcome = async (events: readonly SaleEvent[], product = PRODUCT) => {
  const shop = await aStore([sales], { products: [PRODUCT, ONE_PRICE, EDITIONS] });
  const told = [];
  for (const event of events) told.push(await shop.get('recordSale')(grantPermit(), event));
  const account = await shop.get('accounts').findByEmail(EMAIL);
  const holdings = await shop.get('storedLicenses').held(account?.id ?? 0);
  return { told, access: accessTo(product, [], holdings, addDays(at(0), 1)) };
};

const permuted = <T>(all: readonly T[]): T[][] =>
  all.length === 0 ? [[]] : all.flatMap((one, n) => permuted(all.toSpliced(n, 1)).map((rest) => [one, ...rest]));

const bought = sold('pay-1', { price: 'p-tool' }, 1);
const renewed = sold('pay-2', { price: 'p-renewal' }, 3);
const again = sold('pay-3', { price: 'p-renewal' }, 4);
const updates = { product: 'tool', price: 'p-updates', quantity: 1, total_cents: 900, discount_cents: 0 };
const seats = subscription({ reference: 'sub-1', ends_at: null, things: [{ price: 'p-seats', quantity: 5 }] });
const ends = (years: number, device_limit: number) => {
  const end = addDays(at(1), 365 * years);
  return { granted: true, access_expires_at: end, updates_supported_until: end, device_limit };
};

describe('the sale of editions', () => {
  const [basic, upgrade, sync] = ['p-basic', 'p-upgrade', 'p-sync'].map((id, n) =>
    sold(`pay-${n}`, { price: id }, n),
  ) as [SaleEvent, SaleEvent, SaleEvent];
  const back = refund({ reference: 'back', order_reference: 'pay-1', amount_cents: 1000 });

  test('an upgrade and an add-on give the same result in any order of events, and so does a refund', async () => {
    for (const events of permuted([basic, upgrade, sync]))
      expect((await outcome(events, EDITIONS)).access).toMatchObject({
        edition: 'pro',
        features: ['export', 'old', 'save', 'sync'],
        device_limit: 3,
      });
    for (const events of permuted([basic, upgrade, sync, back]))
      expect((await outcome(events, EDITIONS)).access).toMatchObject({
        edition: 'basic',
        features: ['old', 'save'],
        device_limit: 3,
      });
  });

  test('an add-on beside a subscription plan gives its features without its own units', async () => {
    const things = [
      { price: 'p-sync', quantity: 1 },
      { price: 'p-pro', quantity: 5 },
    ];
    const plan = subscription({ reference: 'sub-1', ends_at: null, things });
    expect((await outcome([plan], EDITIONS)).access).toMatchObject({
      edition: 'pro',
      features: ['export', 'sync'],
      device_limit: 15,
    });
    const alone = subscription({ reference: 'sub-2', ends_at: null, things: things.slice(0, 1) });
    expect((await outcome([alone], EDITIONS)).access).toMatchObject({ granted: false });
    expect((await outcome([alone, basic, upgrade], EDITIONS)).access).toMatchObject({ device_limit: 3 });
  });
});

describe('several sales of one product', () => {
  test.each<[string, readonly SaleEvent[], object]>([
    ['two purchases give their devices together', [bought, sold('pay-2', { price: 'p-tool' }, 1)], ends(1, 6)],
    ['three units are three times the devices', [sold('pay-1', { price: 'p-tool' }, 1, 3)], ends(1, 9)],
    ['a purchase and five seats give eighteen devices', [bought, seats], { granted: true, device_limit: 18 }],
    ['a renewal adds its year, and no devices', [bought, renewed], ends(2, 3)],
    ['two renewals add two years', [bought, renewed, again], ends(3, 3)],
    [
      'a refund of one renewal takes back one year',
      [bought, renewed, again, refund({ order_reference: 'pay-2' })],
      ends(2, 3),
    ],
    [
      'a refund of one purchase takes its devices',
      [bought, sold('pay-2', { price: 'p-tool' }, 1), refund({ order_reference: 'pay-2' })],
      ends(1, 3),
    ],
    [
      'a renewal of updates, told by a webhook, adds a year of updates to a license for ever',
      [sold('pay-1', { price: 'p-for-ever' }, 1), sold('pay-2', { price: 'p-updates' }, 3)],
      { ...ends(2, 3), access_expires_at: null },
    ],
    [
      'so does one in a recorded order, and to a license of a year it adds no access',
      [bought, order({ reference: 'pay-2', lines: [updates], paid_at: at(3), total_cents: 900, vat_cents: null }, 3)],
      { ...ends(2, 3), access_expires_at: addDays(at(1), 365) },
    ],
  ])('%s, in whatever order the events come', async (_, events, expected) => {
    for (const sequence of permuted(events)) expect((await outcome(sequence)).access).toMatchObject(expected);
  });

  test('a sale that names a product has the terms of its only price at the provider, or else of its own price', async () => {
    const { access } = await outcome([sold('pay-1', { product: 'alone' }, 1)], ONE_PRICE);
    expect(access).toMatchObject(ends(1, 7));
    const elsewhere = await outcome([{ ...sold('pay-1', { product: 'alone' }, 1), provider: 'shop' }], ONE_PRICE);
    expect(elsewhere.access).toMatchObject({ access_expires_at: null, device_limit: null });
    const named = [{ product: 'tool', price: 'p-tool', quantity: 1, total_cents: 3000, discount_cents: 0 }];
    expect((await outcome([order({ lines: named })])).access).toMatchObject(ends(1, 3));
  });

  test('a sale that a person records again with fewer units, or paid again, keeps its date, and is told as paid once', async () => {
    const shop = await aStore([sales], { products: [ONE_PRICE] });
    const statuses: (readonly [OrderFacts['status'], number])[] = [
      ['pending', 5],
      ['paid', 5],
      ['paid', 2],
      ['cancelled', 2],
    ];
    const orders = [];
    for (const [n, [status, quantity]] of statuses.entries()) {
      const paid_at = status === 'paid' ? at(n) : null;
      const lines = [{ product: 'alone', quantity, total_cents: 1000, discount_cents: 0 }];
      const event = {
        ...order({ status, paid_at, lines, total_cents: 1000, vat_cents: null }, n),
        recorded: true,
      } as const;
      done(await shop.get('recordSale')(grantPermit(), event));
      const account = await shop.get('accounts').findByEmail(EMAIL);
      const [stored] = await shop.get('storedOrders').ofAccount(account?.id ?? 0);
      orders.push([stored?.paid_at, stored?.items[0]?.quantity, stored?.was_paid]);
    }
    expect(orders).toEqual([
      [null, 5, undefined],
      [at(1), 5, undefined],
      [at(1), 2, undefined],
      [null, 2, true],
    ]);
  });

  test('a sale of a product with several prices is refused until it names the price', async () => {
    const { told } = await outcome([sold('pay-1', { product: 'tool' }, 1)]);
    expect(told).toMatchObject([
      { ok: false, message: expect.stringContaining('p-tool, p-seats, p-renewal, p-for-ever, p-updates; name') },
    ]);
  });
});
