import { describe, expect, test } from 'vitest';
import {
  INVOICE_STATUS_LABELS,
  INVOICE_STATUSES,
  invoiceStatus,
  STORED_INVOICE_STATUSES,
} from '../../../domain/billing/invoice.ts';
import { newestOrdersFirst, ORDER_STATUS_LABELS, ORDER_STATUSES } from '../../../domain/billing/order.ts';
import {
  isExpired,
  maskedNumber,
  PAYMENT_METHOD_TYPE_LABELS,
  PAYMENT_METHOD_TYPES,
} from '../../../domain/billing/payment-method.ts';
import { SUBSCRIPTION_STATUS_LABELS } from '../../../domain/billing/subscription-standing.ts';
import {
  ACCESS_STATE_LABELS,
  accessState,
  entitlementStatus,
  GRANT_STATUS_LABELS,
  GRANT_TYPE_LABELS,
  GRANT_TYPES,
} from '../../../domain/licensing/entitlement.ts';
import { STORED_SUBSCRIPTION_STATUSES } from '../../../domain/licensing/subscription.ts';
import { addDays, millis, toInstant } from '../../../domain/shared/instant.ts';
import { anEntitlement, anInvoice, anOrder, aPaymentMethod, NOW } from '../../support/builders.ts';

const YESTERDAY = addDays(NOW, -1);
const TOMORROW = addDays(NOW, 1);

describe('the labels of states', () => {
  test.each([
    ['orders', ORDER_STATUS_LABELS, ORDER_STATUSES],
    ['invoices', INVOICE_STATUS_LABELS, [...INVOICE_STATUSES, ...STORED_INVOICE_STATUSES]],
    ['subscriptions', SUBSCRIPTION_STATUS_LABELS, STORED_SUBSCRIPTION_STATUSES],
    ['payment methods', PAYMENT_METHOD_TYPE_LABELS, PAYMENT_METHOD_TYPES],
    ['grant types', GRANT_TYPE_LABELS, GRANT_TYPES],
    ['grants', GRANT_STATUS_LABELS, ['pending', 'active', 'expired', 'revoked']],
    ['access', ACCESS_STATE_LABELS, ['full', 'without_updates', 'none']],
  ])('the labels of %s cover each state in both languages and differ from each other', (_, labels, states) => {
    const all: Readonly<Record<string, { en: string; ko: string }>> = labels;
    expect(states.map((state) => all[state]?.en)).not.toContain(undefined);
    for (const language of ['en', 'ko'] as const) {
      const texts = Object.values(all).map((label) => label[language]);
      expect(texts.every((text) => text.trim().length > 1)).toBe(true);
      expect(new Set(texts).size).toBe(texts.length);
    }
    expect(Object.values(all).every(({ ko }) => /[가-힣]/.test(ko))).toBe(true);
  });
});

describe('an entitlement', () => {
  test.each([
    [
      'revoked even when it has also expired',
      { revoked_at: YESTERDAY, access_expires_at: YESTERDAY },
      'revoked',
      'none',
    ],
    ['expired at its end', { access_expires_at: NOW }, 'expired', 'none'],
    ['pending before it begins', { granted_at: TOMORROW }, 'pending', 'none'],
    ['active with full access within its update window', { updates_supported_until: TOMORROW }, 'active', 'full'],
    [
      'active without updates once its update window has ended',
      { updates_supported_until: NOW },
      'active',
      'without_updates',
    ],
    ['active with full access when it has no end', {}, 'active', 'full'],
  ])('an entitlement is %s', (_, overrides, status, access) => {
    const entitlement = anEntitlement(overrides);
    expect([entitlementStatus(entitlement, NOW), accessState(entitlement, NOW)]).toEqual([status, access]);
  });
});

test('an open invoice becomes overdue at its due time, and a paid or void invoice never does', () => {
  const statusOf = (status: (typeof STORED_INVOICE_STATUSES)[number], due_at: string | null) =>
    invoiceStatus(anInvoice({ status, due_at }), NOW);
  expect(statusOf('open', TOMORROW)).toBe('open');
  expect(statusOf('open', null)).toBe('open');
  expect(statusOf('open', NOW)).toBe('overdue');
  expect(statusOf('paid', YESTERDAY)).toBe('paid');
  expect(statusOf('void', YESTERDAY)).toBe('void');
});

describe('a payment method', () => {
  test('a payment method shows at most its last four digits', () => {
    expect(maskedNumber(aPaymentMethod({ last4: '0042' }))).toBe('**** **** **** 0042');
    expect(maskedNumber(aPaymentMethod({ type: 'bank_account', last4: '0042' }))).toBe('****0042');
    expect(maskedNumber(aPaymentMethod({ type: 'wallet', last4: null }))).toBeNull();
  });

  test('a payment method is valid until its expiry month is over, and always when it has none', () => {
    const card = aPaymentMethod({ exp_month: 12, exp_year: 2026 });
    const newYear = '2027-01-01T00:00:00.000Z';
    expect(isExpired(card, toInstant(millis(newYear) - 1))).toBe(false);
    expect(isExpired(card, newYear)).toBe(true);
    expect(isExpired(aPaymentMethod({ exp_month: null, exp_year: null }), newYear)).toBe(false);
  });
});

test('orders are sorted newest first, and orders of the same moment by descending id', () => {
  const orders = [
    anOrder({ id: 2, ordered_at: YESTERDAY }),
    anOrder({ id: 9, ordered_at: addDays(NOW, -9) }),
    anOrder({ id: 3, ordered_at: YESTERDAY }),
    anOrder({ id: 1, ordered_at: NOW }),
  ];
  expect(newestOrdersFirst(orders).map(({ id }) => id)).toEqual([1, 3, 2, 9]);
});
