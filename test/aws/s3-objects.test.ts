import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, test } from 'vitest';
import { S3Objects } from '../../adapters/s3/s3-objects.ts';
import { StoreUnavailable } from '../../adapters/store/table.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { ChecksumMismatch, ObjectExists } from '../../ports/outbound/object-store.ts';
import {
  breakingOff,
  inPieces,
  inSeconds,
  newKey,
  read,
  sha256Of,
  streamOf,
} from '../contracts/object-store/helpers.ts';
import { objectStoreContract } from '../contracts/object-store.ts';
import { newBucket, s3 } from './support/buckets.ts';

objectStoreContract('S3Objects', async () => ({
  store: new S3Objects(await newBucket()),
  secrets: [process.env['AWS_SECRET_ACCESS_KEY'] as string],
}));

/** The content of an object of three parts, the last with one byte. */
const LARGE = randomBytes(16 * 1024 * 1024 + 1);
const OTHER = randomBytes(LARGE.length);
const PIECE = 1_000_003;

const KNOWN: readonly [string, (bytes: Buffer) => { sha256?: string }][] = [
  ['whose sum was told before', (bytes) => ({ sha256: sha256Of(bytes) })],
  ['whose sum nobody told', () => ({})],
];

describe('objects in a bucket', () => {
  let Bucket: string;
  let store: S3Objects;

  beforeAll(async () => {
    Bucket = await newBucket();
    store = new S3Objects(Bucket);
  });

  /** Expects that the bucket has no unfinished upload and no incoming object. */
  const expectNothingLeft = async (): Promise<void> => {
    const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket }));
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'incoming/' }));
    expect([Uploads, Contents]).toEqual([[], []]);
  };

  test('an object lies under objects/, with its SHA-256 in its metadata', async () => {
    const key = newKey();
    const { info } = await store.put(grantPermit(), key, streamOf(Buffer.from('kept')));
    const head = await s3.send(new HeadObjectCommand({ Bucket, Key: `objects/${key}` }));
    expect(head.Metadata).toEqual({ sha256: info.sha256 });
    expect(info.etag).toBe(`"${info.sha256}"`);
  });

  test.each(KNOWN)('an object of many parts %s is stored whole', async (_, expected) => {
    const key = newKey();
    const { created, info } = await store.put(grantPermit(), key, inPieces(LARGE, PIECE), expected(LARGE));
    expect([created, info.sha256]).toEqual([true, sha256Of(LARGE)]);
    expect(await store.stat(key)).toEqual(info);
    expect((await read(store, key))?.equals(LARGE)).toBe(true);
    await expectNothingLeft();
    expect(await store.put(grantPermit(), key, inPieces(LARGE, PIECE), expected(LARGE))).toEqual({
      created: false,
      info,
    });
    await expect(store.put(grantPermit(), key, inPieces(OTHER, PIECE), expected(OTHER))).rejects.toThrow(ObjectExists);
    await expectNothingLeft();
  });

  test.each(KNOWN)('one of several concurrent puts of an object of many parts %s creates it', async (_, expected) => {
    const key = newKey();
    const puts = await Promise.allSettled(
      [LARGE, OTHER, LARGE].map((bytes) => store.put(grantPermit(), key, inPieces(bytes, PIECE), expected(bytes))),
    );
    const created = puts.map((put) => put.status === 'fulfilled' && put.value.created);
    expect(created.filter(Boolean)).toHaveLength(1);
    const kept = await store.stat(key);
    for (const [i, put] of puts.entries()) {
      const isSame = kept?.sha256 === sha256Of([LARGE, OTHER, LARGE][i] as Buffer);
      expect(put.status === 'rejected' ? put.reason : undefined).toEqual(isSame ? undefined : expect.any(ObjectExists));
    }
    await expectNothingLeft();
  });

  test('an object of many parts that arrives as one chunk is stored whole', async () => {
    const key = newKey();
    await store.put(grantPermit(), key, streamOf(LARGE));
    expect((await read(store, key))?.equals(LARGE)).toBe(true);
  });

  test('an object of exactly one part, and one of exactly two, are stored whole', async () => {
    for (const parts of [1, 2]) {
      const key = newKey();
      const bytes = LARGE.subarray(0, parts * 8 * 1024 * 1024);
      await store.put(grantPermit(), key, inPieces(bytes, PIECE));
      expect((await read(store, key))?.equals(bytes)).toBe(true);
    }
  });

  test('an upload of many parts that breaks off or has a wrong SHA-256 leaves nothing', async () => {
    const key = newKey();
    await expect(store.put(grantPermit(), key, breakingOff(LARGE, new Error('the sender went away')))).rejects.toThrow(
      'went away',
    );
    const wrong = { sha256: sha256Of(OTHER) };
    await expect(store.put(grantPermit(), key, inPieces(LARGE, PIECE), wrong)).rejects.toThrow(ChecksumMismatch);
    expect(await store.stat(key)).toBeUndefined();
    await expectNothingLeft();
  });

  test('an upload of 256 MiB takes the memory of a few parts', async () => {
    const megabyte = randomBytes(1024 * 1024);
    const sum = createHash('sha256');
    for (let i = 0; i < 256; i++) sum.update(megabyte);
    const before = process.memoryUsage().arrayBuffers;
    let most = before;
    const pieces = function* () {
      for (let i = 0; i < 256; i++) {
        most = Math.max(most, process.memoryUsage().arrayBuffers);
        yield Buffer.from(megabyte);
      }
    };
    const stream = Readable.from(pieces(), { objectMode: false });
    await store.put(grantPermit(), newKey(), stream, { sha256: sum.digest('hex') });
    expect(most - before).toBeLessThan(160 * 1024 * 1024);
  }, 60_000);

  test('an object without its SHA-256 is an error and not missing', async () => {
    const key = newKey();
    await s3.send(new PutObjectCommand({ Bucket, Key: `objects/${key}`, Body: 'x' }));
    await expect(store.stat(key)).rejects.toThrow(StoreUnavailable);
    await expect(store.open(key)).rejects.toThrow(`The bucket ${Bucket} has objects/${key} without its SHA-256.`);
  });

  test('an object with a key below incoming/ never collides with an upload in progress', async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: 'incoming/a', Body: 'x', Metadata: { sha256: 'x' } }));
    expect(await store.stat('incoming/a')).toBeUndefined();
    await store.put(grantPermit(), 'incoming/a', streamOf(Buffer.from('mine')));
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: 'incoming/a' }));
    expect(await Body?.transformToString()).toBe('x');
  });

  describe('the signed URL of an object', () => {
    const as = { filename: 'setup.zip', contentType: 'application/zip' };
    const sign = async (seconds: number) => {
      const key = newKey();
      await store.put(grantPermit(), key, streamOf(Buffer.from('kept')));
      return store.signDownload(key, { ...as, expiresAt: inSeconds(seconds) });
    };
    const statusOf = async (url: string): Promise<number> => {
      const response = await fetch(url);
      await response.body?.cancel();
      return response.status;
    };

    test('a download by signed URL is not cacheable, and its URL requests no checksum', async () => {
      const { url } = await sign(900);
      const response = await fetch(url);
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
      expect(await response.text()).toBe('kept');
      expect(url).not.toMatch(/checksum/i);
      expect(new URL(url).searchParams.get('X-Amz-Expires')).toMatch(/^(?:899|900)$/);
    });

    test.each([
      ['the name', 'setup.zip', 'other.zip'],
      ['the type', 'application%2Fzip', 'text%2Fhtml'],
      ['the object', '/objects/contract/', '/objects/contract/x'],
      ['the end', 'X-Amz-Expires=', 'X-Amz-Expires=1'],
    ])('a signed URL with %s changed is 403', async (_, from, to) => {
      const { url } = await sign(60);
      expect(await statusOf(url)).toBe(200);
      expect(url).toContain(from);
      expect(await statusOf(url.replace(from, to))).toBe(403);
    });

    test('an expired signed URL is 403', async () => {
      const { url, expires_at } = await sign(-60);
      expect(Date.parse(expires_at)).toBeLessThan(Date.now() - 59_000);
      expect(await statusOf(url)).toBe(403);
    });
  });

  describe('the signed upload of an object', () => {
    const sign = () => {
      const terms = { sha256: sha256Of(Buffer.from('kept')), size: 4, contentType: 'image/png' };
      return store.signUpload(grantPermit(), newKey(), { ...terms, expiresAt: inSeconds(60) });
    };

    test('a signed upload fixes the length, type, checksum and key of its bytes', async () => {
      const { url, headers } = await sign();
      expect(new URL(url).searchParams.get('X-Amz-SignedHeaders')?.split(';')).toEqual(
        ['host', 'content-length', ...Object.keys(headers)].toSorted(),
      );
      expect(url).not.toMatch(/crc32/i);
    });

    test.each([
      'content-type',
      'if-none-match',
      'x-amz-checksum-sha256',
      'x-amz-meta-sha256',
    ])('a signed upload without its header %s is 403', async (name) => {
      const { url, headers } = await sign();
      const rest = Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));
      const body = new TextEncoder().encode('kept');
      expect((await fetch(url, { method: 'PUT', headers: rest, body })).status).toBe(403);
      expect((await fetch(url, { method: 'PUT', headers, body })).status).toBe(200);
    });
  });
});
