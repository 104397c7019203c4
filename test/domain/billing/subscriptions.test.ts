import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AppsStanding, appsStanding, appsTexts } from '../../../domain/billing/apps-subscription.ts';
import { subscriptionStanding, subscriptionStatus } from '../../../domain/billing/subscription-standing.ts';
import { accessTo } from '../../../domain/licensing/access.ts';
import {
  accessEnd,
  graceEnd,
  isInGrace,
  STORED_SUBSCRIPTION_STATUSES,
  type Subscription,
} from '../../../domain/licensing/subscription.ts';
import { addDays, millis, toInstant } from '../../../domain/shared/instant.ts';
import { aBill, aProduct, aSubscription, NOW } from '../../support/builders.ts';

const YESTERDAY = addDays(NOW, -1);
const TOMORROW = addDays(NOW, 1);
const aMillisecondBefore = (instant: string) => toInstant(millis(instant) - 1);

describe('the grace period', () => {
  const late = aSubscription({ ends_at: YESTERDAY, grace_days: 7 });

  test('the grace period begins when the paid period ends and lasts its days to the millisecond', () => {
    expect(isInGrace(late, aMillisecondBefore(YESTERDAY))).toBe(false);
    expect(isInGrace(late, YESTERDAY)).toBe(true);
    expect(isInGrace(late, aMillisecondBefore(addDays(YESTERDAY, 7)))).toBe(true);
    expect(isInGrace(late, addDays(YESTERDAY, 7))).toBe(false);
  });

  test('a subscription that is cancelled, endless or without grace days has no grace period', () => {
    expect(graceEnd({ ...late, cancelled_at: YESTERDAY })).toBeNull();
    expect(graceEnd({ ...late, ends_at: null })).toBeNull();
    expect(graceEnd({ ...late, grace_days: 0 })).toBeNull();
  });

  test('the grace period keeps access to the products and brings no updates', () => {
    const access = (now: string) => accessTo(aProduct(), [], { entitlements: [], subscriptions: [late] }, now);
    expect(access(NOW)).toMatchObject({
      granted: true,
      access_expires_at: addDays(YESTERDAY, 7),
      updates_supported_until: YESTERDAY,
    });
    expect(access(addDays(YESTERDAY, 7))).toEqual({
      granted: false,
      reason: 'access_expired',
      ended_at: addDays(YESTERDAY, 7),
    });
  });
});

describe('the status of a subscription', () => {
  const statusOf = (overrides: Partial<Subscription>) => subscriptionStatus(aSubscription(overrides), NOW);
  const trial = (trial_ends_at: string | null) => ({ status: 'trialing' as const, billing: aBill({ trial_ends_at }) });

  test.each<[string, Partial<Subscription>, string]>([
    ['active as stored while it runs', { status: 'active', ends_at: TOMORROW }, 'active'],
    ['past due as stored while it runs', { status: 'past_due', ends_at: TOMORROW }, 'past_due'],
    ['trialing until its trial ends', trial(TOMORROW), 'trialing'],
    ['active once the trial has ended', trial(NOW), 'active'],
    ['trialing as stored when its trial names no end', trial(null), 'trialing'],
    ['scheduled before it begins', { starts_at: TOMORROW }, 'scheduled'],
    ['past due in the grace period', { status: 'active', ends_at: NOW, grace_days: 1 }, 'past_due'],
    ['expired at its end', { status: 'active', ends_at: NOW }, 'expired'],
    ['expired after the grace period', { status: 'past_due', ends_at: YESTERDAY, grace_days: 1 }, 'expired'],
    ['cancelled while it runs on', { cancelled_at: YESTERDAY, ends_at: TOMORROW }, 'cancelled'],
    ['cancelled once it is over', { cancelled_at: YESTERDAY, ends_at: NOW, grace_days: 9 }, 'cancelled'],
    ['active while its dates say so, even when stored as expired', { status: 'expired', ends_at: TOMORROW }, 'active'],
  ])('a subscription is %s', (_, subscription, status) => {
    expect(statusOf(subscription)).toBe(status);
  });
});

