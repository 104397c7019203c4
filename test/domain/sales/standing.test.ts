import { expect, test } from 'vitest';
import { factsOfStanding, renewalOf, type Standing, statusNamed } from '../../../domain/sales/standing.ts';
import { at } from '../../support/sale-events.ts';

const STANDING: Standing = {
  reference: 'sub-1',
  buyer: { email: 'kim@example.com', name: null, locale: null },
  status: 'active',
  starts_at: at(0),
  period_starts_at: at(1),
  period_ends_at: at(3),
  trial_ends_at: null,
  isCancelled: false,
  cancelled_at: null,
  ends_at: null,
  things: [{ price: 'price-1' }],
  renewal: null,
};

test.each([
  ['runs to the end of its period, and is charged then', {}, 'active', at(3), at(3), null],
  ['is due since its period began, and charged again', { status: 'past_due' }, 'past_due', at(3), at(3), at(1)],
  ['is due and charged no more where it is unpaid', { status: 'unpaid' }, 'unpaid', at(3), null, at(1)],
  ['runs to the end of its period once cancelled', { isCancelled: true }, 'cancelled', at(3), null, null],
  ['ends earlier where the provider says so', { isCancelled: true, ends_at: at(2) }, 'cancelled', at(2), null, null],
  ['is over when that was told', { status: 'expired' }, 'expired', at(2), null, null],
  ['is over at the end that was told', { status: 'paused', ends_at: at(1) }, 'paused', at(1), null, null],
  [
    'is due where its end is a payment that failed',
    { status: 'expired', isUnpaid: true },
    'expired',
    at(2),
    null,
    at(1),
  ],
] as const)('a subscription %s', (_, change, status, ends_at, next_charge_at, due_since) => {
  const facts = factsOfStanding(at(2), { ...STANDING, ...change });
  expect(facts).toMatchObject({ status, ends_at, next_charge_at, due_since });
});

test('an unpaid subscription at a provider grants and ends nothing', () => {
  const words = ['canceled', 'past_due', 'incomplete', 'constructor'];
  expect(words.map(statusNamed)).toEqual(['expired', 'past_due', undefined, undefined]);
});

test('a renewal costs the sum of its units, and has no amount if a price is missing', () => {
  const [fixed, usage] = [
    { cents: 500, quantity: 3 },
    { cents: null, quantity: 0 },
  ];
  expect(renewalOf([fixed, fixed], 'EUR')).toEqual({ cents: 3000, currency: 'EUR' });
  expect(renewalOf([fixed, usage], 'EUR')).toBeNull();
});
