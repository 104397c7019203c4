import { beforeAll, describe, expect, test } from 'vitest';
import { aBuyer, type Buyer } from '../buyers.ts';
import { get } from '../client.ts';
import type { Mount } from '../mount.ts';
import { artifactBytes, SKILL, TOOL } from '../shop.ts';

const jsonOf = async (response: Response) => JSON.parse(await response.text());

/** The host that forwards `/api/...` to the API host with few headers. */
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

  test('answers as the API host does', async () => {
    const [old, now] = [await ask('/api/library'), await get(mount(), '/api/library', buyer.key)];
    expect([old.status, await old.json()]).toEqual([200, now.body]);
    expect((await ask('/api/products/999')).status).toBe(404);
    expect((await ask('/api/library', { Authorization: '' })).status).toBe(401);
  });

  test('passes the language, the type of the body and headers that begin with X-', async () => {
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

  test('streams files whole, for a Range is not passed', async () => {
    const file = await ask(`/api/products/${SKILL}/bundle`, { Range: 'bytes=0-3' });
    expect([file.status, await file.text()]).toEqual([200, artifactBytes('1.10.0', null)]);
  });

  describe('does not pass', () => {
    test('conditions', async () => {
      const { headers } = await get(mount(), '/api/product-content.css', buyer.key);
      const known = { 'If-None-Match': headers.get('etag') ?? '' };
      expect((await get(mount(), '/api/product-content.css', buyer.key, known)).status).toBe(304);
      expect((await ask('/api/product-content.css', known)).status).toBe(200);
    });

    test('a name for the request, which is then done each time', async () => {
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

  test.each(['/openapi.json', '/docs', '/', '/apis/library', '/api'])('has nothing at %s', async (path) => {
    const reply = await ask(path);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  });

  test('tells of its health', async () => {
    expect((await ask('/healthz')).status).toBe(200);
  });
};
