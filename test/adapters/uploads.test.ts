import { hash, randomBytes } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { UploadSignature } from '../../adapters/filesystem/upload-signature.ts';
import { UPLOADS_OF_ADDRESS } from '../../adapters/host/signed-urls.ts';
import { MemoryObjects } from '../../adapters/memory/memory-objects.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { SignedUpload } from '../../ports/outbound/object-store.ts';
import { SECRET, withDownloads } from '../support/download-server.ts';

const BYTES = randomBytes(100_000);
let opened: Awaited<ReturnType<typeof withDownloads<MemoryObjects>>>;
let now = Date.now();

beforeAll(async () => {
  opened = await withDownloads(
    (...signatures) => new MemoryObjects(...signatures),
    () => now,
  );
});
afterAll(async () => {
  await opened.close();
  expect(opened.faults).toEqual([]);
});

let keys = 0;
const sign = async (bytes = BYTES): Promise<{ key: string; signed: SignedUpload }> => {
  const key = `design/${keys++}`;
  const expiresAt = new Date(now + 60_000).toISOString();
  const terms = { sha256: hash('sha256', bytes), size: bytes.length, contentType: 'image/png', expiresAt };
  return { key, signed: await opened.store.signUpload(grantPermit(), key, terms) };
};

const put = ({ method, url, headers }: SignedUpload, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { method, body: new Uint8Array(BYTES), ...init, headers: { ...headers, ...init.headers } });

const messageOf = async (response: Response): Promise<string> => {
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  return ((await response.json()) as { message: string }).message;
};

/** Starts an upload; the caller writes its body. */
const begin = ({ url, headers }: SignedUpload, more: Record<string, string> = {}) => {
  const sent = request(url, { method: 'PUT', headers: { ...headers, ...more } });
  const status = new Promise<number>((resolve, reject) => {
    sent.once('response', (answer) => resolve(answer.resume().statusCode ?? 0));
    sent.once('error', reject);
  });
  status.catch(() => {});
  return { sent, status };
};

const writeAll = (sent: ClientRequest, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve) => sent.write(bytes, () => resolve()));

test('an upload is 201 with the file, and 200 if the file exists', async () => {
  const { signed } = await sign();
  const file = { sha256: hash('sha256', BYTES), size: BYTES.length };
  for (const status of [201, 200]) {
    const response = await put(signed);
    expect([response.status, await response.json()]).toEqual([status, file]);
  }
});

test.each(['Bearer agt_revoked', 'Basic !', ''])('an Authorization header of %j changes nothing', async (given) => {
  const { signed } = await sign();
  expect((await put(signed, { headers: { authorization: given } })).status).toBe(201);
});

test('an expired upload link is 403 and says what to do', async () => {
  const { key, signed } = await sign();
  now += 60_000;
  const response = await put(signed);
  expect(response.status).toBe(403);
  expect(await messageOf(response)).toBe('This upload link has expired. Upload the capture again to get another.');
  expect(await opened.store.stat(key)).toBeUndefined();
});

test.each([
  ['a larger size', (url: string) => url.replace('size=100000', 'size=100001')],
  ['another sum', (url: string) => url.replace(/sha256=\w{2}/, 'sha256=zz')],
  ['another type', (url: string) => url.replace('type=image', 'type=text')],
  ['a later end', (url: string) => url.replace(/expires=\d+/, 'expires=9999999999')],
  ['a parameter twice', (url: string) => `${url}&size=100000`],
  ['no query', (url: string) => url.replace(/\?.*/, '')],
])('an upload link with %s is 403', async (_, change) => {
  const { signed } = await sign();
  const response = await put({ ...signed, url: change(signed.url) });
  expect(response.status).toBe(403);
  expect(await messageOf(response)).toContain('not valid');
});

test('an upload with another type than the link’s is 403 and stores nothing', async () => {
  const { key, signed } = await sign();
  const response = await put(signed, { headers: { 'content-type': 'text/html' } });
  expect([response.status, await messageOf(response)]).toEqual([403, expect.stringContaining('not valid')]);
  expect(await opened.store.stat(key)).toBeUndefined();
});

test('a download signature is never valid for an upload', () => {
  const options = { secret: SECRET, baseUrl: '' };
  const { url } = new DownloadSignature(options).sign(
    { key: 'design', filename: 'a', contentType: 'image/png' },
    new Date(now + 60_000).toISOString(),
  );
  const query = `${url.slice(url.indexOf('?') + 1)}&sha256=${'a'.repeat(64)}&size=1`;
  expect(new UploadSignature(options).read(`/design/a?${query}`)).toEqual({ state: 'invalid' });
});

test('a body with a larger stated length is 413 before it is read', async () => {
  const { key, signed } = await sign();
  const { sent, status } = begin(signed, { 'content-length': String(BYTES.length + 1) });
  sent.flushHeaders();
  expect(await status).toBe(413);
  sent.destroy();
  expect(await opened.store.stat(key)).toBeUndefined();
});

test('a body of unknown length is 413 as soon as it is too long, and is never fully buffered', async () => {
  const { key, signed } = await sign();
  const { sent, status } = begin(signed);
  await writeAll(sent, BYTES);
  await writeAll(sent, Buffer.alloc(1));
  expect(await status).toBe(413);
  sent.destroy();
  expect(await opened.store.stat(key)).toBeUndefined();
});

test.each([
  ['other bytes', randomBytes(BYTES.length)],
  ['fewer bytes', BYTES.subarray(1)],
])('a body of %s is 422 and names the expected bytes', async (_, body) => {
  const { signed } = await sign();
  const response = await put(signed, { body: new Uint8Array(body) });
  expect(response.status).toBe(422);
  expect(await messageOf(response)).toContain(`100000 bytes with the SHA-256 ${hash('sha256', BYTES)}`);
});

test('a truncated body stores nothing, and the same link can be used again', async () => {
  const { key, signed } = await sign();
  const { sent } = begin(signed, { 'content-length': String(BYTES.length) });
  await writeAll(sent, BYTES.subarray(0, 50_000));
  sent.destroy();
  await sleep(50);
  expect(await opened.store.stat(key)).toBeUndefined();
  expect((await put(signed)).status).toBe(201);
});

test('a process accepts a limited number of uploads of one IP address at once, and the next one is 503', async () => {
  const waiting = await Promise.all(
    Array.from({ length: UPLOADS_OF_ADDRESS }, async () => {
      const upload = begin((await sign()).signed, { 'content-length': String(BYTES.length) });
      await writeAll(upload.sent, BYTES.subarray(0, 10));
      return upload;
    }),
  );
  // The uploads have arrived once there is no room for another.
  await expect.poll(async () => (await put((await sign()).signed)).status).toBe(503);
  const { signed } = await sign();
  const refused = await put(signed);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  for (const { sent } of waiting) sent.end(BYTES.subarray(10));
  expect(new Set(await Promise.all(waiting.map(({ status }) => status)))).toEqual(new Set([201]));
  expect((await put(signed)).status).toBe(201);
});

test.each(['GET', 'POST', 'DELETE'])('the method %s of an upload link is 405', async (method) => {
  const { signed } = await sign();
  const response = await fetch(signed.url, { method });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'PUT']);
});
