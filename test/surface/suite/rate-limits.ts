import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { type Agent, anAgent } from '../agents.ts';
import { aBuyer, aKey, aStranger } from '../buyers.ts';
import { get, post, type Reply } from '../client.ts';
import type { Mount, OpenMount } from '../mount.ts';
import { openShop, TOOL } from '../shop.ts';
import { withinOneMinute } from '../times.ts';

const LIMIT = 4;

const times = async (count: number, request: () => Promise<Reply>): Promise<Reply[]> => {
  const replies: Reply[] = [];
  for (let n = 0; n < count; n++) replies.push(await request());
  return replies;
};

const statuses = (replies: readonly Reply[]): number[] => replies.map(({ status }) => status);
const remaining = (replies: readonly Reply[]) => replies.map(({ headers }) => headers.get('x-ratelimit-remaining'));

const KO = { 'Accept-Language': 'ko' };

const expectTooMany = ({ headers, body }: Reply): void => {
  expect(body).toEqual({ message: expect.any(String) });
  const wait = headers.get('retry-after') as string;
  expect(wait).toMatch(/^\d+$/);
  expect(Number(wait)).toBeGreaterThanOrEqual(1);
  expect(Number(wait)).toBeLessThanOrEqual(60);
  const reset = Number(headers.get('x-ratelimit-reset'));
  expect(reset % 60).toBe(0);
  expect(Math.abs(reset - Math.ceil(Date.now() / 1000) - Number(wait))).toBeLessThanOrEqual(2);
  expect(headers.get('x-ratelimit-remaining')).toBe('0');
};

/**
 * Tests the limit of requests per clock minute. A live key counts for its account, any other request for its address.
 */
