import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IN_MEMORY, openExpressMount } from '../../../surface/express-mount.ts';
import type { Mount } from '../../../surface/mount.ts';

describe('the design host on the server', () => {
  let mount: Mount;

  beforeAll(async () => {
    mount = await openExpressMount(IN_MEMORY);
  });
  afterAll(() => mount.close());

  test.each(['/', '/apps', '/taxonomy', '/documents'])('the path %s is a page over an empty store', async (path) => {
    const response = await fetch(mount.urls.design + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test.each([
    '/api/v1/nothing',
    `/media/${'a'.repeat(64)}.png`,
    '/screens/1/page',
  ])('the path %s is a JSON 404 of the host', async (path) => {
    const response = await fetch(mount.urls.design + path);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  });

  test('a page under another name that resolves to this machine sees the gallery, and no documents', async () => {
    const headers = { host: 'rebound.example.com' };
    const ask = (path: string) =>
      new Promise<[number | undefined, string]>((resolve, reject) => {
        get(mount.urls.design + path, { headers }, async (reply) => {
          resolve([reply.statusCode, await text(reply)]);
        }).on('error', reject);
      });
    const [status, page] = await ask('/');
    expect([status, page.includes('/documents')]).toEqual([200, false]);
    expect((await ask('/documents'))[0]).toBe(404);
  });

  test('the health check belongs to the host, and an unknown page is an HTML page', async () => {
    expect(await (await fetch(`${mount.urls.design}/healthz`)).json()).toEqual({ status: 'ok' });
    const unknown = await fetch(`${mount.urls.design}/nothing`);
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  });
});
