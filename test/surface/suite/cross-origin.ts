import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Host } from '../../../ports/inbound/hosts.ts';
import { anAgent } from '../agents.ts';
import { aBuyer, type Buyer } from '../buyers.ts';
import { INITIALIZE } from '../mcp-message.ts';
import type { Mount, OpenMount } from '../mount.ts';
import { openShop } from '../shop.ts';

const SHOP = 'https://shop.example.com';
const PREVIEW = 'http://localhost:5173';
const FOREIGN = 'https://evil.example.com';

/** A path with a credential on each host that pages of the configured origins may call. */
const PATHS = [
  ['api', '/api/library'],
  ['app', '/api/v1/entitlements/apps-subscription-check'],
  ['design', '/api/agent/manifest'],
] as const satisfies readonly (readonly [Host, string])[];

const PREFLIGHT = {
  'Access-Control-Request-Method': 'GET',
  'Access-Control-Request-Headers': 'authorization,idempotency-key',
};

/** Tests the pages of other origins that may call the hosts, and those that may not. */
export const crossOriginSuite = (open: OpenMount): void => {
  let mount: Mount;
  let buyer: Buyer;

  beforeAll(async () => {
    mount = await open({ corsOrigins: [SHOP, PREVIEW] });
    await openShop(mount.service);
    buyer = await aBuyer(mount.service);
  });
  afterAll(() => mount.close());

  const ask = (host: Host, path: string, headers: Record<string, string>, method = 'GET') =>
    fetch(mount.urls[host] + path, { method, headers });
  const allowedIn = ({ headers }: Response) => headers.get('access-control-allow-origin');
  const corsIn = ({ headers }: Response) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));

  describe.each(PATHS)('the %s host', (host, path) => {
    test.each([SHOP, PREVIEW])('the host lets a page of the origin %s read its responses', async (origin) => {
      const reply = await ask(host, path, { Origin: origin });
      expect([reply.status, allowedIn(reply)]).toEqual([401, origin]);
      expect(reply.headers.get('vary')?.split(', ')).toContain('Origin');
      const exposed = reply.headers.get('access-control-expose-headers')?.split(', ');
      expect(exposed).toEqual(
        expect.arrayContaining([
          'Mcp-Session-Id',
          'X-RateLimit-Limit',
          'X-RateLimit-Remaining',
          'X-RateLimit-Reset',
          'Retry-After',
        ]),
      );
      expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
    });

    test.each([SHOP, PREVIEW])('the host lets a page of the origin %s send a key, for ten minutes', async (origin) => {
      const reply = await ask(host, path, { Origin: origin, ...PREFLIGHT }, 'OPTIONS');
      expect([reply.status, allowedIn(reply)]).toEqual([204, origin]);
      expect(reply.headers.get('access-control-max-age')).toBe('600');
      const allowed = reply.headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
      expect(allowed).toEqual(
        expect.arrayContaining(['authorization', 'idempotency-key', 'content-type', 'mcp-session-id']),
      );
      expect(reply.headers.get('vary')?.split(', ')).toContain('Origin');
      expect(reply.headers.get('x-ratelimit-limit')).toBe('1000000');
    });

    test.each([
      FOREIGN,
      'null',
      `${SHOP}.evil.example.com`,
      `${SHOP}:8443`,
      'http://shop.example.com',
      SHOP.toUpperCase(),
      `${SHOP}/`,
    ])('the host lets a page of the origin %s read nothing', async (origin) => {
      const reply = await ask(host, path, { Origin: origin });
      expect([reply.status, corsIn(reply)]).toEqual([401, []]);
      expect(reply.headers.get('vary')?.split(', ')).toContain('Origin');
      const before = await ask(host, path, { Origin: origin, ...PREFLIGHT }, 'OPTIONS');
      expect([before.status, corsIn(before)]).toEqual([405, []]);
    });

    test('an OPTIONS request that is not a preflight is 405 with CORS headers', async () => {
      const reply = await ask(host, path, { Origin: SHOP }, 'OPTIONS');
      expect([reply.status, allowedIn(reply)]).toEqual([405, SHOP]);
    });
  });

  test('a response that depends on the language and on the origin names both in Vary', async () => {
    const reply = await ask('api', '/api/library', { Origin: SHOP, Authorization: `Bearer ${buyer.key}` });
    expect([reply.status, allowedIn(reply)]).toEqual([200, SHOP]);
    expect(reply.headers.get('vary')?.split(', ')).toEqual(['Accept-Language', 'Authorization', 'Origin']);
  });

  test('a public response is open to every origin', async () => {
    const reply = await ask('api', '/.well-known/jwks.json', { Origin: FOREIGN });
    expect([reply.status, allowedIn(reply)]).toEqual([200, '*']);
  });

  test('the account host’s pages are open to no other origin', async () => {
    expect(corsIn(await ask('account', '/sign-in', { Origin: SHOP }))).toEqual([]);
  });

  test('a page of a configured origin can send messages to the MCP endpoints, and another page can’t', async () => {
    const agent = await anAgent(mount.service, 'read');
    const tell = (url: string, key: string, origin: string) =>
      fetch(url, {
        method: 'POST',
        headers: { Origin: origin, Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(INITIALIZE),
      });
    for (const [url, key] of [
      [`${mount.urls.api}/api/mcp`, buyer.key],
      [`${mount.urls.design}/mcp`, agent.key],
    ] as const) {
      const own = await tell(url, key, SHOP);
      expect([own.status, allowedIn(own)]).toEqual([200, SHOP]);
      const foreign = await tell(url, key, FOREIGN);
      expect([foreign.status, corsIn(foreign)]).toEqual([403, []]);
    }
  });
};
