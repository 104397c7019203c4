import { describe, expect, test } from 'vitest';
import { memoryService } from '../support/service.ts';

const error = { endpoint: 'reportError', perMinute: 5 };

describe('the limit of an address', () => {
  test.each([
    ['addresses of one IPv6 network', '2001:db8:1:2::7', '2001:db8:1:2:ffff::1', 2],
    ['addresses of two IPv6 networks', '2001:db8:1:2::7', '2001:db8:1:3::7', 1],
    ['an IPv4 address in both its forms', '203.0.113.7', '::ffff:203.0.113.7', 2],
    ['two IPv4 addresses', '203.0.113.7', '203.0.113.8', 1],
  ])('counts %s', async (_, one, other, count) => {
    const limitRate = memoryService({ clock: { now: () => '2026-11-21T08:00:00.000Z' } }).get('limitRate');
    for (const own of [undefined, error]) {
      await limitRate.execute({ address: one, own });
      const { limit, remaining } = await limitRate.execute({ address: other, own });
      expect(limit - remaining).toBe(count);
    }
  });
});
