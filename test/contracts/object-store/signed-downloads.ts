import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inSeconds, type OpenedObjectStore, stored } from './helpers.ts';

/** Anyone with a signed URL can fetch the object until the URL expires. */
export const signedDownloads = (opened: () => OpenedObjectStore): void => {
  const bytes = randomBytes(200_000);
  const fetchUrl = (url: string, init?: RequestInit): Promise<Response> => (opened().fetchUrl ?? fetch)(url, init);
  const pass = (ms: number): Promise<unknown> => (opened().pass ?? sleep)(ms);
  const sign = async (as: { filename?: string; contentType?: string; seconds?: number } = {}) => {
    const { filename = 'setup.zip', contentType = 'application/zip', seconds = 60 } = as;
    const expiresAt = inSeconds(seconds);
    const { store } = opened();
    const signed = await store.signDownload(await stored(store, bytes), { filename, contentType, expiresAt });
    return { ...signed, asked: expiresAt };
  };

  test('a signed download needs no Authorization and returns the whole object', async () => {
    const response = await fetchUrl((await sign()).url);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': '200000',
      'content-disposition': expect.stringMatching(/^attachment; ?filename="?setup\.zip"?/),
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[^"]+"$/),
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('two downloads that are signed for the same period have the same URL, and it works', async () => {
    const { store } = opened();
    const key = await stored(store, bytes);
    const as = { filename: 'a.png', contentType: 'image/png', signedAt: inSeconds(-600), expiresAt: inSeconds(60) };
    const first = await store.signDownload(key, as);
    await pass(1100);
    expect(await store.signDownload(key, as)).toEqual(first);
    const response = await fetchUrl(first.url);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    await response.body?.cancel();
  });

  test('a signed download returns a range', async () => {
    const response = await fetchUrl((await sign()).url, { headers: { Range: 'bytes=1000-1999' } });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe('bytes 1000-1999/200000');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes.subarray(1000, 2000));
  });

  test('a signed download keeps a file name beyond ASCII', async () => {
    const response = await fetchUrl((await sign({ filename: '설치 & "1".zip' })).url);
    expect(response.status).toBe(200);
    const [, encoded = ''] = /filename\*=UTF-8''([^;]+)/i.exec(response.headers.get('content-disposition') ?? '') ?? [];
    expect(decodeURIComponent(encoded)).toBe('설치 & "1".zip');
    await response.body?.cancel();
  });

  test('a signed URL contains no account key and no secret', async () => {
    const { url } = await sign();
    for (const secret of ['svc_', 'Bearer', ...(opened().secrets ?? [])]) expect(url).not.toContain(secret);
  });

  test('a signed URL that was changed is refused', async () => {
    const { url } = await sign();
    const response = await fetchUrl(url.slice(0, -1) + (url.endsWith('A') ? 'B' : 'A'));
    expect(response.status).toBe(403);
    await response.body?.cancel();
  });

  // A busy machine may fetch too late; the next attempt is then in time.
  test('a signed URL expires at its stated time and no later than requested', { retry: 3 }, async () => {
    const { url, expires_at, asked } = await sign({ seconds: 3 });
    const early = Date.parse(asked) - Date.parse(expires_at);
    expect(early).toBeGreaterThanOrEqual(0);
    expect(early).toBeLessThan(1000);
    const before = await fetchUrl(url);
    expect(before.status).toBe(200);
    await before.body?.cancel();
    await pass(Date.parse(expires_at) - Date.now() + 20);
    const after = await fetchUrl(url);
    expect(after.status).toBe(403);
    await after.body?.cancel();
  });
};
