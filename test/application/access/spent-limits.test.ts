import { describe, expect, test } from 'vitest';
import { type LimitRate, limitRate } from '../../../application/access/limit-rate.ts';
import type { Owner } from '../../../domain/access/rate-limit.ts';
import { addDays, type Instant } from '../../../domain/shared/instant.ts';
import type { RateLimits } from '../../../ports/outbound/requests.ts';

describe('an owner known to be over its limit', () => {
  const START = '2026-11-21T08:00:10.000Z';
  const ACCOUNT: Owner = { kind: 'account', id: 1 };
  const PER_ACCOUNT = 2;
  const REFUSED = {
    allowed: false,
    limit: PER_ACCOUNT,
    remaining: 0,
    resets_at: Date.parse('2026-11-21T08:01:00.000Z') / 1000,
    retry_after: 50,
  };

  /** A limiter of two requests a minute, with its clock and the number of calls to its port. */
  const aLimiter = () => {
    const counts = new Map<string, number>();
    const state = { now: START as Instant, calls: 0 };
    const rateLimits: RateLimits = {
      hit: async (subject, window) => {
        state.calls++;
        const name = `${subject} ${window}`;
        const count = (counts.get(name) ?? 0) + 1;
        counts.set(name, count);
        return count;
      },
      takeBack: async () => {},
    };
    const settings = { perAccount: PER_ACCOUNT, perAgent: PER_ACCOUNT, perAddress: PER_ACCOUNT };
    return { state, limitRate: limitRate({ rateLimits, clock: { now: () => state.now }, settings }) };
  };

  const use = async (limitRate: LimitRate, times: number, owner: Owner) => {
    for (let n = 0; n < times; n++) await limitRate.count(owner);
  };

  test('an owner over its limit is refused until its window ends, without a call to the port', async () => {
    const { limitRate, state } = aLimiter();
    await use(limitRate, PER_ACCOUNT + 1, ACCOUNT);
    const { calls } = state;
    expect(limitRate.spent(ACCOUNT)).toEqual(REFUSED);
    state.now = '2026-11-21T08:00:59.999Z';
    expect(limitRate.spent(ACCOUNT)).toEqual({ ...REFUSED, retry_after: 1 });
    expect(state.calls).toBe(calls);
  });

  test('the refusal without a count equals the one with a count', async () => {
    const { limitRate } = aLimiter();
    await use(limitRate, PER_ACCOUNT, ACCOUNT);
    const counted = await limitRate.count(ACCOUNT);
    expect(limitRate.spent(ACCOUNT)).toEqual(counted);
  });

  test('an owner over its limit is forgotten once another owner exceeds its limit in a later window', async () => {
    const { limitRate, state } = aLimiter();
    const later: Owner = { kind: 'account', id: 2 };
    await use(limitRate, PER_ACCOUNT + 1, ACCOUNT);
    state.now = addDays(START, 1);
    await use(limitRate, PER_ACCOUNT + 1, later);
    expect(limitRate.spent(ACCOUNT)).toBeUndefined();
    expect(limitRate.spent(later)).toMatchObject({ allowed: false });
  });

  test('every address of an IPv6 network over its limit is refused without a count', async () => {
    const { limitRate } = aLimiter();
    await use(limitRate, PER_ACCOUNT + 1, { kind: 'address', address: '2001:db8:1:2::7' });
    expect(limitRate.spent({ kind: 'address', address: '2001:db8:1:2:ffff::1' })).toEqual(REFUSED);
  });
});
