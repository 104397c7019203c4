import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import { BodyPace, type Pace } from './body-pace.ts';
import type { HostRequest } from './request.ts';

/** Content codings that a body may come in (RFC 9110, section 8.4.1; RFC 8878). */
const UNPACKERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);

const tooLarge = (limit: number): Refused<RefusalCode> =>
  refuse('body_too_large', { message: `The body is too large; this call takes at most ${limit} bytes.` });

/** The refusal of a body in an encoding or a charset that can't be read. */
export const unsupported = (what: string): Refused<RefusalCode> =>
  refuse('unsupported_media_type', { message: `unsupported ${what}; send the body as application/json in UTF-8.` });

/** The most bytes of a body, before and after unpacking, and the pace at which it has to arrive, if any. */
type Bounds = { readonly limit: number; readonly pace: Pace | undefined };

/** The bytes of a stream within these bounds. A stream that breaks off is refused as a malformed body. */
const collected = (stream: Readable, { limit, pace }: Bounds): Promise<Outcome<Buffer, RefusalCode>> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const watch = pace && new BodyPace(pace, () => end(refuse('body_too_slow')));
    const end = (outcome: Outcome<Buffer, RefusalCode>): void => {
      watch?.end();
      stream.off('data', take).off('end', done).off('close', broken);
      resolve(outcome);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      watch?.took(chunk.length);
      if (size > limit) end(tooLarge(limit));
      else chunks.push(chunk);
    };
    const done = (): void => end(ok(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    const broken = (): void => end(refuse('malformed_body'));
    // The listener for errors stays, because the stream may fail later and has no other listener.
    stream.on('data', take).on('end', done).on('close', broken).on('error', broken);
    if (stream.destroyed) broken();
  });

/** Pipes a body that may break off, which `pipe` alone would not tell the unpacker. The body itself stays open. */
const feed = (body: Readable, unpacker: Transform): void => {
  const broken = (): void => void (body.readableEnded || unpacker.destroy());
  body.on('close', broken).on('error', broken).pipe(unpacker);
  if (body.destroyed) broken();
};

const unpacked = async (
  encoding: string,
  bounds: Bounds,
  body: Uint8Array | Readable,
): Promise<Outcome<Buffer, RefusalCode>> => {
  const unpacker = UNPACKERS.get(encoding)?.();
  if (!unpacker) return unsupported(`content encoding "${encoding.slice(0, 60)}"`);
  if (body instanceof Uint8Array) unpacker.end(body);
  else feed(body, unpacker);
  const read = await collected(unpacker, bounds);
  // The rest of a body over its limit is not unpacked.
  if (!(body instanceof Uint8Array)) body.unpipe(unpacker);
  unpacker.destroy();
  // No text of JSON is empty, and an empty body would have had no coding.
  return read.ok && read.value.length === 0 ? refuse('malformed_body') : read;
};

/** The bytes of a request's body, unpacked. */
export const bytesOf = (request: HostRequest, bounds: Bounds): Promise<Outcome<Uint8Array, RefusalCode>> => {
  const { headers, length } = request;
  const { limit } = bounds;
  if (length !== undefined && length > limit) return Promise.resolve(tooLarge(limit));
  const encoding = headers['content-encoding']?.toLowerCase() || 'identity';
  const body = request.body();
  if (encoding !== 'identity') return unpacked(encoding, bounds, body);
  if (body instanceof Uint8Array) return Promise.resolve(body.length > limit ? tooLarge(limit) : ok(body));
  return collected(body, bounds);
};
