import { describe, expect, test } from 'vitest';
import { canRenew, includedIn, isOver, type NamedStanding } from '../../../domain/billing/renewal.ts';

const over = (name: string, ...product_ids: number[]): NamedStanding => {
  return { name, product_ids, status: 'expired', cancel_at_period_end: false, action: 'renew' };
};
const running = (name: string, ...product_ids: number[]): NamedStanding => {
  return { ...over(name, ...product_ids), status: 'active', action: 'cancel' };
};
/** A purchase of product 9 includes products 1 and 2. */
const bundles = [{ id: 1, product_id: 9, name: { en: 'Suite' }, product_ids: [1, 2], active: true }];

test.each([
  ['expired', false, true],
  ['cancelled', false, true],
  ['cancelled', true, false],
  ['past_due', false, false],
  ['active', false, false],
  ['scheduled', false, false],
] as const)('a subscription that is %s, cancelled to its end: %s, is over: %s', (status, cancel_at_period_end, is) => {
  expect(isOver({ status, cancel_at_period_end })).toBe(is);
});

test('a subscription can be renewed once it is over if it has a renewal page', () => {
  const all = [over('Pro', 1), running('Pro', 1), { ...over('Pro', 1), action: 'none' as const }];
  expect(all.map(canRenew)).toEqual([true, false, false]);
});

describe('an expired subscription that another one includes', () => {
  const included = (one: NamedStanding, others: NamedStanding[], ...owned: number[]) =>
    includedIn(one, [one, ...others], { owned, bundles });

  test('an expired subscription is included in a running one that brings all of its products, also through a bundle', () => {
    expect(included(over('Pro', 1), [running('All', 1, 2)], 1, 2)).toEqual({ by: 'All' });
    expect(included(over('Pro', 1, 2), [running('Suite', 9)], 1, 2, 9)).toEqual({ by: 'Suite' });
  });

  test('an expired subscription is included without a name where a purchase or several subscriptions give the access', () => {
    expect(included(over('Pro', 1), [], 1)).toEqual({ by: undefined });
    expect(included(over('Pro', 1, 2), [running('One', 1), running('Two', 2)], 1, 2)).toEqual({ by: undefined });
  });

  test('a subscription is not included in one that is over, has not begun or has the same name', () => {
    const others = [over('Old', 1), { ...running('Next', 1), status: 'scheduled' as const }, running('Pro', 1)];
    expect(included(over('Pro', 1), others, 1)).toEqual({ by: undefined });
  });

  test('a subscription is not included where a renewal brings access, where it names no product or while it runs', () => {
    expect(included(over('Pro', 1, 2), [running('One', 1)], 1)).toBeNull();
    expect(included(over('Pro'), [], 1)).toBeNull();
    expect(included(running('Pro', 1), [running('All', 1, 2)], 1, 2)).toBeNull();
  });
});
