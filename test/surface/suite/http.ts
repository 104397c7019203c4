import { beforeAll, describe, expect, test } from 'vitest';
import { allEndpoints } from '../../../ports/inbound/endpoints.ts';
import { HOSTS } from '../../../ports/inbound/hosts.ts';
import { aBuyer } from '../buyers.ts';
import { get, send } from '../client.ts';
import { pathOf } from '../good-requests.ts';
import type { Mount } from '../mount.ts';
import { pathSeen, sendRaw } from '../raw.ts';
import { TOOL } from '../shop.ts';

const PATHS = [...Map.groupBy(allEndpoints, ({ path }) => path).entries()];

const allowedOn = (path: string): string[] =>
  allEndpoints
    .filter((endpoint) => endpoint.path === path)
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));

export const httpSuite = (mount: () => Mount): void => {
  let key: string;

  beforeAll(async () => {
    ({ key } = await aBuyer(mount().service));
  });

  describe('an unknown path', () => {
    test.each([
      '/api',
      '/api/',
      '/api/nothing',
      '/API/library',
      '/api/library/1',
      '/api/products/1/nothing',
      '/.env',
    ])('the unknown path %s is 404 in JSON for any method', async (path) => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const reply = await send(mount(), method, path, { key });
        expect([reply.status, reply.body]).toEqual([404, { message: expect.any(String) }]);
      }
    });

    test.each([
      '/%',
      '/api/products/%zz',
      '/api/%ff/x',
      '/api/products/%c0%ae',
      '//',
      '/api/library\\',
      '/nothing?a=%zz',
    ])('the odd path %s is 404 in JSON', async (path) => {
      const headers = { authorization: `Bearer ${key}` };
      const seen = pathSeen(mount(), path);
      const reply = await sendRaw(mount(), { path, headers });
      if (seen !== path) return expect(reply.status).toBe((await sendRaw(mount(), { path: seen, headers })).status);
      expect([reply.status, reply.body]).toEqual([404, { message: expect.any(String) }]);
    });
  });

  describe.each(HOSTS)('the root of the %s host', (host) => {
    test.each([
      ['application/json', 'application/json; charset=utf-8'],
      ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html; charset=utf-8'],
    ])('the root responds in the format %s that the client accepts', async (accept, type) => {
      const reply = await fetch(`${mount().urls[host]}/`, { headers: { accept }, redirect: 'manual' });
      const isBrowser = accept.startsWith('text/html');
      // An app that mounts the shop host alone has no console.
      const isPage = isBrowser && (host === 'account' || (host === 'shop' && reply.status === 303));
      expect([reply.status, reply.headers.get('content-type')]).toEqual(isPage ? [303, null] : [200, type]);
      expect(reply.headers.get('vary')).toMatch(/\bAccept\b/);
    });

    test('the root names the host and links to its paths', async () => {
      const reply = await fetch(`${mount().urls[host]}/`, { headers: { accept: 'application/json' } });
      const { host: named, ways } = (await reply.json()) as { host: string; ways: Record<string, string> };
      expect(named).toBe(host);
      const own = Object.values(ways).filter((url) => url.startsWith(mount().urls[host]));
      const found = await Promise.all(own.map(async (url) => [url, (await fetch(url, { method: 'HEAD' })).status]));
      expect(found.filter(([, status]) => status === 404)).toEqual([]);
    });
  });

  test.each(PATHS)('the path %s answers an unsupported method with 405 and an Allow header', async (path) => {
    const allowed = allowedOn(path);
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((method) => !allowed.includes(method));
    expect(others.length).toBeGreaterThan(3);
    const [endpoint] = allEndpoints.filter((one) => one.path === path);
    for (const method of others) {
      const reply = await send(mount(), method, pathOf(endpoint as (typeof allEndpoints)[number], TOOL), { key });
      expect([reply.status, reply.headers.get('allow')?.split(', ').toSorted()]).toEqual([405, allowed.toSorted()]);
      expect(reply.body).toEqual({ message: expect.any(String) });
    }
  });

  test.each([
    '/healthz',
    '/openapi.json',
    '/docs',
    '/docs/start.js',
  ])('the path %s accepts only GET and HEAD', async (path) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const reply = await send(mount(), method, path);
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
    const head = await send(mount(), 'HEAD', path);
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test.each([
    ['/sign-in', 'GET, HEAD, POST'],
    ['/library', 'GET, HEAD'],
    ['/sign-out', 'POST'],
  ])('the page %s answers an unsupported method with 405 and an Allow header', async (path, allow) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (allow.split(', ').includes(method)) continue;
      const reply = await fetch(mount().urls.account + path, { method });
      expect([method, reply.status, reply.headers.get('allow')]).toEqual([method, 405, allow]);
      expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
  });

  test.each([
    ...HOSTS,
  ])('an unknown path of the %s host is 404 for every method, and HEAD has no body', async (host) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const reply = await fetch(`${mount().urls[host]}/nothing`, { method });
      expect([method, reply.status, reply.headers.get('allow')]).toEqual([method, 404, null]);
      if (method === 'HEAD') expect(await reply.text()).toBe('');
    }
  });

  describe('a request id', () => {
    test.each([
      'client-request-1',
      'a1b2c3d4',
      '0199:ab.cd_ef',
      'x'.repeat(128),
    ])('the request id %s is kept', async (id) => {
      const reply = await get(mount(), '/api/library', key, { 'X-Request-Id': id });
      expect(reply.headers.get('x-request-id')).toBe(id);
    });

    test.each([
      'short',
      '',
      'with blank 1',
      'x'.repeat(129),
      '<script>alert(1)</script>',
      'semi;colon;semi',
    ])('the invalid request id “%s” is replaced with a new one', async (id) => {
      const reply = await get(mount(), '/api/library', key, { 'X-Request-Id': id });
      expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    });

    test('each request gets a new request id, refusals and unknown paths included', async () => {
      const replies = await Promise.all([
        get(mount(), '/api/library', key),
        get(mount(), '/api/library', key),
        get(mount(), '/api/library'),
        get(mount(), '/nothing'),
        get(mount(), '/healthz'),
      ]);
      expect(new Set(replies.map(({ headers }) => headers.get('x-request-id'))).size).toBe(5);
    });
  });

  describe('a query', () => {
    test('a query of 8000 characters is 422, and one of 2000 unknown parameters is 200', async () => {
      const long = await get(mount(), `/api/products?q=${'a'.repeat(8000)}`, key);
      expect(long.status).toBe(422);
      const many = Array.from({ length: 2000 }, (_, n) => `p${n}=1`).join('&');
      expect((await get(mount(), `/api/products?${many}`, key)).status).toBe(200);
    });

    test.each([
      '__proto__=1',
      '__proto__[x]=1&constructor=2',
      'q[]=a',
      'q[a][b]=c',
      '&&&===',
      '%',
      'toString=1',
    ])('the unknown query ?%s is ignored', async (query) => {
      expect((await get(mount(), `/api/products?${query}`, key)).status).toBe(200);
    });
  });

  test.each(
    HOSTS,
  )('the %s host reports its health, and answers a path that it doesn’t serve with 404', async (host) => {
    const health = await fetch(`${mount().urls[host]}/healthz`);
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
    expect(health.headers.get('cache-control')).toContain('no-store');
    const unknown = await fetch(`${mount().urls[host]}/nothing`);
    expect([unknown.status, unknown.headers.get('x-content-type-options')]).toEqual([404, 'nosniff']);
    const library = await fetch(`${mount().urls[host]}/api/library`);
    expect(library.status).toBe(host === 'api' ? 401 : 404);
  });
};
