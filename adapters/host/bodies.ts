import { isUtf8 } from 'node:buffer';
import type { Readable, Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { type Owner, ownerName } from '../../domain/access/rate-limit.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import { bodyTypes, type EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import type { BodyOnDemand, ReadBody } from '../pipeline/input.ts';
import { BODY_PACE, BodyPace, type Pace } from './body-pace.ts';
import type { HostRequest } from './request.ts';
import type { Spool, SpoolFolder } from './spool.ts';

/**
 * Accepted content codings (RFC 9110, section 8.4.1; RFC 8878). An older Node lacks zstd; a named import would fail
 * before `start` can report which Node it needs.
 */
const UNPACKERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', zlib.createGunzip],
  ['deflate', zlib.createInflate],
  ['br', zlib.createBrotliDecompress],
  ['zstd', zlib.createZstdDecompress],
]);

const tooLarge = (limit: number): Refused<RefusalCode> =>
  refuse('body_too_large', { message: `The body is too large; this call accepts at most ${limit} bytes.` });

/** The refusal of a body with an unsupported coding or charset. */
const unsupported = (what: string): Refused<RefusalCode> =>
  refuse('unsupported_media_type', { message: `unsupported ${what}; send the body as application/json in UTF-8.` });

/** The maximum size of a body, before and after decompression, and its minimum pace, if any. */
type Bounds = { readonly limit: number; readonly pace: Pace | undefined };

/** The bytes of a stream within these limits. An aborted stream is refused as a malformed body. */
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

/**
 * Pipes a body that may be aborted, which `pipe` alone would not report to the decompressor. The body itself stays
 * open.
 */
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
  // The rest of a body over its limit is not decompressed.
  if (!(body instanceof Uint8Array)) body.unpipe(unpacker);
  unpacker.destroy();
  // JSON is never empty, and an empty body has no coding.
  return read.ok && read.value.length === 0 ? refuse('malformed_body') : read;
};

/** The bytes of a request's body, unpacked. */
const bytesOf = (request: HostRequest, bounds: Bounds): Promise<Outcome<Uint8Array, RefusalCode>> => {
  const { headers, length } = request;
  const { limit } = bounds;
  if (length !== undefined && length > limit) return Promise.resolve(tooLarge(limit));
  const encoding = headers['content-encoding']?.toLowerCase() || 'identity';
  const body = request.body();
  if (encoding !== 'identity') return unpacked(encoding, bounds, body);
  if (body instanceof Uint8Array) return Promise.resolve(body.length > limit ? tooLarge(limit) : ok(body));
  return collected(body, bounds);
};

/** The maximum nesting of arrays and objects in a JSON body. No call needs more than a dozen levels. */
const MAX_JSON_LEVELS = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SQUARE = 0x5b;
const SQUARE_END = 0x5d;
const CURLY = 0x7b;
const CURLY_END = 0x7d;

/** The position of the quote that ends a string; -1 if the string has no end. */
const endOfString = (text: string, start: number): number => {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return -1;
};

/**
 * True for a JSON text nested deeper than `levels` arrays and objects. It scans the text once and builds no values, so
 * a hostile text costs only its length. For invalid JSON, the result is meaningless.
 */
export const isDeeperThan = (text: string, levels: number): boolean => {
  // Each level takes two characters.
  if (text.length <= 2 * levels) return false;
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      if (at < 0) return false;
    } else if (code === SQUARE || code === CURLY) {
      if (++open > levels) return true;
    } else if (code === SQUARE_END || code === CURLY_END) {
      open--;
    }
  }
  return false;
};

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i;

/** JSON in UTF-8, which nearly every client sends. */
const PLAIN_JSON = /^application\/(?:[\w.+-]+\+)?json *(?:; *charset="?utf-8"? *)?$/i;

const CHARSET = /; *charset="?([\w-]+)"?/i;

const DECODERS: ReadonlyMap<string, string> = new Map([
  ['utf-8', 'utf-8'],
  ['utf8', 'utf-8'],
  ['utf-16', 'utf-16le'],
  ['utf-16le', 'utf-16le'],
  ['utf-16be', 'utf-16be'],
]);

