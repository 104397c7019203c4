import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amendPolicy,
  type ClientPolicy,
  DEFAULT_POLICY,
  type PolicyInForce,
  signedAt,
} from '../../../domain/policy/client-policy.ts';
import { addDays, DAY_MS, millis, toInstant } from '../../../domain/shared/instant.ts';
import { NOW } from '../../support/builders.ts';

const INPUT: ClientPolicy = {
  min_client_version: '1.2.0',
  revoked: [
    { product_id: 1, device_id: 'a' },
    { product_id: 2, device_id: 'a' },
  ],
  ttl_days: 14,
  recheck_hours: 24,
};
const LATER = addDays(NOW, 1);

describe('an amended policy', () => {
  const first = amendPolicy(DEFAULT_POLICY, INPUT, NOW);

  test('the first amendment of a policy makes version 1, changed now', () => {
    expect(first).toEqual({ ...INPUT, version: 1, changed_at: NOW });
  });

  test('the first amendment of a policy makes version 1 even when it repeats the default', () => {
    expect(amendPolicy(DEFAULT_POLICY, DEFAULT_POLICY, NOW)).toMatchObject({ version: 1, changed_at: NOW });
  });

  test('an amendment that changes nothing keeps the policy, even when it reorders the revocations', () => {
    expect(amendPolicy(first, INPUT, LATER)).toBe(first);
    expect(amendPolicy(first, { ...INPUT, revoked: INPUT.revoked.toReversed() }, LATER)).toBe(first);
  });

  test.each<[string, Partial<ClientPolicy>]>([
    ['another minimum client version', { min_client_version: '1.3.0' }],
    ['other days offline', { ttl_days: 15 }],
    ['other hours to recheck', { recheck_hours: 1 }],
    ['one more revoked device', { revoked: [...INPUT.revoked, { product_id: 2, device_id: 'b' }] }],
    ['one revoked device fewer', { revoked: INPUT.revoked.slice(1) }],
    ['another revoked device', { revoked: [{ product_id: 1, device_id: 'c' }, ...INPUT.revoked.slice(1)] }],
  ])('a policy with %s becomes the next version', (_, change) => {
    expect(amendPolicy(first, { ...INPUT, ...change }, LATER)).toMatchObject({
      ...change,
      version: 2,
      changed_at: LATER,
    });
  });

  test('the version of a policy never falls and rises by one with each change', () => {
    const input = fc.record({
      min_client_version: fc.constantFrom('1.0', '2.0'),
      revoked: fc.subarray(INPUT.revoked.slice()),
      ttl_days: fc.integer({ min: 1, max: 2 }),
      recheck_hours: fc.constant(1),
    });
    fc.assert(
      fc.property(fc.array(input), (inputs) => {
        let policy: PolicyInForce = DEFAULT_POLICY;
        for (const [n, one] of inputs.entries()) {
          const after = amendPolicy(policy, one, addDays(NOW, n));
          expect(after.version).toBe(after === policy ? policy.version : policy.version + 1);
          expect(amendPolicy(after, one, addDays(NOW, n + 1))).toBe(after);
          policy = after;
        }
      }),
    );
  });
});

describe('the time of signing', () => {
  const policy = (overrides: Partial<PolicyInForce> = {}): PolicyInForce => ({ ...DEFAULT_POLICY, ...overrides });
  const moment = fc
    .integer({ min: Date.parse('2020-01-01'), max: Date.parse('2100-01-01') })
    .map((ms) => toInstant(ms));
  const ttl = fc.integer({ min: 1, max: 365 });

  test('the signing moment is the latest change of policy or key in the current period, or else the period’s start', () => {
    const minute = '2026-11-21T08:00:01.000Z';
    const now = '2026-11-21T08:00:02.000Z';
    expect(signedAt(policy({ ttl_days: 1, changed_at: minute }), null, now)).toBe(minute);
    expect(signedAt(policy({ ttl_days: 1 }), minute, now)).toBe(minute);
    expect(signedAt(policy({ ttl_days: 1 }), null, now)).toBe('2026-11-21T08:00:00.000Z');
    expect(signedAt(policy({ ttl_days: 1, changed_at: minute }), minute, '2026-11-21T09:00:00.000Z')).toBe(
      '2026-11-21T09:00:00.000Z',
    );
  });

  test('the signing moment is never in the future and never older than a 24th of the policy’s life or a day', () => {
    fc.assert(
      fc.property(moment, ttl, (now, ttl_days) => {
        const age = millis(now) - millis(signedAt(policy({ ttl_days }), null, now));
        expect(age).toBeGreaterThanOrEqual(0);
        expect(age).toBeLessThan(Math.min((ttl_days * DAY_MS) / 24, DAY_MS));
      }),
    );
  });

  test('the signing moment is the same throughout one period and moves on with the next', () => {
    const hours = (n: number) => toInstant(millis('2026-11-21T00:00:00.000Z') + n * 3_600_000);
    const at = (n: number) => signedAt(policy({ ttl_days: 2 }), null, hours(n));
    expect([at(0), at(1.999), at(2), at(3.5)]).toEqual([hours(0), hours(0), hours(2), hours(2)]);
  });
});

test('the withdrawn devices of a policy are stored by product and device', () => {
  const of = (product_id: number, device_id: string) => ({ product_id, device_id });
  const revoked = [of(2, 'a'), of(1, 'c'), of(1, 'a'), of(1, 'b')];
  const sorted = [of(1, 'a'), of(1, 'b'), of(1, 'c'), of(2, 'a')];
  for (const some of [revoked, revoked.toReversed()]) {
    expect(amendPolicy(DEFAULT_POLICY, { ...INPUT, revoked: some }, NOW).revoked).toEqual(sorted);
  }
});

test('a policy imported from another store keeps its later version, dated by its change or now', () => {
  const from = (version: number, changed_at?: string) =>
    amendPolicy({ ...DEFAULT_POLICY, version: 3 }, { ...INPUT, version, changed_at }, LATER);
  expect(from(9, NOW)).toMatchObject({ version: 9, changed_at: NOW });
  expect(from(9)).toMatchObject({ version: 9, changed_at: LATER });
  expect(from(3, NOW)).toMatchObject({ version: 4, changed_at: LATER });
});
