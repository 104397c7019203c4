import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { StoredFile } from '../../domain/shared/stored-file.ts';
import {
  ChecksumMismatch,
  type ExpectedFacts,
  ObjectExists,
  type ObjectInfo,
  type ObjectState,
} from '../../ports/outbound/object-store.ts';

export const infoOf = (key: string, { size, sha256 }: StoredFile): ObjectInfo => ({
  key,
  size,
  sha256,
  etag: `"${sha256}"`,
});

/** Throws ObjectExists if the key already has an object with other bytes. */
export const refuseOtherBytes = (found: ObjectInfo | undefined, { sha256 }: StoredFile): void => {
  if (found && found.sha256 !== sha256) throw new ObjectExists(`${found.key} is already stored with other bytes.`);
};

/**
 * Passes a stream to `take` chunk by chunk, and returns its size and SHA-256. Fails with ChecksumMismatch if they are
 * not as expected, at once if the stream is too long. Fails with the stream's own error if the stream breaks. Every
 * failure destroys the stream.
 */
export const receive = async (
  bytes: Readable,
  expected: ExpectedFacts,
  take: (chunk: Buffer) => unknown,
): Promise<StoredFile> => {
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

/** The state of an object, judged by its size only. */
export const stateOfSize = (size: number, expected: StoredFile): ObjectState =>
  size === expected.size ? 'whole' : size < expected.size ? 'truncated' : 'altered';

/** The state of an object, read whole in constant memory. Fails with the stream's own error. */
export const stateOfBytes = async (
  stream: Readable,
  expected: StoredFile,
  seen: (bytes: number) => void = () => {},
): Promise<ObjectState> => {
  const { size, sha256 } = await receive(stream, {}, (chunk) => seen(chunk.length));
  return size === expected.size && sha256 !== expected.sha256 ? 'altered' : stateOfSize(size, expected);
};
