import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { SignedUpload } from '../../../ports/outbound/object-store.ts';
import { expectNothing, inSeconds, newKey, type OpenedObjectStore, read, sha256Of, streamOf } from './helpers.ts';

/** Anyone with a signed upload can put exactly its bytes until it expires. */
export const signedUploads = (opened: () => OpenedObjectStore): void => {
  const bytes = randomBytes(200_000);
  const use = () => opened().store;
  const sign = async ({ key = newKey(), seconds = 60, of = bytes, contentType = 'image/png' } = {}) => {
    const expiresAt = inSeconds(seconds);
    const terms = { sha256: sha256Of(of), size: of.length, contentType, expiresAt };
    const signed = await use().signUpload(grantPermit(), key, terms);
    return { key, signed, asked: expiresAt };
  };
  const put = async (
    { method, url, headers }: Pick<SignedUpload, 'method' | 'url' | 'headers'>,
    body: Buffer = bytes,
  ): Promise<number> => {
    const init = { method, headers, body: new Uint8Array(body) };
    const response = await (opened().fetchUrl ?? fetch)(url, init);
    await response.body?.cancel();
    return response.status;
  };

  test('a signed upload needs no Authorization, and the store has the object with its SHA-256 and size', async () => {
    const { key, signed } = await sign();
    expect([200, 201]).toContain(await put(signed));
    const kept = { key, size: bytes.length, sha256: sha256Of(bytes) };
    expect(await use().stat(key)).toMatchObject(kept);
    expect((await read(use(), key))?.equals(bytes)).toBe(true);
    expect(await use().put(grantPermit(), key, streamOf(bytes))).toMatchObject({ created: false, info: kept });
  });

  test('an empty signed upload makes an empty object', async () => {
    const { key, signed } = await sign({ of: Buffer.alloc(0) });
    expect([200, 201]).toContain(await put(signed, Buffer.alloc(0)));
    expect(await use().stat(key)).toMatchObject({ size: 0 });
  });

  test('repeating a signed upload changes nothing', async () => {
    const { key, signed } = await sign();
    await put(signed);
    expect([200, 412]).toContain(await put(signed));
    expect((await read(use(), key))?.equals(bytes)).toBe(true);
  });

  test('a signed upload keeps an object of other bytes under its key unchanged', async () => {
    const { key, signed } = await sign();
    const other = randomBytes(bytes.length);
    await use().put(grantPermit(), key, streamOf(other));
    expect(await put(signed)).toBe(412);
    expect((await read(use(), key))?.equals(other)).toBe(true);
  });

  test('one of several concurrent uploads of the same bytes makes the object, and all succeed or find it', async () => {
    const { key, signed } = await sign();
    const statuses = await Promise.all(Array.from({ length: 4 }, () => put(signed)));
    for (const status of statuses) expect([200, 201, 409, 412]).toContain(status);
    expect((await read(use(), key))?.equals(bytes)).toBe(true);
  });

  test.each([
    ['other bytes of the same size', () => randomBytes(bytes.length)],
    ['one byte less', () => bytes.subarray(1)],
    ['one byte more', () => Buffer.concat([bytes, Buffer.alloc(1)])],
    ['no bytes', () => Buffer.alloc(0)],
  ])('a signed upload of %s is refused and stores nothing', async (_, sent) => {
    const { key, signed } = await sign();
    const status = await put(signed, sent());
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    await expectNothing(use(), key);
    expect([200, 201]).toContain(await put(signed));
  });

  test('a signed upload contains no account key and no secret', async () => {
    const told = JSON.stringify((await sign()).signed);
    for (const secret of ['svc_', 'agt_', 'Bearer', ...(opened().secrets ?? [])]) expect(told).not.toContain(secret);
  });

  test.each([
    ['the signature', (url: string) => url.slice(0, -1) + (url.endsWith('A') ? 'B' : 'A')],
    ['the key', (url: string) => url.replace('/contract/', '/contract/x')],
    ['the end', (url: string) => url.replace(/(expires=)(\d)/i, '$11$2')],
  ])('a signed upload with %s changed is 403 and stores nothing', async (_, change) => {
    const { key, signed } = await sign();
    const url = change(signed.url);
    expect(url).not.toBe(signed.url);
    expect(await put({ ...signed, url })).toBe(403);
    await expectNothing(use(), key);
  });

  test('a signed upload with another content type is 403', async () => {
    const { key, signed } = await sign();
    const headers = { ...signed.headers, 'content-type': 'text/html' };
    expect(await put({ ...signed, headers })).toBe(403);
    await expectNothing(use(), key);
  });

  test('a signed upload expires at its stated time and no later than requested', async () => {
    const { key, signed, asked } = await sign({ seconds: 2 });
    const early = Date.parse(asked) - Date.parse(signed.expires_at);
    expect(early).toBeGreaterThanOrEqual(0);
    expect(early).toBeLessThan(1000);
    await (opened().pass ?? sleep)(Date.parse(signed.expires_at) - Date.now() + 20);
    expect(await put(signed)).toBe(403);
    await expectNothing(use(), key);
  });
};
