import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { OpenObject } from '../../adapters/host/object-reply.ts';
import { BYTES, bytesOf, ETAG, objectOf, opening, SHA256, serve } from '../support/object-server.ts';

describe('a whole object', () => {
  test('the response has what a client needs to verify, cache and resume the object', async () => {
    const response = await fetch(await serve(objectOf(BYTES, { cacheControl: 'private, no-cache' })));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '1000',
      'content-disposition': 'attachment; filename=a.bin',
      'accept-ranges': 'bytes',
      etag: ETAG,
      'repr-digest': `sha-256=:${createHash('sha256').update(BYTES).digest('base64')}:`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    });
    expect(await bytesOf(response)).toEqual(BYTES);
  });

  test('the response has no cache rule unless one was set', async () => {
    const response = await fetch(await serve());
    expect(response.headers.has('cache-control')).toBe(false);
    await response.body?.cancel();
  });

  test.each([
    ['inline', 'a b.txt', 'inline; filename="a b.txt"'],
    ['attachment', 'say "hi".zip', 'attachment; filename="say \\"hi\\".zip"'],
    ['attachment', '설치.zip', `attachment; filename="??.zip"; filename*=UTF-8''%EC%84%A4%EC%B9%98.zip`],
    [
      'attachment',
      'a\r\nSet-Cookie: b',
      `attachment; filename="a??Set-Cookie: b"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20b`,
    ],
  ] as const)('an object is sent %s under the name %j', async (disposition, filename, header) => {
    const response = await fetch(await serve(objectOf(BYTES, { disposition, filename })));
    expect(response.headers.get('content-disposition')).toBe(header);
    await response.body?.cancel();
  });

  test('an empty object is sent with 200 and the length 0', async () => {
    const response = await fetch(await serve(objectOf(Buffer.alloc(0)), opening(Buffer.alloc(0))));
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '0']);
    expect(await bytesOf(response)).toHaveLength(0);
  });

  test('an object that is deleted before it is opened is 404 without its headers', async () => {
    const response = await fetch(await serve(objectOf(BYTES), async () => undefined));
    expect(response.status).toBe(404);
    for (const name of ['etag', 'repr-digest', 'content-disposition']) expect(response.headers.has(name)).toBe(false);
    expect(await response.json()).toEqual({ message: expect.any(String) });
  });
});

describe('a HEAD request', () => {
  const untouched: OpenObject = () => Promise.reject(new Error('opened'));

  test.each([
    ['without a range', {}],
    ['with a range, which only GET knows', { Range: 'bytes=0-9' }],
    ['with a range outside', { Range: 'bytes=5000-' }],
  ])('a HEAD request %s returns the full length without opening the object', async (_, headers) => {
    const response = await fetch(await serve(objectOf(BYTES), untouched), { method: 'HEAD', headers });
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '1000']);
    expect(response.headers.has('content-range')).toBe(false);
  });

  test('a HEAD request honors If-None-Match and If-Match', async () => {
    const url = await serve(objectOf(BYTES), untouched);
    expect((await fetch(url, { method: 'HEAD', headers: { 'If-None-Match': ETAG } })).status).toBe(304);
    expect((await fetch(url, { method: 'HEAD', headers: { 'If-Match': '"other"' } })).status).toBe(412);
  });
});

describe('a response that depends on a condition or range', () => {
  test.each([
    ['412', { 'If-Match': '"other"' }, 412],
    ['416', { Range: 'bytes=5000-' }, 416],
  ])('a response with %s is never cached, however long the object may be', async (_, headers, status) => {
    const kept = { ...objectOf(BYTES), cacheControl: 'public, max-age=31536000, immutable' };
    const response = await fetch(await serve(kept), { headers });
    expect([response.status, response.headers.get('cache-control')]).toEqual([status, 'private, no-store']);
  });
});

