import { describe, expect, test } from 'vitest';
import { orderFaults, taxFaults } from '../../domain/operations/order-faults.ts';
import { withdrawalWarnings } from '../../domain/operations/release-faults.ts';
import { millis, toInstant } from '../../domain/shared/instant.ts';
import { anOrder, anOrderItem, NOW } from '../support/builders.ts';

const faultsOf = (order: object) =>
  orderFaults('orders.0', { ...anOrder(), ...order } as never, new Map([[1, {}]]) as never).map(({ path }) => path);

describe('the sums of an order', () => {
  test('a discount may be the whole price, and no more', () => {
    const item = anOrderItem({ discount_total_cents: 1900, total_cents: 0 });
    expect(faultsOf(anOrder({ items: [item] }))).toEqual([]);
    const more = anOrderItem({ discount_total_cents: 1901, total_cents: 0 });
    expect(faultsOf(anOrder({ items: [more] }))).toContain('orders.0.items.0.discount_total_cents');
  });

  test('a price without tax and a tax come together and make the total', () => {
    const tax = (supply_cents: number | null, vat_cents: number | null) =>
      taxFaults('order', { supply_cents, vat_cents, total_cents: 110 }).map(({ path }) => path);
    expect([tax(null, null), tax(100, 10)]).toEqual([[], []]);
    expect(tax(100, null)).toEqual(['order.vat_cents']);
    expect(tax(null, 10)).toEqual(['order.supply_cents']);
    expect(tax(100, 11)).toEqual(['order.total_cents']);
  });
});

test('a withdrawal of now is not warned of, and one a moment ahead is', () => {
  const at = (moment: string) => withdrawalWarnings([{ withdrawn: { at: moment, reason: 'Broken' } } as never], NOW);
  expect(at(NOW)).toEqual([]);
  expect(at(toInstant(millis(NOW) + 1)).map(({ path }) => path)).toEqual(['releases.0.withdrawn.at']);
});
