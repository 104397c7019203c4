import type { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import parseRange from 'range-parser';
import { countOf } from '../../domain/shared/count-of.ts';
import { refuse } from '../../domain/shared/outcome.ts';
import type { ByteRange, ObjectInfo } from '../../ports/outbound/object-store.ts';
import { validateHeaderValue } from './node-http.ts';
import { jsonReply, NO_STORE, precondition, type Reply, rangeCounts, refusalReply } from './reply.ts';
import type { HostRequest } from './request.ts';

/**
 * The range to send. `whole` also for a malformed header, another unit or several ranges, which a server may ignore.
 */
type AskedRange = ByteRange | 'whole' | 'unsatisfiable';

const SUFFIX = /^bytes=-(\d+)$/i;

/** Reads the Range header of a request for an object of `size` bytes (RFC 9110, section 14). */
const askedRange = (header: string | undefined, size: number): AskedRange => {
  if (header === undefined || header.includes(',')) return 'whole';
  const last = Number(SUFFIX.exec(header)?.[1] ?? 0);
  // Section 14.1.2: a suffix longer than the object means the whole object. range-parser calls it unsatisfiable.
  if (last > 0 && last >= size) return size === 0 ? 'whole' : { start: 0, end: size - 1 };
  const ranges = parseRange(size, header);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === -2 || ranges.type.toLowerCase() !== 'bytes') return 'whole';
  const [range] = ranges;
  return range ?? 'whole';
};

/** An object to send, with its header values. */
export type SentObject = {
  readonly info: Omit<ObjectInfo, 'key'>;
  readonly filename: string;
  readonly contentType: string;
  readonly disposition: 'attachment' | 'inline';
  readonly cacheControl?: string;
};

/** Opens the object or a range of it; undefined if the store has lost it. */
export type OpenObject = (range?: ByteRange) => Promise<Readable | undefined>;

/**
 * The reply to a GET or HEAD for an object, in constant memory. It supports conditions by ETag (304, 412), one byte
 * range (206, 416) and Repr-Digest (RFC 9530); a request for several ranges gets the whole object. A 412 or 416 is not
 * cached, because a cache could give it to others. `open` is called only for a GET that has bytes to send. Rejects with
 * the store's fault.
 */
export const objectReply = async (
  { method, headers }: Pick<HostRequest, 'method' | 'headers'>,
  object: SentObject,
  open: OpenObject,
): Promise<Reply> => {
  const { etag, size } = object.info;
  const cached: Reply['headers'] = object.cacheControl === undefined ? {} : { 'cache-control': object.cacheControl };
  const condition = precondition(headers, etag);
  if (condition === 'not modified') return { status: 304, headers: { ...cached, etag }, body: null };
  if (condition === 'failed') {
    return jsonReply(412, { message: 'The file is not the one that If-Match names.' }, { 'cache-control': NO_STORE });
  }
  // Only GET has ranges (RFC 9110, section 14.2).
  const ranged = method === 'GET' && rangeCounts(headers, etag);
  const requested = ranged ? askedRange(headers['range'], size) : 'whole';
  if (requested === 'unsatisfiable') {
    const message = `The file has ${countOf(size, 'byte')}, and none of them is in the range asked for.`;
    const rangeHeaders = { 'accept-ranges': 'bytes', 'content-range': `bytes */${size}` };
    return jsonReply(416, { message }, { 'cache-control': NO_STORE, ...rangeHeaders });
  }
  const range = requested === 'whole' ? undefined : requested;
  const length = range ? range.end - range.start + 1 : size;
  const all = { ...cached, ...headersOf(object, range, length) };
  if (method === 'HEAD') return { status: 200, headers: all, body: null };
  const stream = await open(range);
  if (!stream) return refusalReply(refuse('not_found'));
  return { status: range ? 206 : 200, headers: all, body: { length, stream } };
};

/**
 * The headers of the reply. It throws for a name or type that a header cannot contain, so it is called before the
 * object is opened.
 */
const headersOf = (object: SentObject, range: ByteRange | undefined, length: number): Reply['headers'] => {
  const { info, filename, contentType, disposition } = object;
  validateHeaderValue('content-type', contentType);
  return {
    'content-type': contentType,
    'content-length': String(length),
    'content-disposition': contentDisposition(filename, { type: disposition }),
    'accept-ranges': 'bytes',
    etag: info.etag,
    'repr-digest': `sha-256=:${Buffer.from(info.sha256, 'hex').toString('base64')}:`,
    ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${info.size}` } : {}),
  };
};
