import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limitStreams } from '../../application/access/limit-rate.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Owner } from '../../domain/access/rate-limit.ts';
import { STREAMS_AT_ONCE } from '../../domain/access/rate-limit.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import { MINUTE_MS, toInstant } from '../../domain/shared/instant.ts';
import { anArtifact, aProduct, aRelease } from '../support/builders.ts';
import { aBuyer } from '../surface/buyers.ts';
import { type LambdaMount, openEmbeddedLambda } from './lambda-mount.ts';

const MB = 1024 * 1024;
const SIZE = 200 * MB;
const PRODUCT = 50;

/** The allowed memory growth of a streaming function, far below the size of the file. */
const MEMORY_BYTES = 100 * MB;

/** The blocks of the file, each with different content. */
const blocks = function* (): Generator<Buffer> {
  for (let n = 0; n < SIZE / MB; n++) yield Buffer.alloc(MB, `block ${n} `);
};

/** The peak memory of a process so far. */
const peakBytes = async (pid: number): Promise<number> => {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
};

describe('a file of 200 MB through a function', () => {
  let mount: LambdaMount;
  let key: string;
  let sha256: string;
  let owner: Owner;

  beforeAll(async () => {
    mount = await openEmbeddedLambda();
    const { service } = mount;
    const sum = createHash('sha256');
    for (const block of blocks()) sum.update(block);
    sha256 = sum.digest('hex');
    await service.get('objects').put(grantPermit(), objectKeyOf(sha256), Readable.from(blocks()));
    await service
      .get('catalogEditor')
      .save(grantPermit(), { kind: 'product', value: aProduct({ id: PRODUCT, slug: 'large' }) });
    const release = aRelease({ product_id: PRODUCT, artifacts: [anArtifact({ sha256, size: SIZE })] });
    const editor = service.get('releaseEditor');
    await editor.save(grantPermit(), release, await editor.read(PRODUCT, release.version));
    const buyer = await aBuyer(service, { product_id: PRODUCT });
    key = buyer.key;
    owner = { kind: 'account', id: buyer.account };
  }, 60_000);
  afterAll(() => mount.close());

  const ask = (headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${mount.urls.api}/api/products/${PRODUCT}/bundle`, {
      headers: { Authorization: `Bearer ${key}`, ...headers },
    });

  test('a download of 200 MB through a function arrives whole, in less memory than the file', async () => {
    await (await ask({ range: 'bytes=0-0' })).arrayBuffer();
    const [pid] = await mount.fleets.downloads.pids();
    const before = await peakBytes(pid as number);
    const response = await ask();
    expect([response.status, response.headers.get('content-length')]).toEqual([200, String(SIZE)]);
    const sum = createHash('sha256');
    for await (const chunk of response.body as ReadableStream<Uint8Array>) sum.update(chunk);
    expect(sum.digest('hex')).toBe(sha256);
    expect((await peakBytes(pid as number)) - before).toBeLessThan(MEMORY_BYTES);
  }, 60_000);

  test('a range of a 200 MB file through a function is 206, and a request with its ETag is 304', async () => {
    const start = 150 * MB;
    const part = await ask({ range: `bytes=${start}-${start + 9}` });
    expect([part.status, await part.text()]).toEqual([206, 'block 150 ']);
    const again = await ask({ 'if-none-match': part.headers.get('etag') as string });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('an account with its maximum number of streams gets 429 until one ends, and a finished download no longer counts', async () => {
    // The current quarter of an hour, and the next one, which may begin during the test.
    const clocks = [0, 15].map((minutes) => ({ now: () => toInstant(Date.now() + minutes * MINUTE_MS) }));
    const limits = clocks.map((clock) => limitStreams({ rateLimits: mount.service.get('rateLimits'), clock }));
    const begin = () => Promise.all(limits.map((limit) => limit(owner)));
    const part = async () => {
      const response = await ask({ range: `bytes=0-${MB}` });
      await response.arrayBuffer();
      return response;
    };
    const [first] = await Promise.all(Array.from({ length: STREAMS_AT_ONCE }, begin));
    const refused = await part();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    for (const end of first ?? []) await end?.();
    for (let n = 0; n < 3; n++) expect((await part()).status).toBe(206);
  });
});
