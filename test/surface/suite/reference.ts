import { describe, expect, test } from 'vitest';
import { DOCUMENTED } from '../../../adapters/web/reference.ts';
import { allEndpoints } from '../../../ports/inbound/endpoints.ts';
import { get } from '../client.ts';
import type { Mount } from '../mount.ts';

/** Tests the OpenAPI document and its reference page. */
export const referenceSuite = (mount: () => Mount): void => {
  describe('the OpenAPI document', () => {
    test('the OpenAPI document needs no key and has a strong ETag', async () => {
      const { status, headers, body } = await get(mount(), '/openapi.json');
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
      expect([body.openapi, body.info.version]).toEqual(['3.1.0', '1']);
      const etag = headers.get('etag') as string;
      expect(etag).toMatch(/^"[^"]+"$/);
      const again = await get(mount(), '/openapi.json', undefined, { 'If-None-Match': etag });
      expect([again.status, again.text]).toEqual([304, '']);
    });

    test('the OpenAPI document of all hosts describes exactly the declared endpoints, each with its access', async () => {
      const { body } = await get(mount(), '/docs/openapi.json');
      const described = Object.entries<Record<string, { 'x-host': string; 'x-access': unknown }>>(body.paths).flatMap(
        ([path, operations]) =>
          Object.entries(operations).map(([method, one]) => [
            method.toUpperCase(),
            path,
            one['x-host'],
            one['x-access'],
          ]),
      );
      const declared = allEndpoints.map(({ method, path, host, access }) => [method, path, host, access]);
      expect(described.sort()).toEqual(declared.sort());
    });

    test.each(
      DOCUMENTED,
    )('the %s host serves its own operations with one server, readable by pages of any origin', async (host) => {
      const reply = await fetch(`${mount().urls[host]}/openapi.json`);
      expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
      const { servers, paths } = (await reply.json()) as { servers: object[]; paths: Record<string, object> };
      expect(servers).toEqual([{ url: mount().urls[host] }]);
      expect(JSON.stringify(paths)).not.toContain('"servers"');
      const declared = allEndpoints.filter((endpoint) => endpoint.host === host).map(({ path }) => path);
      expect(Object.keys(paths).sort()).toEqual([...new Set(declared)].sort());
    });
  });

  describe('the reference page', () => {
    test('the reference page’s content security policy allows only the service’s hosts', async () => {
      const { status, headers, text } = await get(mount(), '/docs');
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(text).not.toMatch(/https?:|\/\//);
      const policy = headers.get('content-security-policy') as string;
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      const hosts = Object.values(mount().urls).map((url) => new URL(url).origin);
      const called = policy?.split('; ').find((one) => one.startsWith('connect-src')) ?? '';
      expect(new Set(called.split(' ').slice(1))).toEqual(new Set(["'self'", ...hosts]));
      expect((policy ?? '').replace(called, '')).not.toMatch(/https?:|\*|unsafe-eval/);
    });

    test('each file that the reference page names is served by the API host', async () => {
      const { text } = await get(mount(), '/docs');
      const names = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name]) => name as string);
      expect(names.length).toBeGreaterThanOrEqual(4);
      for (const name of names) {
        const url = new URL(name, `${mount().urls.api}/docs`);
        const reply = await get(mount(), url.pathname);
        expect([name, reply.status]).toEqual([name, 200]);
        expect(reply.text.length).toBeGreaterThan(100);
      }
    });

    test('the scripts of the reference page have their content type, and the large one is compressed', async () => {
      const { headers } = await get(mount(), '/docs/scalar.js');
      expect([headers.get('content-type'), headers.get('content-encoding')]).toEqual([
        'text/javascript; charset=utf-8',
        'gzip',
      ]);
      expect((await get(mount(), '/docs/start.js')).headers.get('content-type')).toMatch(/^text\/javascript/);
    });

    test('the reference page requests nothing from Scalar’s services', async () => {
      const { text } = await get(mount(), '/docs/start.js');
      expect(text).toContain('telemetry: false');
      expect(text).toContain('withDefaultFonts: false');
      expect(text).not.toContain('proxyUrl');
    });

    test.each([
      '/docs/package.json',
      '/docs/index.html',
      '/docs/js/scalar.js',
      '/docs/..%2fpackage.json',
    ])('the reference page’s library file %s is 404', async (path) => {
      expect((await get(mount(), path)).status).toBe(404);
    });
  });

  describe('the CORS headers of the app host', () => {
    const PATH = '/api/v1/entitlements/apps-subscription-check';
    const preflight = { 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'authorization' };
    const ask = (method: string, headers: Record<string, string>) =>
      fetch(mount().urls.app + PATH, { method, headers: { Origin: mount().urls.api, ...headers } });

    test('the app host allows the origin of the reference page, and no other', async () => {
      const { origin } = new URL(mount().urls.api);
      const before = await ask('OPTIONS', preflight);
      expect(before.status).toBe(204);
      expect(before.headers.get('access-control-allow-origin')).toBe(origin);
      expect(before.headers.get('access-control-allow-headers')).toContain('Authorization');
      const elsewhere = await ask('GET', { Origin: 'https://evil.example.com' });
      expect([elsewhere.status, elsewhere.headers.get('access-control-allow-origin')]).toEqual([401, null]);
      expect(elsewhere.headers.get('access-control-allow-credentials')).toBeNull();
    });

    test('an OPTIONS request that is not a preflight is 405 on the app host', async () => {
      expect((await ask('OPTIONS', {})).status).toBe(405);
    });
  });
};
