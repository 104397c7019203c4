import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import type { HostHeaders, HostRequest } from './request.ts';

type Refusal = Refused<RefusalCode>;

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i;

/** JSON in UTF-8, which is what nearly every client sends. */
const PLAIN_JSON = /^application\/(?:[\w.+-]+\+)?json *(?:; *charset="?utf-8"? *)?$/i;

const CHARSET = /; *charset="?([\w-]+)"?/i;

const DECODERS: ReadonlyMap<string, string> = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['utf-16', 'utf-16le'],
  ['utf-16le', 'utf-16le'],
  ['utf-16be', 'utf-16be'],
]);

const UNPACKERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

const tooLarge = (limit: number): Refusal =>
  refuse('body_too_large', { message: `The body is too large; this call takes at most ${limit} bytes.` });

const unsupported = (what: string): Refusal =>
  refuse('unsupported_media_type', { message: `unsupported ${what}; send the body as application/json in UTF-8.` });

/** The bytes of a stream, at most `limit` of them. A stream that breaks off is refused as a malformed body. */
const collected = (stream: Readable, limit: number): Promise<Outcome<Buffer, RefusalCode>> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (outcome: Outcome<Buffer, RefusalCode>): void => {
      stream.off('data', take).off('end', done).off('close', broken);
      resolve(outcome);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
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

const packed = async (
  encoding: string,
  limit: number,
  body: Uint8Array | Readable,
): Promise<Outcome<Buffer, RefusalCode>> => {
  const unpacker = UNPACKERS.get(encoding)?.();
  if (!unpacker) return unsupported(`content encoding "${encoding.slice(0, 60)}"`);
  if (body instanceof Uint8Array) unpacker.end(body);
  else feed(body, unpacker);
  const read = await collected(unpacker, limit);
  // What is left of a body over its limit is not unpacked.
  if (!(body instanceof Uint8Array)) body.unpipe(unpacker);
  unpacker.destroy();
  return read;
};

const bytesOf = (request: HostRequest, limit: number): Promise<Outcome<Uint8Array, RefusalCode>> => {
  const { headers } = request;
  if (Number(headers['content-length'] ?? 0) > limit) return Promise.resolve(tooLarge(limit));
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  const body = request.body();
  if (encoding !== 'identity') return packed(encoding, limit, body);
  if (body instanceof Uint8Array) return Promise.resolve(body.length > limit ? tooLarge(limit) : ok(body));
  return collected(body, limit);
};

const textOf = (bytes: Uint8Array, type: string): string | undefined => {
  if (PLAIN_JSON.test(type) && bytes[0] !== 0xef)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  const decoder = DECODERS.get(CHARSET.exec(type)?.[1]?.toLowerCase() ?? 'utf-8');
  return decoder && new TextDecoder(decoder).decode(bytes);
};

/** True for a request without a body. Such a request counts as an empty object. */
const isEmpty = (headers: HostHeaders): boolean =>
  headers['content-length'] === '0' ||
  (headers['content-type'] === undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined);

/**
 * Reads a JSON body of at most `limit` bytes after decompression. A missing body is an empty object. `taken` names the
 * types that the call takes, for the refusal of any other type. An unreadable body is a refusal and not an exception,
 * because the credential and the other gates answer before it.
 */
export const readJson = async (
  request: HostRequest,
  limit: number,
  taken: string,
): Promise<Outcome<unknown, RefusalCode>> => {
  const { headers } = request;
  if (isEmpty(headers)) return ok({});
  const type = headers['content-type'];
  if (type === undefined || !JSON_TYPE.test(type)) {
    const sent = type === undefined ? 'without a content type' : `as ${type.slice(0, 60)}`;
    return refuse('unsupported_media_type', { message: `Send the body as ${taken}; it came ${sent}.` });
  }
  const read = await bytesOf(request, limit);
  if (!read.ok) return read;
  if (read.value.length === 0) return ok({});
  const text = textOf(read.value, type);
  if (text === undefined) return unsupported(`charset "${CHARSET.exec(type)?.[1]?.slice(0, 60) ?? ''}"`);
  try {
    return ok(JSON.parse(text));
  } catch {
    return refuse('malformed_body');
  }
};