describe('ranges of an object', () => {
  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-99', 0, 99],
    ['bytes=500-', 500, 999],
    ['bytes=999-', 999, 999],
    ['bytes=990-2000', 990, 999],
    ['bytes=0-99999999999999999999', 0, 999],
    ['bytes=-1', 999, 999],
    ['bytes=-1000', 0, 999],
    ['bytes=-5000', 0, 999],
    ['Bytes=1-2', 1, 2],
    ['bytes= 1-2', 1, 2],
  ])('the range %s is answered with 206 and the bytes %i to %i', async (range, start, end) => {
    const response = await fetch(await serve(), { headers: { range } });
    expect(response.status).toBe(206);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-range': `bytes ${start}-${end}/1000`,
      'content-length': String(end - start + 1),
      'accept-ranges': 'bytes',
      'repr-digest': `sha-256=:${createHash('sha256').update(BYTES).digest('base64')}:`,
      etag: ETAG,
    });
    expect(await bytesOf(response)).toEqual(BYTES.subarray(start, end + 1));
  });

  test.each([
    'bytes=1000-',
    'bytes=1000-1001',
    'bytes=99999999999999999999-',
    'bytes=-0',
    'bytes=5-2',
  ])('the range %s is 416, and the response has the size', async (range) => {
    const response = await fetch(await serve(), { headers: { range } });
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */1000']);
    for (const name of ['repr-digest', 'content-disposition']) expect(response.headers.has(name)).toBe(false);
    expect(await response.json()).toEqual({ message: expect.stringContaining('1000 bytes') });
  });

  test.each([
    'bytes=0-1,4-5',
    'bytes=0-1, 5000-',
    'items=0-1',
    'bytes',
    'bytes=',
    'bytes=a-b',
    'bytes=1',
    'bytes=--1',
    '',
  ])('the range %j is ignored, and the whole object is sent', async (range) => {
    const response = await fetch(await serve(), { headers: { range } });
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '1000']);
    expect(response.headers.has('content-range')).toBe(false);
    expect(await bytesOf(response)).toEqual(BYTES);
  });

  test.each([
    ['bytes=0-', 416],
    ['bytes=-1', 200],
  ])('the range %s of an object without bytes is %i', async (range, status) => {
    const response = await fetch(await serve(objectOf(Buffer.alloc(0)), opening(Buffer.alloc(0))), {
      headers: { range },
    });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-range')).toBe(status === 416 ? 'bytes */0' : null);
  });
});

describe('conditional requests for an object', () => {
  const range = { Range: 'bytes=0-9' };

  test.each<[string, Record<string, string>, number]>([
    ['the same ETag', { 'If-None-Match': ETAG }, 304],
    ['the same ETag, weak', { 'If-None-Match': `W/${ETAG}` }, 304],
    ['the same ETag among others', { 'If-None-Match': `"a,b", ${ETAG}` }, 304],
    ['any ETag', { 'If-None-Match': '*' }, 304],
    ['the same ETag before a range', { 'If-None-Match': ETAG, ...range }, 304],
    ['the same ETag before a range outside', { 'If-None-Match': ETAG, Range: 'bytes=5000-' }, 304],
    ['another ETag', { 'If-None-Match': '"other"' }, 200],
    ['the sum without quotes', { 'If-None-Match': SHA256 }, 200],
    ['another ETag before a range', { 'If-None-Match': '"other"', ...range }, 206],
    ['a match of the same', { 'If-Match': ETAG }, 200],
    ['a match of the same among others', { 'If-Match': `"other", ${ETAG}` }, 200],
    ['a match of any', { 'If-Match': '*' }, 200],
    ['a match of the same with a range', { 'If-Match': ETAG, ...range }, 206],
    ['a match of another', { 'If-Match': '"other"' }, 412],
    ['a match of a weak one, which never matches', { 'If-Match': `W/${ETAG}` }, 412],
    ['a match of another with a range outside', { 'If-Match': '"other"', Range: 'bytes=5000-' }, 412],
    ['a match of another, and none of it', { 'If-Match': '"other"', 'If-None-Match': ETAG }, 412],
    ['a match of the same, and none of it', { 'If-Match': ETAG, 'If-None-Match': ETAG }, 304],
    ['a range if the same', { 'If-Range': ETAG, ...range }, 206],
    ['a range if another', { 'If-Range': '"other"', ...range }, 200],
    ['a range outside if another', { 'If-Range': '"other"', Range: 'bytes=5000-' }, 200],
    ['a range if a weak one', { 'If-Range': `W/${ETAG}`, ...range }, 200],
    ['a range if unchanged since a date', { 'If-Range': 'Sat, 21 Nov 2026 08:00:00 GMT', ...range }, 200],
    ['a date of change, which no object has', { 'If-Modified-Since': 'Sat, 21 Nov 2099 08:00:00 GMT' }, 200],
  ])('a request with %s and the headers %j is %i', async (_, headers, status) => {
    const response = await fetch(await serve(objectOf(BYTES, { cacheControl: 'private, no-cache' })), { headers });
    expect(response.status).toBe(status);
    expect(response.headers.get('cache-control')).toBe(status === 412 ? 'private, no-store' : 'private, no-cache');
    const body = await bytesOf(response);
    if (status === 200) expect(body).toEqual(BYTES);
    if (status === 206) expect(body).toEqual(BYTES.subarray(0, 10));
    if (status === 304) expect([body.length, response.headers.get('etag')]).toEqual([0, ETAG]);
    if (status === 412) expect(JSON.parse(String(body))).toEqual({ message: expect.any(String) });
  });
});
