import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { ChecksumMismatch } from '../../ports/outbound/object-store.ts';

export type Received = { readonly size: number; readonly sha256: string };

/**
 * Takes a stream chunk by chunk and tells what it was. Fails with ChecksumMismatch where that is not what was expected,
 * as soon as it is too long, and with the stream's own error where it breaks off. Whatever ends it early destroys the
 * stream.
 */
export const receive = async (
  bytes: Readable,
  expected: { sha256?: string; size?: number },
  take: (chunk: Buffer) => void | Promise<void>,
): Promise<Received> => {
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of bytes as AsyncIterable<Uint8Array | string>) {
    const chunk = Buffer.isBuffer(piece) ? piece : Buffer.from(piece);
    size += chunk.length;
    if (expected.size !== undefined && size > expected.size) {
      throw new ChecksumMismatch(`More than the expected ${expected.size} bytes arrived.`);
    }
    hash.update(chunk);
    await take(chunk);
  }
  if (expected.size !== undefined && size !== expected.size) {
    throw new ChecksumMismatch(`${size} bytes arrived instead of ${expected.size}.`);
  }
  const sha256 = hash.digest('hex');
  if (expected.sha256 !== undefined && sha256 !== expected.sha256) {
    throw new ChecksumMismatch(`The bytes have the SHA-256 ${sha256} instead of ${expected.sha256}.`);
  }
  return { size, sha256 };
};
