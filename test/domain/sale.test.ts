import { describe, expect, test } from 'vitest';
import { NO_SUBSCRIPTION, subscriptionAfter } from '../../domain/sales/sale.ts';
import { period } from '../support/sale-events.ts';

describe('a subscription as its events tell it', () => {
  test.each([
    [['pay-2', 'pay-1'], 'pay-1'],
    [['pay-1', 'pay-2'], 'pay-1'],
    [['pay-1', 'pay-1'], 'pay-1'],
  ])('the payments %j claim to have begun it, and %s counts', (references, begun_by) => {
    const sale = references.reduce((known, one) => subscriptionAfter(known, period(one, true)), NO_SUBSCRIPTION);
    expect(sale).toEqual({ ...NO_SUBSCRIPTION, begun_by });
    expect(subscriptionAfter(sale, period('pay-0', false))).toBe(sale);
  });
});
