import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Host } from '../../../ports/inbound/hosts.ts';
import { aBuyer } from '../buyers.ts';
import { get } from '../client.ts';
import type { Mount, OpenMount } from '../mount.ts';
import { openShop } from '../shop.ts';
import { withinOneMinute } from '../times.ts';

const MANY = 1000;
const MANY_FILES = 2000;
const LIMIT = 2;

type Request = readonly [method: string, host: Host, path: string];

/** Requests without an endpoint, which count like calls without a key. */
const CALLS: readonly Request[] = [
  ['GET', 'api', '/nothing'],
  ['HEAD', 'api', '/nothing'],
  ['OPTIONS', 'api', '/nothing'],
  ['DELETE', 'api', '/api/library'],
  ['OPTIONS', 'api', '/api/library'],
  ['POST', 'api', '/healthz'],
  ['GET', 'api', '/.well-known/jwks.json'],
  ['GET', 'api', '/.well-known/oauth-protected-resource'],
  ['GET', 'api', '/openapi.json'],
  ['POST', 'api', '/openapi.json'],
  ['GET', 'api', '/docs'],
  ['GET', 'api', '/docs/'],
  ['GET', 'app', '/nothing'],
  ['GET', 'design', '/skill/SKILL.md'],
  ['GET', 'design', '/api/nothing'],
  ['GET', 'design', '/'],
  ['GET', 'design', '/nothing'],
  ['GET', 'account', '/'],
  ['GET', 'account', '/sign-in'],
  ['GET', 'account', '/nothing'],
  ['GET', 'account', '/%zz'],
  ['POST', 'account', '/sign-in'],
  ['POST', 'account', '/keys'],
  ['DELETE', 'account', '/sign-in'],
  ['OPTIONS', 'account', '/sign-in'],
  ['OPTIONS', 'account', '/nothing'],
  ['GET', 'account', '/sign-out'],
  ['GET', 'account', '/.well-known/oauth-authorization-server'],
  ['GET', 'account', '/oauth/token'],
];

/** Requests for files, which have their own counter. */
const FILES: readonly Request[] = [
  ['GET', 'design', `/media/${'0'.repeat(64)}.png`],
  ['HEAD', 'design', `/media/${'0'.repeat(64)}.png`],
  ['GET', 'design', '/screens/1/page'],
  ['GET', 'api', '/docs/start.js'],
  ['HEAD', 'api', '/docs/scalar.js'],
  ['OPTIONS', 'account', '/oauth/token'],
];

/** Tests that every request except a health check counts exactly once, against the account or the address. */
export const addressLimitsSuite = (open: OpenMount): void => {
  beforeEach(withinOneMinute);

  const ask = async (mount: Mount, [method, host, path]: Request): Promise<Response> => {
    const response = await fetch(mount.urls[host] + path, { method, redirect: 'manual' });
    await response.arrayBuffer();
    return response;
  };
  const limitOf = ({ headers }: Response) => Number(headers.get('x-ratelimit-limit'));
  const leftOf = ({ headers }: Response) => Number(headers.get('x-ratelimit-remaining') ?? Number.NaN);

  describe('below the limits', () => {
    let mount: Mount;
    beforeAll(async () => {
      mount = await open({ perAddress: MANY, filesPerAddress: MANY_FILES });
    });
    afterAll(() => mount.close());

    const PROBES: Readonly<Record<'calls' | 'bulk', Request>> = {
      calls: ['GET', 'api', '/api/library'],
      bulk: ['GET', 'design', '/media/none'],
    };

    /** Expects that the request counts once in one counter and not in the other, and reports that in its headers. */
    const expectCounted = async (request: Request, counter: 'calls' | 'bulk'): Promise<void> => {
      const probe = async (name: 'calls' | 'bulk') => leftOf(await ask(mount, PROBES[name]));
      const other = counter === 'calls' ? 'bulk' : 'calls';
      const [before, otherBefore] = [await probe(counter), await probe(other)];
      const reply = await ask(mount, request);
      expect([limitOf(reply), leftOf(reply)]).toEqual([counter === 'calls' ? MANY : MANY_FILES, before - 1]);
      expect([await probe(counter), await probe(other)]).toEqual([before - 2, otherBefore - 1]);
    };

    test.each(CALLS)('the request %s of the %s host’s %s counts once with the calls of the IP address', (...request) =>
      expectCounted(request, 'calls'));

    test.each(FILES)('the request %s of the %s host’s %s counts once with the files of the IP address', (...request) =>
      expectCounted(request, 'bulk'));

    test('the style sheet of a page counts once with the files of the IP address', async () => {
      const page = await (await fetch(`${mount.urls.account}/sign-in`)).text();
      const [, path = ''] = /href="([^"]+\.css)"/.exec(page) ?? [];
      await expectCounted(['GET', 'account', path], 'bulk');
    });

    test('a health check is not counted', async () => {
      const before = leftOf(await ask(mount, PROBES.calls));
      for (const host of ['api', 'app', 'design', 'account'] as const) {
        const reply = await ask(mount, ['GET', host, '/healthz']);
        expect([reply.status, reply.headers.get('x-ratelimit-limit')]).toEqual([200, null]);
      }
      expect(leftOf(await ask(mount, PROBES.calls))).toBe(before - 1);
    });
  });

  describe('over the limits', () => {
    let mount: Mount;
    beforeAll(async () => {
      mount = await open({ perAddress: LIMIT, filesPerAddress: LIMIT });
      await openShop(mount.service);
    });
    afterAll(() => mount.close());

    const expectTooMany = async (request: Request): Promise<void> => {
      const reply = await ask(mount, request);
      expect([reply.status, limitOf(reply), leftOf(reply)]).toEqual([429, LIMIT, 0]);
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(reply.headers.get('x-ratelimit-reset')) % 60).toBe(0);
      expect(reply.headers.get('cache-control')).toContain('no-store');
    };

    test('every uncounted request is 429 once its IP address has used up its calls, and a file is not', async () => {
      for (let n = 0; n <= LIMIT; n++) await ask(mount, ['GET', 'api', '/nothing']);
      for (const request of CALLS) await expectTooMany(request);
      expect((await ask(mount, ['GET', 'api', '/docs/start.js'])).status).toBe(200);
      const { key } = await aBuyer(mount.service);
      expect((await get(mount, '/api/library', key)).status).toBe(200);
      for (const host of ['api', 'app', 'design', 'account'] as const) {
        expect((await ask(mount, ['GET', host, '/healthz'])).status).toBe(200);
      }
    });

    test('a key does not help an unknown path, because the key is not looked up', async () => {
      for (let n = 0; n <= LIMIT; n++) await ask(mount, ['GET', 'api', '/nothing']);
      const { key } = await aBuyer(mount.service);
      expect((await get(mount, '/api/nothing', key)).status).toBe(429);
    });

    test('a file is 429 once its IP address has used up its files', async () => {
      for (let n = 0; n <= LIMIT; n++) await ask(mount, ['GET', 'api', '/docs/start.js']);
      for (const request of FILES) await expectTooMany(request);
      expect((await ask(mount, ['GET', 'api', '/healthz'])).status).toBe(200);
    });
  });
};
