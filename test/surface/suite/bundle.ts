import { beforeAll, expect, test } from 'vitest';
import { aBuyer } from '../buyers.ts';
import { get, send } from '../client.ts';
import type { Mount } from '../mount.ts';
import { artifactBytes, OTHER, SKILL, sha256, TOOL } from '../shop.ts';

const BYTES = artifactBytes('1.10.0', null);
const PATH = `/api/products/${SKILL}/bundle`;

/** Ranges of a file of SIZE bytes, each with the first and last byte of the response. */
const SIZE = BYTES.length;
const RANGES: [range: string, start: number, end: number][] = [
  ['bytes=0-0', 0, 0],
  ['bytes=10-19', 10, 19],
  ['bytes=100-', 100, SIZE - 1],
  ['bytes=-5', SIZE - 5, SIZE - 1],
  [`bytes=-${SIZE + 100}`, 0, SIZE - 1],
  [`bytes=5-${SIZE + 100}`, 5, SIZE - 1],
];

export const bundleSuite = (mount: () => Mount): void => {
  let key: string;
  let etag: string;

  beforeAll(async () => {
    ({ key } = await aBuyer(mount().service, { product_id: SKILL }));
    etag = (await get(mount(), PATH, key)).headers.get('etag') as string;
  });

  test('the bundle is the file of the newest stable release, byte for byte', async () => {
    const { status, headers, text } = await get(mount(), PATH, key);
    expect([status, text]).toEqual([200, BYTES]);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-length')).toBe(String(SIZE));
    expect(headers.get('content-disposition')).toBe('attachment; filename=file-1.10.0.zip');
    expect(headers.get('accept-ranges')).toBe('bytes');
    expect(headers.get('repr-digest')).toBe(`sha-256=:${Buffer.from(sha256(BYTES), 'hex').toString('base64')}:`);
    expect(etag).toMatch(/^"[^"]+"$/);
  });

  test.each(RANGES)('a bundle request for the range %s gets 206 with only that part', async (range, start, end) => {
    const { status, headers, text } = await get(mount(), PATH, key, { range });
    expect([status, text]).toEqual([206, BYTES.slice(start, end + 1)]);
    expect(headers.get('content-range')).toBe(`bytes ${start}-${end}/${SIZE}`);
    expect(headers.get('content-length')).toBe(String(end - start + 1));
    expect(headers.get('etag')).toBe(etag);
  });

  test.each([
    `bytes=${SIZE}-`,
    `bytes=${SIZE + 5}-${SIZE + 9}`,
    'bytes=-0',
    'bytes=9-5',
  ])('a bundle request for the unsatisfiable range %s is 416 with the file’s size', async (range) => {
    const { status, headers } = await get(mount(), PATH, key, { range });
    expect([status, headers.get('content-range')]).toEqual([416, `bytes */${SIZE}`]);
  });

  test('a bundle request with the current ETag is 304, even when it asks for a range', async () => {
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const { status, text } = await get(mount(), PATH, key, { 'If-None-Match': tag, range: 'bytes=0-1' });
      expect([status, text]).toEqual([304, '']);
    }
    expect((await get(mount(), PATH, key, { 'If-None-Match': '"another"' })).status).toBe(200);
  });

  test('HEAD of the bundle has the headers of GET and no body', async () => {
    const head = await send(mount(), 'HEAD', PATH, { key });
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', String(SIZE)]);
    expect(head.headers.get('etag')).toBe(etag);
  });

  test('a bundle past the update window is 403 version_update_window_expired, without any of the file', async () => {
    const window = { product_id: SKILL, updates_supported_until: '2025-12-31T00:00:00.000Z' };
    const late = await aBuyer(mount().service, window);
    for (const range of [undefined, 'bytes=0-1']) {
      const reply = await get(mount(), PATH, late.key, range === undefined ? {} : { range });
      expect(reply.status).toBe(403);
      expect(reply.body).toEqual({ message: expect.any(String), error: 'version_update_window_expired' });
    }
  });

  test('the bundle of a product with a file for each platform requires a platform and returns its file', async () => {
    const owner = await aBuyer(mount().service, { product_id: TOOL });
    const asked = await get(mount(), `/api/products/${TOOL}/bundle`, owner.key);
    const [sentence] = asked.body.errors.platform;
    expect([asked.status, sentence]).toEqual([422, expect.stringContaining('darwin-arm64, linux-amd64.')]);
    const named = await get(mount(), `/api/products/${TOOL}/bundle?platform=linux-amd64`, owner.key);
    expect([named.status, named.text]).toEqual([200, artifactBytes('1.1.0', 'linux-amd64')]);
  });

  test('the bundle of a product without a release is 404 install_not_available, in the caller’s language', async () => {
    const owner = await aBuyer(mount().service, { product_id: OTHER });
    const refused = async (language: string) => {
      const reply = await get(mount(), `/api/products/${OTHER}/bundle`, owner.key, { 'Accept-Language': language });
      expect([reply.status, reply.body.error]).toEqual([404, 'install_not_available']);
      return [reply.headers.get('content-language'), reply.body.message];
    };
    expect(await refused('fr')).toEqual(['en', 'This product has no released file.']);
    expect(await refused('ko')).toEqual(['ko', '이 제품에는 출시된 파일이 없습니다.']);
  });
};