describe('a subscription', () => {
  const RENEWAL = { renewal_url: 'https://pay.example.com/renew' };
  const UPDATE = { update_payment_method_url: 'https://pay.example.com/card' };
  const billing = aBill({ next_charge_at: TOMORROW, ...RENEWAL, ...UPDATE });
  const standing = (overrides: Partial<Subscription>) =>
    subscriptionStanding(aSubscription({ billing, ...overrides }), NOW);

  test('a running subscription can be cancelled and shows the stored next charge', () => {
    expect(standing({ ends_at: TOMORROW })).toEqual({
      status: 'active',
      is_trial: false,
      can_cancel: true,
      cancel_at_period_end: false,
      next_charge_at: TOMORROW,
      action: 'cancel',
    });
  });

  test('a cancelled subscription runs on, can be resumed and is not charged again', () => {
    expect(standing({ cancelled_at: YESTERDAY, ends_at: TOMORROW })).toMatchObject({
      can_cancel: false,
      cancel_at_period_end: true,
      next_charge_at: null,
      action: 'resume',
    });
  });

  test.each([
    { cancelled_at: null },
    { cancelled_at: YESTERDAY },
  ])('a subscription that is over can only be renewed: %j', (more) => {
    expect(standing({ ends_at: NOW, ...more })).toMatchObject({
      can_cancel: false,
      cancel_at_period_end: false,
      next_charge_at: null,
      action: 'renew',
    });
  });

  test('a subscription with a payment due asks for another payment method and can still be cancelled', () => {
    expect(standing({ ends_at: YESTERDAY, grace_days: 3 })).toMatchObject({
      action: 'update_payment_method',
      can_cancel: true,
    });
  });

  test('an action that leads the buyer to a page is offered only if the store names the page', () => {
    const over = (bill: object) => standing({ ends_at: NOW, billing: aBill(bill) }).action;
    expect([over(RENEWAL), over(UPDATE), over({})]).toEqual(['renew', 'none', 'none']);
    const late = (bill: object) => standing({ ends_at: YESTERDAY, grace_days: 3, billing: aBill(bill) }).action;
    expect([late({ ...UPDATE, ...RENEWAL }), late(UPDATE)]).toEqual(['update_payment_method', 'update_payment_method']);
    expect([late(RENEWAL), late({})]).toEqual(['renew', 'none']);
  });

  test('a subscription without billing offers no action', () => {
    expect(standing({ billing: null })).toMatchObject({ can_cancel: false, next_charge_at: null, action: 'none' });
    expect(standing({ billing: null, ends_at: NOW })).toMatchObject({ action: 'none' });
  });

  test('a subscription never shows a past charge as its next one', () => {
    expect(standing({ billing: aBill({ next_charge_at: NOW }) }).next_charge_at).toBeNull();
  });

  test('a subscription is a trial until the trial or the subscription ends, even when it is cancelled', () => {
    const trial = (trial_ends_at: string) => ({
      status: 'cancelled' as const,
      cancelled_at: YESTERDAY,
      ends_at: addDays(NOW, 9),
      billing: aBill({ trial_ends_at }),
    });
    expect(standing(trial(TOMORROW)).is_trial).toBe(true);
    expect(standing(trial(NOW)).is_trial).toBe(false);
    expect(standing({ ...trial(addDays(NOW, 20)), ends_at: NOW }).is_trial).toBe(false);
  });
});

const end = fc.constantFrom(null, addDays(NOW, -30), YESTERDAY, NOW, TOMORROW);
const subscription = fc
  .record({
    status: fc.constantFrom(...STORED_SUBSCRIPTION_STATUSES),
    starts_at: fc.constantFrom(addDays(NOW, -40), NOW, TOMORROW),
    ends_at: end,
    cancelled_at: fc.constantFrom(null, null, YESTERDAY),
    grace_days: fc.constantFrom(0, 1, 7),
    apps: fc.constantFrom(null, { tier: 'plus', features: ['sync'] }, { tier: 'pro', features: ['themes'] }),
    billing: fc.constantFrom(null, aBill({ next_charge_at: TOMORROW })),
  })
  .map(aSubscription);

