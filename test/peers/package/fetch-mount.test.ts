import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningExample, startExample } from './support.ts';

describe.each(['hono.ts', 'node.ts'])('the API host mounted by %s', (file) => {
  let example: RunningExample<{ url: string; key: string }>;

  beforeAll(async () => {
    example = await startExample(`fetch-mount/${file}`);
  });

  afterAll(() => example.stop());

  const ask = (path: string, body?: object): Promise<Response> =>
    fetch(`${example.first.url}${path}`, {
      headers: { authorization: `Bearer ${example.first.key}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });

  test('the app keeps its own page and answers unknown paths', async () => {
    expect(await (await ask('/')).text()).toContain('own site');
    expect((await ask('/elsewhere')).status).toBe(404);
  });

  test('a call with a body reaches the API', async () => {
    const checked = await ask('/api/license/check', { product_id: 1, device_id: 'one' });
    expect(await checked.json()).toMatchObject({ valid: true });
    expect((await ask('/api/license/check', { product_id: 'none' })).status).toBe(422);
  });

  test('a form with a file of one megabyte arrives whole', async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ kind: 'general', summary: 'It stops', detail: 'At the start.' }))
      form.set(name, value);
    form.set('bundle', new Blob([new Uint8Array(1024 * 1024)]), 'logs.zip');
    const sent = await fetch(`${example.first.url}/api/support/reports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${example.first.key}` },
      body: form,
    });
    expect(await sent.json()).toMatchObject({ ticket: { bundle: { size: 1024 * 1024 } } });
  });

  test('a download by an install plan has the bytes of the release', async () => {
    const { data } = (await (await ask('/api/products/1/install')).json()) as Record<string, Record<string, string>>;
    const file = await (await fetch(data!['download_url']!)).bytes();
    expect(createHash('sha256').update(file).digest('hex')).toBe(data!['sha256']);
  });

  test('calls without a key count against their client’s IP address', async () => {
    const remainingFrom = async (localAddress: string): Promise<unknown> => {
      const sent = get(`${example.first.url}/api/downloads/pipeline`, { localAddress });
      const [reply] = (await once(sent, 'response')) as [IncomingMessage];
      reply.resume();
      return reply.headers['x-ratelimit-remaining'];
    };
    await remainingFrom('127.0.0.1');
    expect(await remainingFrom('127.0.0.2')).toBe('59');
  });
});
