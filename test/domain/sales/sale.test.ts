import { describe, expect, test } from 'vitest';
import { NO_SUBSCRIPTION, subscriptionAfter } from '../../../domain/sales/sale.ts';
import type { OrderFacts, SaleEvent } from '../../../domain/sales/sale-event.ts';
import { at, order } from '../../support/sale-events.ts';

/**
 * A payment of the subscription; by default with an amount, at the first moment, and not marked as the first payment.
 */
const payment = (reference: string, begins: boolean, facts: Partial<OrderFacts> = {}): SaleEvent =>
  order({ reference, subscription: { reference: 'sub-1', begins }, ...facts });

describe('the payment that begins a subscription', () => {
  const later = { ordered_at: at(5) };
  const free = { total_cents: 0 };

  test.each<[string, string | null, ...SaleEvent[]]>([
    ['the lesser reference of two of one moment', 'pay-1', payment('pay-2', true), payment('pay-1', true)],
    ['the payment that the provider names', 'pay-2', payment('pay-1', false), payment('pay-2', true, later)],
    ['the earliest where the provider names none', 'pay-2', payment('pay-2', false), payment('pay-1', false, later)],
    ['the first of money after a trial', 'pay-2', payment('pay-1', true, free), payment('pay-2', false, later)],
    ['a trial’s payment of nothing until then', 'pay-1', payment('pay-1', true, free), payment('pay-2', true, free)],
    ['no payment of nothing that begins nothing', null, payment('pay-1', false, free)],
    ['no payment that is not paid', null, payment('pay-1', true, { status: 'pending' })],
  ])('a subscription begins with %s, in any order of events', (_, begun_by, ...events) => {
    for (const told of [events, events.toReversed()]) {
      expect(told.reduce(subscriptionAfter, NO_SUBSCRIPTION)).toMatchObject({ begun_by });
    }
  });

  test('a subscription begins with the payment that an older sale stored, whatever its date', () => {
    const older = { ...NO_SUBSCRIPTION, begun_by: 'pay-9' };
    expect(subscriptionAfter(older, payment('pay-1', true))).toMatchObject({ begun_by: 'pay-9' });
  });
});
