import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MemoryObjects } from '../../adapters/memory/memory-objects.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { withDownloads } from '../support/download-server.ts';

let opened: Awaited<ReturnType<typeof withDownloads<MemoryObjects>>>;
let now = Date.now();

beforeAll(async () => {
  opened = await withDownloads(
    (signature) => new MemoryObjects(signature),
    () => now,
  );
  await opened.store.put(grantPermit(), 'sha256/ab12', Readable.from([Buffer.from('the bytes')]));
});
afterAll(() => opened.close());

const sign = async (key = 'sha256/ab12'): Promise<string> => {
  const as = { filename: '설치.zip', contentType: 'application/zip', expiresAt: new Date(now + 60_000).toISOString() };
  return (await opened.store.signDownload(key, as)).url;
};

const messageOf = async (response: Response): Promise<unknown> => {
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  return response.json();
};

test('a signed download is never cached or shown in the page', async () => {
  const response = await fetch(await sign());
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="??.zip"; filename*=UTF-8''${encodeURIComponent('설치.zip')}`,
  );
  expect(await response.text()).toBe('the bytes');
});

test.each([
  'Bearer svc_revoked',
  'Basic !',
  '',
])('an Authorization header of %j changes nothing', async (authorization) => {
  const response = await fetch(await sign(), { headers: { authorization } });
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('the bytes');
});

test('HEAD of a download returns the headers of GET without the bytes', async () => {
  const url = await sign();
  const [head, get] = [await fetch(url, { method: 'HEAD' }), await fetch(url)];
  const told = (response: Response): object => ({
    ...Object.fromEntries(response.headers),
    date: '',
    'x-request-id': '',
    connection: '',
    'keep-alive': '',
  });
  expect(head.status).toBe(200);
  expect(told(head)).toEqual(told(get));
  expect(await head.text()).toBe('');
});

test('an expired link is 403 and says what to do', async () => {
  const url = await sign();
  now += 60_000;
  const response = await fetch(url);
  expect(response.status).toBe(403);
  expect(await messageOf(response)).toEqual({
    message:
      'This link has expired. Ask for a new install plan to get a file, or for the product again to get a picture.',
  });
});

test.each([
  ['a changed name', (url: string) => url.replace('.zip', '.exe')],
  ['a changed type', (url: string) => url.replace('type=application', 'type=text')],
  ['a later end', (url: string) => url.replace(/expires=\d+/, 'expires=9999999999')],
  ['no query', (url: string) => url.replace(/\?.*/, '')],
])('a link with %s is 403', async (_, change) => {
  const response = await fetch(change(await sign()));
  expect(response.status).toBe(403);
  expect(await messageOf(response)).toEqual({ message: expect.stringContaining('not valid') });
});

test.each([
  ['a broken percent sign', (url: string) => url.replace('%', '%%')],
  ['nothing but the path', (url: string) => new URL('/downloads', url).href],
])('a URL with %s is not a link and is 404', async (_, change) => {
  const response = await fetch(change(await sign()));
  expect(response.status).toBe(404);
  expect(await messageOf(response)).toEqual({ message: expect.any(String) });
});

test('a signed link to a deleted object is 404', async () => {
  const response = await fetch(await sign('sha256/gone'));
  expect(response.status).toBe(404);
  expect(await messageOf(response)).toEqual({ message: expect.any(String) });
});

test.each([
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
])('the method %s of a download is 405, and the response names the allowed methods', async (method) => {
  const response = await fetch(await sign(), { method });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET, HEAD');
  expect(await messageOf(response)).toEqual({ message: expect.any(String) });
});
