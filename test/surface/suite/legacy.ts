import { beforeAll, describe, expect, test } from 'vitest';
import { aBuyer, type Buyer } from '../buyers.ts';
import { get } from '../client.ts';
import type { Mount } from '../mount.ts';
import { artifactBytes, SKILL, TOOL } from '../shop.ts';

const jsonOf = async (response: Response) => JSON.parse(await response.text());

/** Tests the legacy host, which forwards `/api/...` to the API host with few headers. */
export const legacySuite = (mount: () => Mount): void => {
  let buyer: Buyer;

  beforeAll(async () => {
    buyer = await aBuyer(mount().service, { product_id: SKILL });
  });

  const ask = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}): Promise<Response> =>
    fetch(mount().legacyUrl + path, {
      redirect: 'manual',
      headers: { Authorization: `Bearer ${buyer.key}`, ...headers },
      ...init,
    });

  test('the legacy host gives the API host’s responses', async () => {
    const [old, now] = [await ask('/api/library'), await get(mount(), '/api/library', buyer.key)];
    expect([old.status, await old.json()]).toEqual([200, now.body]);
    expect((await ask('/api/products/999')).status).toBe(404);
    expect((await ask('/api/library', { Authorization: '' })).status).toBe(401);
  });

  test('the legacy host forwards Accept-Language, Content-Type and X- headers', async () => {
    const korean = await ask(`/api/products/${TOOL}`, { 'Accept-Language': 'ko', 'X-Request-Id': 'my-request-1' });
    expect((await jsonOf(korean)).product.name).toBe('도구');
    expect(korean.headers.get('x-request-id')).toBe('my-request-1');
    const json = { 'Content-Type': 'application/json' };
    const check = { method: 'POST', body: JSON.stringify({ product_id: SKILL, device_id: 'old' }) };
    const checked = await fetch(`${mount().legacyUrl}/api/license/check`, {
      ...check,
      headers: { Authorization: `Bearer ${buyer.key}`, ...json },
    });
    expect([checked.status, (await jsonOf(checked)).valid]).toEqual([200, true]);
  });

  test('the legacy host streams a whole file, because it forwards no Range', async () => {
    const file = await ask(`/api/products/${SKILL}/bundle`, { Range: 'bytes=0-3' });
    expect([file.status, await file.text()]).toEqual([200, artifactBytes('1.10.0', null)]);
  });

  describe('the headers that the legacy host drops', () => {
    test('the legacy host forwards no If-None-Match', async () => {
      const { headers } = await get(mount(), '/api/product-content.css', buyer.key);
      const known = { 'If-None-Match': headers.get('etag') ?? '' };
      expect((await get(mount(), '/api/product-content.css', buyer.key, known)).status).toBe(304);
      expect((await ask('/api/product-content.css', known)).status).toBe(200);
    });

    test('the legacy host forwards no Idempotency-Key, so each request creates a record', async () => {
      const install = () =>
        fetch(`${mount().legacyUrl}/api/device/installs`, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${buyer.key}`,
            'Content-Type': 'application/json',
            'Idempotency-Key': 'one',
          },
          body: JSON.stringify({ product_id: SKILL, version: '1.0.0' }),
        });
      const [first, second] = [await jsonOf(await install()), await jsonOf(await install())];
      expect(first.install.id).not.toBe(second.install.id);
    });
  });

  test.each([
    '/openapi.json',
    '/docs',
    '/apis/library',
    '/api',
  ])('the legacy host answers %s with 404 in JSON', async (path) => {
    const reply = await ask(path);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  });

  test('the legacy host reports its health', async () => {
    expect((await ask('/healthz')).status).toBe(200);
  });
};
