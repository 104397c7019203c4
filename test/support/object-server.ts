import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { createHost } from '../../adapters/host/host.ts';
import { type OpenObject, objectReply, type SentObject } from '../../adapters/host/object-reply.ts';
import { nodeListener } from '../../adapters/http/node-requests.ts';
import type { ByteRange } from '../../ports/outbound/object-store.ts';
import { listen } from './download-server.ts';

/** The 1000 bytes to send; their checksum and ETag are below. */
export const BYTES = randomBytes(1000);
export const SHA256 = createHash('sha256').update(BYTES).digest('hex');
export const ETAG = `"${SHA256}"`;

export const objectOf = (bytes: Buffer, more: Partial<SentObject> = {}): SentObject => ({
  info: { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), etag: ETAG },
  filename: 'a.bin',
  contentType: 'application/octet-stream',
  disposition: 'attachment',
  ...more,
});

const sliceOf = (bytes: Buffer, range?: ByteRange): Buffer =>
  range ? bytes.subarray(range.start, range.end + 1) : bytes;

export const opening =
  (bytes: Buffer): OpenObject =>
  async (range) =>
    Readable.from(bytes.length === 0 ? [] : [sliceOf(bytes, range)], { objectMode: false });

/** The fault of each request that has ended; undefined if there was none. */
let outcomes: unknown[] = [];

/** Starts a real server whose root is the object, and returns its address. */
export const serve = async (object = objectOf(BYTES), open = opening(BYTES)): Promise<string> => {
  outcomes = [];
  const faults = new Map<string, unknown>();
  const host = createHost([{ method: 'GET', path: '/', entry: (request) => objectReply(request, object, open) }], {
    log: ({ id }) => void outcomes.push(faults.get(id)),
    fault: (error, id) => void faults.set(id, error),
    health: async () => {},
  });
  const { url, close } = await listen(nodeListener(host));
  onTestFinished(close);
  return url;
};

/** The fault of the only request, once it has ended. */
export const settled = async (): Promise<unknown> => {
  for (let tries = 0; outcomes.length === 0 && tries < 100; tries++) await sleep(10);
  expect(outcomes).toHaveLength(1);
  return outcomes[0];
};

export const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());