/** The first bytes of UTF-8 and of big-endian UTF-16 with a byte order mark. */
const UTF8_MARK = 0xef;
const UTF16BE_MARK = 0xfe;

const malformed = (message: string): Refused<RefusalCode> => refuse('malformed_body', { message });

/** The text of a body. Invalid bytes are refused, because a client would not know what was stored. */
const textOf = (bytes: Uint8Array, type: string): Outcome<string, RefusalCode> => {
  if (PLAIN_JSON.test(type) && bytes[0] !== UTF8_MARK) {
    if (!isUtf8(bytes)) return malformed('The body is not valid UTF-8.');
    return ok(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  }
  const charset = CHARSET.exec(type)?.[1]?.toLowerCase() ?? 'utf-8';
  const decoder = charset === 'utf-16' && bytes[0] === UTF16BE_MARK ? 'utf-16be' : DECODERS.get(charset);
  if (decoder === undefined) return unsupported(`charset "${charset.slice(0, 60)}"`);
  try {
    return ok(new TextDecoder(decoder, { fatal: true }).decode(bytes));
  } catch {
    return malformed(`The body is not valid ${decoder.toUpperCase()}.`);
  }
};

/**
 * Reads a JSON body of at most `limit` bytes after decompression. A missing body is an empty object. `taken` names the
 * accepted types, for the refusal of any other type. An unreadable body is a refusal and not an exception, because the
 * credential and the other guards come first. `pace` is the body's minimum pace, if it is limited here.
 */
export const readJson = async (
  request: HostRequest,
  limit: number,
  taken: string,
  pace?: Pace,
): Promise<Outcome<unknown, RefusalCode>> => {
  if (request.length === 0) return ok({});
  const type = request.headers['content-type'];
  if (type === undefined || !JSON_TYPE.test(type)) {
    const sent = type === undefined ? 'without a content type' : `as ${type.slice(0, 60)}`;
    return refuse('unsupported_media_type', { message: `Send the body as ${taken}; it came ${sent}.` });
  }
  const read = await bytesOf(request, { limit, pace });
  if (!read.ok) return read;
  if (read.value.length === 0) return ok({});
  const text = textOf(read.value, type);
  if (!text.ok) return text;
  if (isDeeperThan(text.value, MAX_JSON_LEVELS)) {
    return malformed(`The body may nest arrays and objects in at most ${MAX_JSON_LEVELS} levels.`);
  }
  try {
    return ok(JSON.parse(text.value));
  } catch {
    return refuse('malformed_body');
  }
};

/**
 * A longer body, or one of unknown length, is read only after the rate limit has let the request pass. A shorter body
 * is read while the limiter works, which saves a round trip to the store and costs at most a millisecond.
 */
const CHEAP_BYTES = 16 * 1024;

const isPacked = ({ headers }: HostRequest): boolean => headers['content-encoding'] !== undefined;

/** True for a body that is read only after the rate limit's verdict. */
export const isCostly = (request: HostRequest): boolean =>
  request.length === undefined || request.length > CHEAP_BYTES || isPacked(request);

export type JsonBodyLimits = {
  /** The maximum number of bytes in costly bodies that the process reads at once. */
  readonly bytes: number;
  /** The same for one account, or for one address without a credential. */
  readonly bytesPerCaller: number;
  readonly pace: Pace;
};

const MIB = 1024 * 1024;

const LIMITS: JsonBodyLimits = { bytes: 64 * MIB, bytesPerCaller: 8 * MIB, pace: { ...BODY_PACE, mostMs: 30_000 } };

const tooMany = (whose: string): Refused<RefusalCode> =>
  refuse('unavailable', { message: `Too many large requests right now${whose}; try again shortly.` });

/**
 * The JSON bodies that a process reads. Costly bodies share a limited amount of memory while they arrive, so stalling
 * senders can't exhaust it. A cheap body holds less than its connection and is not counted; connections are limited
 * (`adapters/http/bounds.ts`).
 */
export class JsonBodies {
  readonly #limits: JsonBodyLimits;
  readonly #byOwner = new Map<string, number>();
  #taken = 0;

  constructor(limits: JsonBodyLimits = LIMITS) {
    this.#limits = limits;
  }

  /**
   * Reads the JSON of a request, of at most `limit` bytes, like `readJson`. A costly body is refused with `unavailable`
   * if there is no room for it, and with `body_too_slow` if it does not arrive in time.
   */
  read(request: HostRequest, limit: number, taken: string, owner: Owner): Promise<Outcome<unknown, RefusalCode>> {
    return this.#within(request, limit, owner, (pace) => readJson(request, limit, taken, pace));
  }

  /** The raw bytes of a request's body, at most `limit`, within the same limits. */
  readBytes(request: HostRequest, limit: number, owner: Owner): Promise<Outcome<Uint8Array, RefusalCode>> {
    return this.#within(request, limit, owner, (pace) => bytesOf(request, { limit, pace }));
  }

  /** The bytes currently reserved for costly bodies that are arriving. */
  get bytesTaken(): number {
    return this.#taken;
  }

  async #within<T>(
    request: HostRequest,
    limit: number,
    owner: Owner,
    read: (pace?: Pace) => Promise<Outcome<T, RefusalCode>>,
  ): Promise<Outcome<T, RefusalCode>> {
    const { length } = request;
    const isTooLarge = length !== undefined && length > limit;
    if (isTooLarge || !isCostly(request)) return read();
    const { bytes, bytesPerCaller, pace } = this.#limits;
    const needed = isPacked(request) ? limit : (length ?? limit);
    const name = ownerName(owner);
    const before = this.#byOwner.get(name) ?? 0;
    if (before + needed > bytesPerCaller) return tooMany(' from you');
    if (this.#taken + needed > bytes) return tooMany('');
    this.#take(name, needed);
    try {
      return await read(pace);
    } finally {
      this.#take(name, -needed);
    }
  }

  #take(name: string, bytes: number): void {
    const now = (this.#byOwner.get(name) ?? 0) + bytes;
    this.#taken += bytes;
    if (now === 0) this.#byOwner.delete(name);
    else this.#byOwner.set(name, now);
  }
}

/** The maximum size of a body, or of a form's fields, unless the endpoint sets another limit. */
export const DEFAULT_BODY_BYTES = 64 * 1024;

const FORM = /^multipart\/form-data\b/i;

const NO_FILES = {};

/** The body of a request. `discard` removes its files once the request is answered; a body without files has none. */
export type RequestBody = BodyOnDemand & { readonly discard?: () => Promise<void> | undefined };

const tooManyUploads = () => refuse('unavailable', { message: 'Too many uploads right now; try again shortly.' });

/** The destinations of a process's bodies: files go to the folder, and JSON to memory. */
export type Intake = { readonly spool: SpoolFolder; readonly jsonBodies: JsonBodies };

/**
 * The body of an endpoint's request: JSON, or a form if the endpoint takes files. A form occupies a slot of the spool
 * from the first read until it is discarded. It is refused if none is free.
 */
export const bodyOf = (
  endpoint: EndpointSpec,
  { spool: folder, jsonBodies }: Intake,
): ((request: HostRequest) => RequestBody) => {
  const { bodyLimit = DEFAULT_BODY_BYTES, files } = endpoint;
  const taken = bodyTypes(endpoint).join(' or ');
  const asJson = async (request: HostRequest, owner: Owner): Promise<Outcome<ReadBody, RefusalCode>> => {
    const read = await jsonBodies.read(request, bodyLimit, taken, owner);
    return read.ok ? ok({ fields: read.value, files: NO_FILES }) : read;
  };
  return (request) => {
    if (files === undefined || !FORM.test(request.headers['content-type'] ?? '')) {
      return { isCostly: isCostly(request), read: (owner) => asJson(request, owner) };
    }
    let spool: Spool | undefined;
    return {
      isCostly: true,
      read: async (owner) => {
        spool = folder.take(ownerName(owner));
        if (spool === undefined) return tooManyUploads();
        // Loaded with the first form, because few requests contain one.
        return (await import('./form.ts')).readForm(request, spool, { fieldBytes: bodyLimit, files });
      },
      discard: () => spool?.remove(),
    };
  };
};
