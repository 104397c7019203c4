import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokenClaims } from '../../../domain/licensing/license-check.ts';
import {
  convertedTrial,
  decideTrial,
  newTrial,
  TRIAL_KEPT_DAYS,
  trialAccess,
  trialClaims,
  trialForgottenAt,
  trialMonth,
  trialMonths,
  trialSeat,
} from '../../../domain/licensing/trial.ts';
import { DEFAULT_POLICY } from '../../../domain/policy/client-policy.ts';
import { addDays, millis, toInstant } from '../../../domain/shared/instant.ts';
import { NOW } from '../../support/builders.ts';

const TRIAL = newTrial(4, 14, NOW);
const END = addDays(NOW, 14);
const EDITOR = {
  editions: [
    { name: 'basic', features: ['print'] },
    { name: 'pro', features: ['export', 'sync'] },
  ],
  features: ['sync', 'edit'],
  metadata: { plan: 'a' },
};
const ACCESS = trialAccess(TRIAL, EDITOR);

test('a trial starts now and ends after its days, to the millisecond', () => {
  expect(TRIAL).toEqual({ product_id: 4, started_at: NOW, ends_at: END });
});

test.each([
  ['runs until its end', NOW, false, 'valid', `Your trial runs until ${END.slice(0, 10)} at ${END.slice(11, 16)} UTC.`],
  [
    'has ended at its end',
    END,
    false,
    'trial_ended',
    `Your trial ended on ${END.slice(0, 10)} at ${END.slice(11, 16)} UTC; buy a license to continue.`,
  ],
  ['of a revoked device does not run', NOW, true, 'device_revoked', 'The store has blocked this device'],
  ['of a revoked device stays revoked after its end', END, true, 'device_revoked', 'The store has blocked this device'],
])('a trial %s', (_, now, revoked, code, message) => {
  const decision = decideTrial(TRIAL, ACCESS, revoked, 'en', now);
  expect(decision).toMatchObject({ valid: code === 'valid', code, access_source: 'trial', access_expires_at: END });
  expect(decision.message.startsWith(message)).toBe(true);
});

test('a trial is valid only before its end', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 365 }), fc.integer({ min: -400, max: 400 }), (days, minutes) => {
      const trial = newTrial(1, days, NOW);
      const now = toInstant(millis(trial.ends_at) + minutes * 60_000);
      expect(decideTrial(trial, trialAccess(trial, EDITOR), false, 'ko', now).valid).toBe(minutes < 0);
    }),
  );
});

test('the token of a trial is valid until the trial ends, whatever the policy allows, and names no account', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 365 }), fc.integer({ min: 1, max: 365 }), (days, ttl_days) => {
      const trial = newTrial(1, days, NOW);
      const answer = {
        ...decideTrial(trial, trialAccess(trial, EDITOR), false, 'en', NOW),
        version_covered: null,
        checked_at: NOW,
        product: { id: 1, bundle_id: null },
        device: { device_id: 'laptop' },
      };
      const claims = trialClaims(
        tokenClaims(answer, 0, { ...DEFAULT_POLICY, ttl_days }, 'https://api.example.com') ?? {},
        trial,
      );
      expect(claims).toMatchObject({
        sub: 'trial',
        trial: true,
        access_source: 'trial',
        device_id: 'laptop',
        exp: Math.floor(millis(trial.ends_at) / 1000),
      });
    }),
  );
});

test('the device of a trial exists since the start of the trial', () => {
  const now = addDays(NOW, 3);
  expect(trialSeat('laptop', TRIAL, now)).toMatchObject({
    device: { device_id: 'laptop', name: null, activated_at: NOW, last_seen_at: now },
    used: 1,
  });
});

test('a trial is converted once, by the first license on its device', () => {
  const converted = convertedTrial(TRIAL, END);
  expect(converted).toEqual({ ...TRIAL, converted_at: END });
  expect(convertedTrial(converted ?? undefined, addDays(END, 1))).toBeNull();
  expect(convertedTrial(undefined, END)).toBeNull();
});

test('a trial counts in the month of its start and is deleted two years after its end', () => {
  expect(trialMonth({ started_at: '2026-11-30T23:59:59.999Z' })).toBe('2026-11');
  expect(trialForgottenAt(TRIAL)).toBe(addDays(END, TRIAL_KEPT_DAYS));
});

test('trials are listed for the last twelve months, across the new year', () => {
  const months = trialMonths('2026-03-31T12:00:00.000Z');
  expect([months.length, months[0], months[2], months[3], months.at(-1)]).toEqual([
    12,
    '2026-03',
    '2026-01',
    '2025-12',
    '2025-04',
  ]);
});

test('a trial has the highest edition with all features, and a product without editions has no edition', () => {
  expect(ACCESS).toMatchObject({ edition: 'pro', features: ['edit', 'export', 'sync'], metadata: { plan: 'a' } });
  expect(trialAccess(TRIAL, {})).toMatchObject({ edition: null, features: [], metadata: {} });
});
