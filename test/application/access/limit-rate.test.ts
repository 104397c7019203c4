import { describe, expect, test } from 'vitest';
import type { Owner } from '../../../domain/access/rate-limit.ts';
import { aStore } from '../../support/memory-store.ts';

const START = '2026-11-21T08:00:15.000Z';
const NEXT_MINUTE = '2026-11-21T08:01:00.000Z';
const settings = { perAccount: 2, perAgent: 3, perAddress: 1 };
const buyer: Owner = { kind: 'account', id: 1 };
const errors = { endpoint: 'reportError', perMinute: 1 };

const address = (text: string): Owner => ({ kind: 'address', address: text });

const aLimit = async () => {
  const store = await aStore([], {}, { settings });
  store.clock.at = START;
  return { clock: store.clock, limitRate: store.get('limitRate') };
};

describe('the rate limit', () => {
  test('the last request within the limit passes and the next one is refused until the minute ends', async () => {
    const { clock, limitRate } = await aLimit();
    const window = { limit: 2, resets_at: Date.parse(NEXT_MINUTE) / 1000, retry_after: 45 };
    expect(await limitRate.count(buyer)).toEqual({ allowed: true, remaining: 1, ...window });
    expect(await limitRate.count(buyer)).toEqual({ allowed: true, remaining: 0, ...window });
    expect(await limitRate.count(buyer)).toEqual({ allowed: false, remaining: 0, ...window });
    clock.at = NEXT_MINUTE;
    expect(await limitRate.count(buyer)).toMatchObject({ allowed: true, remaining: 1, retry_after: 60 });
  });

  test('of three simultaneous requests exactly as many pass as the limit allows', async () => {
    const { limitRate } = await aLimit();
    const verdicts = await Promise.all([1, 2, 3].map(() => limitRate.count(buyer)));
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(2);
  });

  test('accounts and agents are counted separately, even with equal ids', async () => {
    const { limitRate } = await aLimit();
    await limitRate.count(buyer);
    for (const other of [
      { kind: 'account', id: 2 },
      { kind: 'agent', id: 1 },
    ] as const) {
      const limit = other.kind === 'agent' ? settings.perAgent : settings.perAccount;
      expect(await limitRate.count(other)).toMatchObject({ limit, remaining: limit - 1 });
    }
  });

  test('an endpoint with its own limit is counted separately', async () => {
    const { limitRate } = await aLimit();
    expect(await limitRate.count(buyer, errors)).toMatchObject({ allowed: true, limit: 1 });
    expect(await limitRate.count(buyer, errors)).toMatchObject({ allowed: false, limit: 1 });
    expect(await limitRate.count(buyer)).toMatchObject({ allowed: true, remaining: 1 });
  });

  test.each([
    ['addresses of one IPv6 network are counted together', '2001:db8:1:2::7', '2001:db8:1:2:ffff::1', false],
    ['addresses of two IPv6 networks are counted apart', '2001:db8:1:2::7', '2001:db8:1:3::7', true],
    ['both forms of an IPv4 address are counted together', '203.0.113.7', '::ffff:203.0.113.7', false],
    ['two IPv4 addresses are counted apart', '203.0.113.7', '203.0.113.8', true],
  ])('%s', async (_, one, other, allowed) => {
    const { limitRate } = await aLimit();
    for (const own of [undefined, errors]) {
      await limitRate.count(address(one), own);
      expect((await limitRate.count(address(other), own)).allowed).toBe(allowed);
    }
  });
});

describe('a caller remembered as over its limit', () => {
  test('a caller is remembered as over its limit from its first refusal to the end of the minute', async () => {
    const { clock, limitRate } = await aLimit();
    for (let n = 1; n <= 2; n++) await limitRate.count(buyer);
    expect(limitRate.spent(buyer)).toBeUndefined();
    await limitRate.count(buyer);
    expect(limitRate.spent(buyer)).toMatchObject({ allowed: false, limit: 2, retry_after: 45 });
    clock.at = NEXT_MINUTE;
    expect(limitRate.spent(buyer)).toBeUndefined();
  });

  test('a caller over the limit of one endpoint is not refused at others', async () => {
    const { limitRate } = await aLimit();
    for (let n = 1; n <= 2; n++) await limitRate.count(buyer, errors);
    expect(limitRate.spent(buyer, errors)).toMatchObject({ allowed: false });
    expect(limitRate.spent(buyer)).toBeUndefined();
    expect(limitRate.spent({ kind: 'account', id: 2 }, errors)).toBeUndefined();
  });
});