test('a subscription that is over cannot be cancelled, and one that grants access is never shown as expired', () => {
  fc.assert(
    fc.property(subscription, (one) => {
      const { granted } = accessTo(aProduct(), [], { entitlements: [], subscriptions: [one] }, NOW);
      const { status, can_cancel, cancel_at_period_end, next_charge_at } = subscriptionStanding(one, NOW);
      const isOver = accessEnd(one) !== null && (accessEnd(one) as string) <= NOW;
      if (granted) expect(status).not.toBe('expired');
      if (isOver)
        expect([granted, can_cancel, cancel_at_period_end, next_charge_at]).toEqual([false, false, false, null]);
      expect(can_cancel && cancel_at_period_end).toBe(false);
    }),
    { numRuns: 1000 },
  );
});

describe('the apps subscription', () => {
  const apps = (overrides: Partial<Subscription>) =>
    aSubscription({ apps: { tier: 'plus', features: [] }, grace_days: 7, ...overrides });
  const standing = (...subscriptions: Subscription[]) => appsStanding(subscriptions, NOW);

  test('the apps subscription is none until a subscription has begun', () => {
    expect(standing()).toEqual({ state: 'none' });
    expect(standing(aSubscription())).toEqual({ state: 'none' });
  });

  test('the apps subscription is scheduled while the next one begins later', () => {
    const next = apps({ id: 2, starts_at: TOMORROW });
    const later = apps({ id: 3, starts_at: addDays(NOW, 9), ends_at: null });
    expect(standing(later, next)).toEqual({ state: 'scheduled', next });
    expect(standing(apps({ ends_at: addDays(NOW, -9) }), next)).toEqual({ state: 'scheduled', next });
    expect(standing(apps({ starts_at: TOMORROW, ends_at: TOMORROW, cancelled_at: NOW }))).toEqual({ state: 'none' });
    expect(standing(apps({ ends_at: null }), next)).toMatchObject({ state: 'active', next });
  });

  test('the message of a scheduled apps subscription says when it begins', () => {
    const scheduled = standing(apps({ starts_at: '2026-12-24T09:30:00.000Z' }));
    expect(appsTexts(scheduled, 'en', NOW)).toEqual({
      message: 'Your apps subscription begins on 2026-12-24 at 09:30 UTC.',
      grace_warning: null,
    });
    expect(appsTexts(scheduled, 'ko', NOW).message).toBe('앱 구독이 2026-12-24 09:30(UTC)에 시작됩니다.');
  });

  test('the grace period asks for no renewal when the next apps subscription begins within it', () => {
    const late = apps({ ends_at: YESTERDAY });
    const renewed = apps({ id: 2, starts_at: TOMORROW });
    expect(appsTexts(standing(late, renewed), 'en', NOW)).toMatchObject({
      grace_warning: null,
      message: expect.stringContaining('begins on'),
    });
    const tooLate = apps({ id: 2, starts_at: addDays(NOW, 20) });
    expect(appsTexts(standing(late, tooLate), 'en', NOW)).toMatchObject({
      grace_warning: expect.stringContaining('renew it within 6 days'),
      message: null,
    });
  });

  test('the next apps subscription is the one that begins first, and of two that begin together the one made last', () => {
    const running = apps({ id: 1, ends_at: null });
    const [soon, later] = [apps({ id: 2, starts_at: TOMORROW }), apps({ id: 3, starts_at: addDays(NOW, 2) })];
    expect(standing(running, soon, later)).toMatchObject({ next: { id: 2 } });
    expect(standing(running, later, soon)).toMatchObject({ next: { id: 2 } });
    expect(standing(running, soon, { ...later, starts_at: TOMORROW })).toMatchObject({ next: { id: 3 } });
  });

  test('the next apps subscription is announced up to the end of the grace period', () => {
    const late = apps({ ends_at: YESTERDAY });
    const begins = (starts_at: string) => appsTexts(standing(late, apps({ id: 2, starts_at })), 'en', NOW).message;
    expect(begins(addDays(NOW, 6))).toContain('begins on');
    expect(begins(toInstant(millis(addDays(NOW, 6)) + 1))).toBeNull();
  });

  test('of two apps subscriptions with the same end, the one made last takes precedence', () => {
    const [one, two] = [apps({ id: 1, ends_at: TOMORROW }), apps({ id: 2, ends_at: TOMORROW })];
    expect(standing(one, two)).toMatchObject({ foremost: { id: 2 } });
    expect(standing(two, one)).toMatchObject({ foremost: { id: 2 } });
  });

  test('the apps subscription is active until its end, then in grace for its days, and then ended', () => {
    expect(standing(apps({ ends_at: TOMORROW }))).toMatchObject({ state: 'active', grace_period_ends_at: null });
    expect(standing(apps({ ends_at: NOW }))).toMatchObject({ state: 'grace', grace_period_ends_at: addDays(NOW, 7) });
    expect(standing(apps({ ends_at: addDays(NOW, -7) }))).toMatchObject({
      state: 'ended',
      expires_at: addDays(NOW, -7),
      grace_period_ends_at: NOW,
      inForce: [],
    });
    expect(standing(apps({ ends_at: NOW, cancelled_at: YESTERDAY }))).toMatchObject({
      state: 'ended',
      grace_period_ends_at: null,
    });
  });

  test('the apps subscription that lasts longest takes precedence, and a paid one comes before one in grace', () => {
    const short = apps({ id: 1, ends_at: TOMORROW });
    const endless = apps({ id: 2, ends_at: null });
    const late = apps({ id: 3, ends_at: YESTERDAY });
    expect(standing(short, late, endless)).toMatchObject({ state: 'active', expires_at: null, foremost: { id: 2 } });
    expect(standing(short, late)).toMatchObject({ state: 'active', expires_at: TOMORROW, foremost: { id: 1 } });
    expect(standing(late, apps({ id: 4, ends_at: addDays(NOW, -2), grace_days: 30 }))).toMatchObject({
      state: 'grace',
      grace_period_ends_at: addDays(NOW, 28),
    });
  });

  const lastsTo = (standing: AppsStanding): string => {
    if (standing.state === 'none' || standing.state === 'scheduled' || standing.state === 'ended') return '';
    const end = standing.state === 'active' ? standing.expires_at : standing.grace_period_ends_at;
    return end ?? '9999';
  };

  test('an additional apps subscription never worsens the status, in any order', () => {
    const rank = { none: 0, ended: 1, scheduled: 2, grace: 3, active: 4 };
    fc.assert(
      fc.property(fc.array(subscription, { maxLength: 4 }), subscription, (held, further) => {
        const numbered = [...held, further].map((one, n) => ({ ...one, id: n + 1 }));
        const [before, after] = [appsStanding(numbered.slice(0, -1), NOW), appsStanding(numbered, NOW)];
        expect(rank[after.state]).toBeGreaterThanOrEqual(rank[before.state]);
        expect(appsStanding(numbered.toReversed(), NOW)).toMatchObject({ state: after.state });
        if (after.state === before.state) expect(lastsTo(after) >= lastsTo(before)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test('the grace warning is in the requested language and counts a partial day as a whole one', () => {
    const left = (days: number) => appsStanding([apps({ ends_at: addDays(NOW, days - 7) })], NOW);
    expect(appsTexts(left(2), 'en', NOW)).toEqual({
      message: null,
      grace_warning: 'Your apps subscription has run out; renew it within 2 days to go on using its apps.',
    });
    expect(appsTexts(left(1), 'en', toInstant(millis(NOW) + 1)).grace_warning).toContain('within 1 day to');
    expect(appsTexts(left(2), 'ko', NOW).grace_warning).toContain('2일 안에');
  });

  test('the message of the apps subscription says why none is active', () => {
    expect(appsTexts({ state: 'none' }, 'en', NOW).message).toBe('This account has no apps subscription.');
    expect(appsTexts(standing(apps({ ends_at: addDays(NOW, -9) })), 'ko', NOW).message).toContain('만료');
    expect(appsTexts(standing(apps({ ends_at: null })), 'en', NOW)).toEqual({ message: null, grace_warning: null });
  });
});
