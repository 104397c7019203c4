import { createHash, createHmac } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningExample, startExample } from './support.ts';

describe('an Express app of a team that mounts the API', () => {
  let example: RunningExample<{ url: string; studio: string; free: string }>;

  beforeAll(async () => {
    example = await startExample('own-app/main.ts', { WEBHOOK_SECRET: 'shared' });
  });
  afterAll(() => example.stop());

  const ask = (path: string, key?: string, body?: object): Promise<Response> =>
    fetch(`${example.first.url}${path}`, {
      headers: { ...(key && { authorization: `Bearer ${key}` }), 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
  const check = (key: string, device_id: string): Promise<Response> =>
    ask('/api/license/check', key, { product_id: 1, device_id });
  const pay = (body: string, secret = 'shared'): Promise<Response> =>
    fetch(`${example.first.url}/webhooks/payments`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-signature': createHmac('sha256', secret).update(body).digest('hex'),
      },
      body,
    });

  test('the app serves its own pages beside the API', async () => {
    expect(await (await ask('/')).text()).toContain('own site');
    expect((await ask('/elsewhere')).status).toBe(404);
  });

  test('the team’s licenses hold in the API, with the device limit and a token that its key set verifies', async () => {
    const { studio, url } = example.first;
    const checked = (await (await check(studio, 'one')).json()) as { token: string };
    expect(checked).toMatchObject({ valid: true, devices: { used: 1, limit: 2 } });
    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', url));
    expect((await jwtVerify(checked.token, keys)).payload).toMatchObject({ sub: '7' });
    expect((await check(studio, 'two')).status).toBe(200);
    expect((await check(studio, 'three')).status).toBe(409);
  });

  test('the app’s own route calls a use case', async () => {
    const shown = (await (await ask('/support/customers/7/devices')).json()) as { data: object[] };
    expect(shown.data).toMatchObject([{ slug: 'studio', used: 2, limit: 2 }]);
    expect((await ask('/support/customers/9/devices')).status).toBe(404);
  });

  test('the app’s webhook grants once for each reference, and refuses a body with another signature', async () => {
    const { free } = example.first;
    expect(await (await check(free, 'one')).json()).toMatchObject({ valid: false, code: 'not_entitled' });
    const payment = JSON.stringify({ reference: 'p-1', account_id: 8, product_id: 1 }, null, 3);
    expect((await pay(payment, 'another')).status).toBe(401);
    const sent = await Promise.all([pay(payment), pay(payment)]);
    expect(sent.map(({ status }) => status)).toEqual([204, 204]);
    expect((await pay(payment)).status).toBe(204);
    expect(await (await check(free, 'one')).json()).toMatchObject({ valid: true });
    // Two grants would allow four devices.
    expect((await check(free, 'two')).status).toBe(200);
    expect((await check(free, 'three')).status).toBe(409);
  });

  test('an install plan leads to the released file', async () => {
    const planned = await ask('/api/products/1/install', example.first.studio);
    const { data } = (await planned.json()) as { data: { download_url: string; sha256: string } };
    const file = await (await fetch(data.download_url)).bytes();
    expect(createHash('sha256').update(file).digest('hex')).toBe(data.sha256);
  });
});
