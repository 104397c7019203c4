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

/** Three parts, the last of one byte. */
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

  /** What was begun and neither ended nor given up. */
  const expectNothingLeft = async (): Promise<void> => {
    const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket }));
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'incoming/' }));
    expect([Uploads, Contents]).toEqual([[], []]);
  };

  test('lie under objects/, with their sum beside them', async () => {
    const key = newKey();
    const { info } = await store.put(key, streamOf(Buffer.from('kept')));
    const head = await s3.send(new HeadObjectCommand({ Bucket, Key: `objects/${key}` }));
    expect(head.Metadata).toEqual({ sha256: info.sha256 });
    expect(info.etag).toBe(`"${info.sha256}"`);
  });

  test.each(KNOWN)('of many parts are kept whole, %s', async (_, expected) => {
    const key = newKey();
    const { created, info } = await store.put(key, inPieces(LARGE, PIECE), expected(LARGE));
    expect([created, info.sha256]).toEqual([true, sha256Of(LARGE)]);
    expect(await store.stat(key)).toEqual(info);
    expect((await read(store, key))?.equals(LARGE)).toBe(true);
    await expectNothingLeft();
    expect(await store.put(key, inPieces(LARGE, PIECE), expected(LARGE))).toEqual({ created: false, info });
    await expect(store.put(key, inPieces(OTHER, PIECE), expected(OTHER))).rejects.toThrow(ObjectExists);
    await expectNothingLeft();
  });

  test.each(KNOWN)('of many parts are put by one of several at once, %s', async (_, expected) => {
    const key = newKey();
    const puts = await Promise.allSettled(
      [LARGE, OTHER, LARGE].map((bytes) => store.put(key, inPieces(bytes, PIECE), expected(bytes))),
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

  test('that arrive as one piece of many parts are kept whole', async () => {
    const key = newKey();
    await store.put(key, streamOf(LARGE));
    expect((await read(store, key))?.equals(LARGE)).toBe(true);
  });

  test('of exactly a part, and of two, are kept whole', async () => {
    for (const parts of [1, 2]) {
      const key = newKey();
      const bytes = LARGE.subarray(0, parts * 8 * 1024 * 1024);
      await store.put(key, inPieces(bytes, PIECE));
      expect((await read(store, key))?.equals(bytes)).toBe(true);
    }
  });

  test('of many parts leave nothing where they break off or are others than expected', async () => {
    const key = newKey();
    await expect(store.put(key, breakingOff(LARGE, new Error('the sender went away')))).rejects.toThrow('went away');
    const wrong = { sha256: sha256Of(OTHER) };
    await expect(store.put(key, inPieces(LARGE, PIECE), wrong)).rejects.toThrow(ChecksumMismatch);
    expect(await store.stat(key)).toBeUndefined();
    await expectNothingLeft();
  });

  test('take no more memory than a few parts, however large they are', async () => {
    const megabyte = randomBytes(1024 * 1024);
    const sum = createHash('sha256');
    for (let i = 0; i < 128; i++) sum.update(megabyte);
    const before = process.memoryUsage().arrayBuffers;
    let most = before;
    const pieces = function* () {
      for (let i = 0; i < 128; i++) {
        most = Math.max(most, process.memoryUsage().arrayBuffers);
        yield Buffer.from(megabyte);
      }
    };
    const stream = Readable.from(pieces(), { objectMode: false });
    await store.put(newKey(), stream, { sha256: sum.digest('hex') });
    expect(most - before).toBeLessThan(96 * 1024 * 1024);
  }, 60_000);

  test('that others put there without a sum are a fault, not missing', async () => {
    const key = newKey();
    await s3.send(new PutObjectCommand({ Bucket, Key: `objects/${key}`, Body: 'x' }));
    await expect(store.stat(key)).rejects.toThrow(StoreUnavailable);
    await expect(store.open(key)).rejects.toThrow(`The bucket ${Bucket} has objects/${key} without its SHA-256.`);
  });

  test('are not what is on its way in, whatever a key is called', async () => {
    await s3.send(new PutObjectCommand({ Bucket, Key: 'incoming/a', Body: 'x', Metadata: { sha256: 'x' } }));
    expect(await store.stat('incoming/a')).toBeUndefined();
    await store.put('incoming/a', streamOf(Buffer.from('mine')));
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: 'incoming/a' }));
    expect(await Body?.transformToString()).toBe('x');
  });

  describe('have a signed URL', () => {
    const as = { filename: 'setup.zip', contentType: 'application/zip' };
    const sign = async (seconds: number) => {
      const key = newKey();
      await store.put(key, streamOf(Buffer.from('kept')));
      return store.signDownload(key, { ...as, expiresAt: inSeconds(seconds) });
    };
    const statusOf = async (url: string): Promise<number> => {
      const response = await fetch(url);
      await response.body?.cancel();
      return response.status;
    };

    test('that nobody keeps, and that asks for no checksum', async () => {
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
    ])('that is refused with another one of %s', async (_, from, to) => {
      const { url } = await sign(60);
      expect(await statusOf(url)).toBe(200);
      expect(url).toContain(from);
      expect(await statusOf(url.replace(from, to))).toBe(403);
    });

    test('that has ended where it was to end in the past', async () => {
      const { url, expires_at } = await sign(-60);
      expect(Date.parse(expires_at)).toBeLessThan(Date.now() - 59_000);
      expect(await statusOf(url)).toBe(403);
    });
  });
});
