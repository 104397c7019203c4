import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import { afterEach, expect } from 'vitest';
import { type OpenObject, type SentObject, sendObject } from '../../adapters/http/send-object.ts';
import type { ByteRange } from '../../ports/outbound/object-store.ts';
import { type Listening, listen } from './download-server.ts';

/** A thousand bytes to send, and what is known of them. */
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
  async (range) => ({
    stream: Readable.from(bytes.length === 0 ? [] : [sliceOf(bytes, range)], { objectMode: false }),
  });

let listening: Listening | undefined;
/** What sendObject rejected with, or undefined for each time it resolved. */
let outcomes: unknown[] = [];

afterEach(async () => {
  await listening?.close();
  listening = undefined;
  outcomes = [];
});

/** A real server that answers every request with the object; the address of it. */
export const serve = async (object = objectOf(BYTES), open = opening(BYTES)): Promise<string> => {
  const app = express().disable('etag');
  app.use(async (req, res) => {
    try {
      await sendObject(req, res, object, open);
      outcomes.push(undefined);
    } catch (error) {
      outcomes.push(error);
      if (!res.headersSent) res.status(500).json({ message: 'a fault' });
    }
  });
  listening = await listen(app);
  return listening.url;
};

export const settled = async (): Promise<unknown> => {
  for (let tries = 0; outcomes.length === 0 && tries < 100; tries++) await sleep(10);
  expect(outcomes).toHaveLength(1);
  return outcomes[0];
};

export const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());
