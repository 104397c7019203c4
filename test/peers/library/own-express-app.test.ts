import { createHash } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileExample, type RunningExample, startExample } from './support.ts';

describe('an Express app of another team on the built package', () => {
  let example: RunningExample<{ url: string; studio: string; free: string }>;

  beforeAll(async () => {
    example = await startExample('own-express-app/main.ts');
  });

  afterAll(() => example.stop());

  const ask = (path: string, key?: string, body?: object): Promise<Response> =>
    fetch(`${example.first.url}${path}`, {
      headers: { ...(key && { authorization: `Bearer ${key}` }), 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });

  const check = (key: string, device_id: string): Promise<Response> =>
    ask('/api/license/check', key, { bundle_id: 'com.example.studio', device_id });

  test('the example app compiles against the types of the package, with those of all its packages', async () => {
    await compileExample('own-express-app');
  });

  test('the example app serves its own pages beside the API', async () => {
    expect(await (await ask('/')).text()).toContain('own site');
    expect(await (await ask('/elsewhere')).text()).toContain('Cannot GET /elsewhere');
  });

  test('the example app takes licenses from the team’s own data and enforces the device limit', async () => {
    const { studio, free } = example.first;
    expect(await (await check(studio, 'one')).json()).toMatchObject({ valid: true, devices: { used: 1, limit: 2 } });
    expect((await check(studio, 'two')).status).toBe(200);
    expect((await check(studio, 'three')).status).toBe(409);
    expect(await (await check(free, 'one')).json()).toMatchObject({ valid: false, code: 'not_entitled' });
  });

  test('the example app’s key set verifies its license tokens', async () => {
    const { token } = (await (await check(example.first.studio, 'one')).json()) as { token: string };
    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', example.first.url));
    expect((await jwtVerify(token, keys)).payload).toMatchObject({ sub: '7' });
  });

  test('an install plan of the example app leads to the released file', async () => {
    const planned = await ask('/api/products/1/install', example.first.studio);
    const { data } = (await planned.json()) as { data: { download_url: string; sha256: string } };
    const file = await (await fetch(data.download_url)).bytes();
    expect(createHash('sha256').update(file).digest('hex')).toBe(data.sha256);
    expect((await ask('/api/products/1/install', example.first.free)).status).toBe(403);
  });

  test('the example app has the reference page and its OpenAPI document', async () => {
    expect(await (await ask('/docs')).text()).toContain('swagger-ui');
    expect(await (await ask('/openapi.json')).json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
  });
});
