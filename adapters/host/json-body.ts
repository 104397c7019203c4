import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import { bytesOf, unsupported } from './body-bytes.ts';
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

const textOf = (bytes: Uint8Array, type: string): string | undefined => {
  if (PLAIN_JSON.test(type) && bytes[0] !== UTF8_MARK)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  const charset = CHARSET.exec(type)?.[1]?.toLowerCase() ?? 'utf-8';
  const decoder = charset === 'utf-16' && bytes[0] === UTF16BE_MARK ? 'utf-16be' : DECODERS.get(charset);
  return decoder && new TextDecoder(decoder).decode(bytes);
};

/**
 * Reads a JSON body of at most `limit` bytes after decompression. A missing body is an empty object. `taken` names the
 * types that the call takes, for the refusal of any other type. An unreadable body is a refusal and not an exception,
 * because the credential and the other gates answer before it. `readMs` is the time in which the body has to arrive, if
 * it is bounded here.
 */
export const readJson = async (
  request: HostRequest,
  limit: number,
  taken: string,
  readMs?: number,
): Promise<Outcome<unknown, RefusalCode>> => {
  if (request.length === 0) return ok({});
  const type = request.headers['content-type'];
  if (type === undefined || !JSON_TYPE.test(type)) {
    const sent = type === undefined ? 'without a content type' : `as ${type.slice(0, 60)}`;
    return refuse('unsupported_media_type', { message: `Send the body as ${taken}; it came ${sent}.` });
  }
  const read = await bytesOf(request, { limit, readMs });
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
