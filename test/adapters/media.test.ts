import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import { mediaRoute, savedPageRoute } from '../../adapters/host/gallery-files.ts';
import { createHost, type HostFunction } from '../../adapters/host/host.ts';
import { isStreamed, type Reply } from '../../adapters/host/reply.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { designObjectKey } from '../../domain/shared/stored-file.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import { memoryEngines } from '../support/memory-engines.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex');
const HTML = Buffer.from('<!doctype html><script>alert(1)</script>');
const CSS = Buffer.from('@charset "utf-8";\nbody { color: red }');
const DESIGN = 'https://design.example.com';

const bytesOf = async ({ body }: Reply): Promise<string> =>
  isStreamed(body)
    ? Buffer.concat(await body.stream.toArray()).toString('hex')
    : Buffer.from(body ?? '').toString('hex');

describe('the files of the design host', () => {
  let objects: ObjectStore;
  let host: HostFunction;
  let allowed: boolean;

  const put = async (bytes: Buffer): Promise<string> => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await objects.put(grantPermit(), designObjectKey(sha256), Readable.from([bytes]));
    return sha256;
  };
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> =>
    host.handle({
      method,
      path,
      query: '',
      headers,
      address: () => '203.0.113.9',
      length: 0,
      body: () => Buffer.alloc(0),
    });

  beforeEach(async () => {
    objects = memoryEngines().objects;
    allowed = true;
    const page = { sha256: await put(HTML), size: HTML.length };
    host = createHost(
      [
        mediaRoute(objects),
        savedPageRoute({
          objects,
          pageOf: async (id) => (id === 1 ? page : id === 3 ? { sha256: 'f'.repeat(64), size: 1 } : null),
          design: DESIGN,
        }),
      ],
      {
        log: () => {},
        fault: (error) => expect.unreachable(String(error)),
        health: async () => {},
        limit: async () => ({ allowed, limit: 60, remaining: 0, resets_at: 1, retry_after: 9 }),
      },
    );
  });

  test.each([
    [PNG, 'png', 'image/png'],
    [JPEG, 'jpg', 'image/jpeg'],
    [CSS, 'css', 'text/css; charset=utf-8'],
  ])('a file is cached forever, and served only under its own type', async (bytes, ending, type) => {
    const sha256 = await put(bytes);
    const reply = await ask(`/media/${sha256}.${ending}`);
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': type,
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    expect(reply.headers['etag']).toMatch(/^"/);
    expect(await bytesOf(reply)).toBe(bytes.toString('hex'));
    for (const other of ['png', 'jpg', 'css'].filter((one) => one !== ending)) {
      expect((await ask(`/media/${sha256}.${other}`)).status).toBe(404);
    }
  });

  test.each([
    ['the page as its visitor saw it', HTML],
    ['a style sheet as its collector sent it', Buffer.from('body { color: red }')],
    ['an empty file', Buffer.alloc(0)],
  ])('a file of type %s is not served', async (_, bytes) => {
    const sha256 = await put(bytes);
    for (const ending of ['png', 'jpg', 'css', 'html', 'js']) {
      expect((await ask(`/media/${sha256}.${ending}`)).status).toBe(404);
    }
  });

  test.each([
    '/media/x.png',
    `/media/${'a'.repeat(64)}.png`,
    `/media/${'A'.repeat(64)}.png`,
    `/media/${'a'.repeat(64)}`,
    `/media/..%2f${'a'.repeat(61)}.png`,
    '/media/',
    '/screens/2/page',
    '/screens/3/page',
    '/screens/0/page',
    '/screens/x/page',
  ])('the file %s does not exist', async (path) => {
    expect((await ask(path)).status).toBe(404);
  });

  test('a cached file is not sent again, a range is served, and HEAD has no bytes', async () => {
    const sha256 = await put(PNG);
    const path = `/media/${sha256}.png`;
    const { headers } = await ask(path);
    expect((await ask(path, { 'if-none-match': headers['etag'] as string })).status).toBe(304);
    const range = await ask(path, { range: 'bytes=1-3' });
    expect([range.status, await bytesOf(range)]).toEqual([206, '504e47']);
    const head = await ask(path, {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.body]).toEqual([200, '16', null]);
  });

  test('a saved page runs nothing, loads only stored style sheets and is revalidated', async () => {
    const reply = await ask('/screens/1/page');
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `sandbox; default-src 'none'; style-src 'unsafe-inline' ${DESIGN}/media/; img-src data:; font-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, no-cache',
    });
    const again = await ask('/screens/1/page', { 'if-none-match': reply.headers['etag'] as string });
    expect([again.status, again.headers['content-security-policy']]).toEqual([
      304,
      reply.headers['content-security-policy'],
    ]);
  });

  test('an IP address above its limit gets no saved page', async () => {
    allowed = false;
    const { status, headers } = await ask('/screens/1/page');
    expect([status, headers['retry-after']]).toEqual([429, '9']);
  });
});