export const rateLimitsSuite = (open: OpenMount): void => {
  beforeEach(withinOneMinute);

  describe('the rate limit of an agent', () => {
    let mount: Mount;
    beforeAll(async () => {
      mount = await open({ perAgent: LIMIT, perAddress: 1 });
    });
    afterAll(() => mount.close());
    const ask = ({ key }: Agent) => get(mount, '/api/agent/manifest', key);

    test('an agent over its rate limit gets 429 with the seconds to wait, and another agent is answered', async () => {
      const [loud, quiet] = [await anAgent(mount.service, 'read'), await anAgent(mount.service, 'read')];
      const replies = await times(LIMIT + 2, () => ask(loud));
      expect(statuses(replies)).toEqual([200, 200, 200, 200, 429, 429]);
      expect(remaining(replies)).toEqual(['3', '2', '1', '0', '0', '0']);
      for (const { headers } of replies) expect(headers.get('x-ratelimit-limit')).toBe(String(LIMIT));
      expectTooMany(replies.at(-1) as Reply);
      expect((await ask(quiet)).status).toBe(200);
    });

    test('a request without the role counts against the rate limit of its agent', async () => {
      const agent = await anAgent(mount.service, 'collect');
      expect(statuses(await times(LIMIT + 1, () => ask(agent)))).toEqual([403, 403, 403, 403, 429]);
    });
  });

  describe('the rate limit of an account', () => {
    let mount: Mount;
    beforeAll(async () => {
      mount = await open({ perAccount: LIMIT });
      await openShop(mount.service);
    });
    afterAll(() => mount.close());

    test('an account over its rate limit gets 429 with the seconds to wait', async () => {
      const { key } = await aBuyer(mount.service);
      const replies = await times(LIMIT + 2, () => get(mount, '/api/library', key));
      expect(statuses(replies)).toEqual([200, 200, 200, 200, 429, 429]);
      expect(remaining(replies)).toEqual(['3', '2', '1', '0', '0', '0']);
      for (const { headers } of replies) expect(headers.get('x-ratelimit-limit')).toBe(String(LIMIT));
      expect(replies[0]?.headers.get('retry-after')).toBeNull();
      expectTooMany(replies.at(-1) as Reply);
      const korean = await get(mount, '/api/library', key, KO);
      expect([korean.headers.get('content-language'), korean.body.message]).toEqual([
        'ko',
        expect.stringMatching(/[가-힣]/),
      ]);
    });

    test('all keys of an account share one rate limit across all endpoints', async () => {
      const { account, key } = await aBuyer(mount.service);
      const second = (await aKey(mount.service, account)).value;
      const bound = (await aKey(mount.service, account, { product_id: TOOL })).value;
      await get(mount, '/api/library', key);
      await post(mount, '/api/license/check', second, { product_id: TOOL });
      await get(mount, `/api/products/${TOOL}/license`, bound);
      await get(mount, '/api/product-content.css', key);
      expect((await get(mount, '/api/library', second)).status).toBe(429);
      expect((await get(mount, `/api/products/${TOOL}/license`, bound)).status).toBe(429);
    });

    test('an account with its own rate limit has it with every key, until the operator removes it', async () => {
      const { account, key } = await aBuyer(mount.service);
      const allow = (most: number | null) =>
        mount.service.get('limitAccount')(grantPermit(), { account_id: account, requests_per_minute: most });
      await allow(LIMIT + 2);
      const later = (await aKey(mount.service, account, { product_id: TOOL })).value;
      const replies = await times(LIMIT + 1, () => get(mount, '/api/library', key));
      replies.push(...(await times(2, () => get(mount, `/api/products/${TOOL}/license`, later))));
      expect(statuses(replies)).toEqual([200, 200, 200, 200, 200, 200, 429]);
      for (const { headers } of replies) expect(headers.get('x-ratelimit-limit')).toBe(String(LIMIT + 2));
      await allow(LIMIT + 4);
      expect((await get(mount, '/api/library', key)).status).toBe(200);
      await allow(null);
      expect((await get(mount, '/api/library', later)).headers.get('x-ratelimit-limit')).toBe(String(LIMIT));
    });

    test('a refused request counts against the rate limit', async () => {
      const { key } = await aStranger(mount.service);
      const replies = await times(LIMIT + 1, () => get(mount, `/api/products/${TOOL}/detail`, key));
      expect(statuses(replies)).toEqual([403, 403, 403, 403, 429]);
    });

    test('the rate limit is checked after the key and before the ability, the product and the body', async () => {
      const { account, key } = await aStranger(mount.service);
      await times(LIMIT, () => get(mount, '/api/library', key));
      const unable = (await aKey(mount.service, account, { abilities: [] })).value;
      expect((await get(mount, '/api/library', unable)).status).toBe(429);
      expect((await get(mount, '/api/products/999/detail', key)).status).toBe(429);
      expect((await post(mount, '/api/license/check', key, [])).status).toBe(429);
      expect((await get(mount, '/api/library', `${key}x`)).status).toBe(401);
    });

    test('concurrent requests of an account never exceed its rate limit', async () => {
      const { key } = await aBuyer(mount.service);
      const replies = await Promise.all(Array.from({ length: 12 }, () => get(mount, '/api/library', key)));
      expect(statuses(replies).filter((status) => status === 200)).toHaveLength(LIMIT);
    });
  });

  describe('the rate limit of an IP address', () => {
    let mount: Mount;
    beforeEach(async () => {
      mount = await open({ perAddress: LIMIT });
      await openShop(mount.service);
      return () => mount.close();
    });

    test('an IP address above its limit of missing and wrong keys gets 429, and a live key still works', async () => {
      const { key } = await aBuyer(mount.service);
      const wrong = mount.service.get('keySecrets').mint().value;
      await get(mount, '/api/library');
      await get(mount, '/api/products', 'nonsense');
      await post(mount, '/api/license/check', wrong, {});
      const replies = await times(3, () => get(mount, '/api/library', wrong));
      expect(statuses(replies)).toEqual([401, 429, 429]);
      expect(replies[0]?.headers.get('x-ratelimit-limit')).toBe(String(LIMIT));
      expect(remaining(replies)).toEqual(['0', '0', '0']);
      expectTooMany(replies[1] as Reply);
      expect((await get(mount, '/api/library', key)).status).toBe(200);
    });

    test('a client’s forwarding headers don’t change the counted IP address', async () => {
      const from = (n: number) => ({
        'X-Forwarded-For': `203.0.113.${n}`,
        Forwarded: `for=203.0.113.${n}`,
        'X-Real-IP': `203.0.113.${n}`,
      });
      for (let n = 0; n < LIMIT; n++) await get(mount, '/api/library', undefined, from(n));
      expect((await get(mount, '/api/library', undefined, from(9))).status).toBe(429);
    });

    test('a request with a live key doesn’t count against its IP address', async () => {
      const { key } = await aBuyer(mount.service);
      await times(LIMIT + 2, () => get(mount, '/api/library', key));
      expect((await get(mount, '/api/library')).status).toBe(401);
    });
  });
};
