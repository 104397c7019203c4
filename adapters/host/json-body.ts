import { isUtf8 } from 'node:buffer';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import { bytesOf, unsupported } from './body-bytes.ts';
import type { Pace } from './body-pace.ts';
import { isDeeperThan, MAX_JSON_LEVELS } from './json-depth.ts';
import type { HostRequest } from './request.ts';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i;

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

/** The first bytes of UTF-8 and of big-endian UTF-16 with a byte order mark. */
const UTF8_MARK = 0xef;
const UTF16BE_MARK = 0xfe;

const malformed = (message: string): Refused<RefusalCode> => refuse('malformed_body', { message });

/**
 * The text of a body. Bytes that are none in the charset are refused, because a client would not know what was kept.
 */
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
 * types that the call takes, for the refusal of any other type. An unreadable body is a refusal and not an exception,
 * because the credential and the other gates answer before it. `pace` is the pace at which the body has to arrive, if
 * it is bounded here.
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
