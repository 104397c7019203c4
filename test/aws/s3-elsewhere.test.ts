import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { S3Objects } from '../../adapters/s3/s3-objects.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { readConfig } from '../../runtimes/configuration/config.ts';
import { probeObjects } from '../../runtimes/doctor/files.ts';
import { BUILT_IN } from '../../runtimes/engines/built-in.ts';
import { newKey, read, streamOf } from '../contracts/object-store/helpers.ts';
import { objectStoreContract } from '../contracts/object-store.ts';
import { newBucket } from './support/buckets.ts';

/* S3-compatible servers of other vendors, each without a part of the protocol. */

/**
 * A server that refuses some headers with 501, or ignores them, and forwards the requests to moto, which checks no
 * signatures: an ignored header is a signed one.
 */
const without = async (missing: (name: string) => 'refused' | 'ignored' | 'known') => {
  const server: Server = createServer((req, res) => {
    const headers = { ...req.headers };
    for (const name of Object.keys(headers)) {
      const way = missing(name);
      if (way === 'ignored') delete headers[name];
      if (way !== 'refused') continue;
      res.writeHead(501).end(`<Error><Code>NotImplemented</Code><Message>${name} is not implemented</Message></Error>`);
      return;
    }
    const to = request(
      `${process.env['AWS_ENDPOINT_URL_SECRETS_MANAGER']}${req.url}`,
      { method: req.method, headers },
      (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      },
    );
    req.pipe(to);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

objectStoreContract('S3Objects without checksums of requests', async () => ({
  store: new S3Objects(await newBucket(), { requestChecksumCalculation: 'WHEN_REQUIRED', forcePathStyle: true }),
  secrets: [process.env['AWS_SECRET_ACCESS_KEY'] as string],
}));

describe('a server of another vendor', () => {
  beforeEach(() => void vi.stubEnv('AWS_REQUEST_CHECKSUM_CALCULATION', 'WHEN_REQUIRED'));
  afterEach(() => void vi.unstubAllEnvs());

  test.each([
    ['https://files.example.com', 'https://files.example.com/shop-files/'],
    ['https://s3.eu-west-1.amazonaws.com', 'https://shop-files.s3.eu-west-1.amazonaws.com/'],
  ])('the URLs of the server %s begin with %s', async (endpoint, beginning) => {
    vi.stubEnv('AWS_ENDPOINT_URL_S3', endpoint);
    const { place } = readConfig({ STORE: 'memory', OBJECTS: 's3', BUCKET_NAME: 'shop-files' }).objects;
    const { objects } = await BUILT_IN.objects.s3.open(place, undefined as never);
    const terms = { filename: 'a.zip', contentType: 'application/zip', expiresAt: '2100-01-01T00:00:00.000Z' };
    const signed = await objects.signDownload('sha256/a', { ...terms, signedAt: '2099-12-31T23:00:00.000Z' });
    expect(signed.url.startsWith(beginning)).toBe(true);
  });

  test.each([1, 20 * 1024 * 1024])('a file of %i bytes is stored on a server without CRC-32', async (size) => {
    const endpoint = await without((name) => (/crc|checksum-algorithm|trailer/.test(name) ? 'refused' : 'known'));
    const store = new S3Objects(await newBucket(), { endpoint, forcePathStyle: true });
    const [key, bytes] = [newKey(), Buffer.alloc(size, 7)];
    await store.put(grantPermit(), key, streamOf(bytes));
    expect(await read(store, key)).toEqual(bytes);
  });

  test('doctor names a server that ignores If-None-Match', async () => {
    const endpoint = await without((name) => (name === 'if-none-match' ? 'ignored' : 'known'));
    const look = async (store: S3Objects) => probeObjects({ get: () => store } as never);
    const [bucket, forcePathStyle] = [await newBucket(), true];
    expect(await look(new S3Objects(bucket, { forcePathStyle }))).toMatchObject({ ok: true });
    expect(await look(new S3Objects(bucket, { endpoint, forcePathStyle }))).toMatchObject({
      ok: false,
      message: expect.stringContaining('ignores If-None-Match'),
    });
  });
});
