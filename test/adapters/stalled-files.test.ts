import { hash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from 'vitest';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { UploadSignature } from '../../adapters/filesystem/upload-signature.ts';
import { readForm } from '../../adapters/host/form.ts';
import type { HostRequest } from '../../adapters/host/request.ts';
import { uploadsRoute } from '../../adapters/host/signed-urls.ts';
import { SpoolFolder } from '../../adapters/host/spool.ts';
import { MemoryObjects } from '../../adapters/memory/memory-objects.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { SECRET } from '../support/download-server.ts';

const PACE = { bytesPerSecond: 10_000, graceMs: 60 };
const folder = mkdtempSync(join(tmpdir(), 'stalled-files-'));

afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  expect(readdirSync(folder)).toEqual([]);
});

const asked = (more: Partial<HostRequest>): HostRequest => ({
  method: 'POST',
  path: '/',
  query: '',
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  address: () => '203.0.113.7',
  length: undefined,
  body: () => new PassThrough(),
  ...more,
});

const HEAD = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';
const limits = { fieldBytes: 1000, files: { file: { maxBytes: 1_000_000, required: true } }, pace: PACE };

const withSpool = async <T>(use: (spool: NonNullable<ReturnType<SpoolFolder['take']>>) => Promise<T>): Promise<T> => {
  const spool = new SpoolFolder(folder).take('anybody');
  if (!spool) throw new Error('There is no place.');
  try {
    return await use(spool);
  } finally {
    await spool.remove();
  }
};

test.each<[string, string]>([
  ['before its first byte', ''],
  ['in the middle of its file', `${HEAD}abc`],
  ['after a large part that came fast', `${HEAD}${'x'.repeat(900_000)}`],
])('a form that stalls %s is refused and leaves no file', async (_, sent) => {
  const body = new PassThrough();
  body.write(sent);
  const outcome = await withSpool((spool) => readForm(asked({ body: () => body }), spool, limits));
  expect(outcome).toMatchObject({ ok: false, code: 'body_too_slow' });
  // The client can still read the response.
  expect(body.destroyed).toBe(false);
});

test('a form at the minimum rate is read, however long it takes', async () => {
  const body = new PassThrough();
  const slowly = { ...limits, pace: { ...PACE, graceMs: 1000 } };
  const outcome = withSpool((spool) => readForm(asked({ body: () => body }), spool, slowly));
  body.write(HEAD);
  for (let n = 0; n < 36; n++) {
    body.write('x'.repeat(1000));
    await sleep(40);
  }
  body.end('\r\n--x--\r\n');
  expect(await outcome).toMatchObject({ ok: true, value: { files: { file: { size: 36_000 } } } });
});

test('a stalled upload by a signed link is 408, stores nothing and frees its place', async () => {
  const options = { secret: SECRET, baseUrl: () => 'http://a' };
  const uploads = new UploadSignature(options);
  const store = new MemoryObjects(new DownloadSignature(options), uploads);
  const { entry } = uploadsRoute(store, uploads, PACE);
  const bytes = Buffer.alloc(100_000, 'x');
  const terms = { sha256: hash('sha256', bytes), size: bytes.length, contentType: 'image/png' };
  const signed = await store.signUpload(grantPermit(), 'design/1', {
    ...terms,
    expiresAt: new Date(Date.now() + 60_000).toISOString(),
  });
  const url = new URL(signed.url);
  const target = { method: 'PUT', path: url.pathname, query: url.search.slice(1), headers: signed.headers };
  for (let n = 0; n < 3; n++) {
    const replies = Array.from({ length: 20 }, () => {
      const body = new PassThrough();
      body.write(bytes.subarray(0, 50_000));
      return entry(asked({ ...target, body: () => body }), {}, 'an id');
    });
    for (const reply of replies) expect((await reply).status).toBe(408);
  }
  expect(await store.stat('design/1')).toBeUndefined();
  expect((await entry(asked({ ...target, length: bytes.length, body: () => bytes }), {}, 'an id')).status).toBe(201);
});

test.each([
  ['../a/b.txt', 'b.txt'],
  [`${'a'.repeat(254)}🦊.txt`, `${'a'.repeat(254)}\ufffd`],
])('the file name %s is cut to a length that every store accepts', async (sent, name) => {
  const body = new PassThrough();
  body.end(`${HEAD.replace('a.bin', sent)}abc\r\n--x--\r\n`);
  const outcome = await withSpool((spool) => readForm(asked({ body: () => body }), spool, limits));
  expect(outcome).toMatchObject({ value: { files: { file: { name } } } });
});
