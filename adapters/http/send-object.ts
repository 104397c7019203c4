import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse, validateHeaderValue } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { create as contentDisposition } from 'content-disposition';
import { refuse } from '../../domain/shared/outcome.ts';
import type { ByteRange, ObjectInfo } from '../../ports/outbound/object-store.ts';
import { askedRange } from './byte-range.ts';
import { precondition, rangeCounts } from './preconditions.ts';
import { sendJson, sendRefusal } from './reply.ts';

/** An object as it is to be sent. */
export type SentObject = {
  readonly info: Omit<ObjectInfo, 'key'>;
  readonly filename: string;
  readonly contentType: string;
  readonly disposition: 'attachment' | 'inline';
  readonly cacheControl?: string;
};

export type OpenObject = (range?: ByteRange) => Promise<{ stream: Readable } | undefined>;

/**
 * Answers a GET or HEAD with an object, in constant memory: conditions by ETag (304, 412), one byte range (206, 416;
 * several get the whole), Repr-Digest (RFC 9530). `open` is called for a GET with something to send only; where it finds
 * nothing the answer is 404.
 *
 * Resolves when all was handed to the connection, and where the client went away. A fault of the source rejects; if the
 * headers were out by then, the connection is destroyed, so that no client takes a part for the whole.
 */
export const sendObject = async (
  req: IncomingMessage,
  res: ServerResponse,
  object: SentObject,
  open: OpenObject,
): Promise<void> => {
  const { etag, size } = object.info;
  if (object.cacheControl !== undefined) res.setHeader('Cache-Control', object.cacheControl);
  const condition = precondition(req.headers, etag);
  if (condition === 'not modified') return void res.writeHead(304, { ETag: etag }).end();
  if (condition === 'failed') return sendJson(res, 412, { message: 'The file is another one than If-Match names.' });
  // Only GET knows ranges (RFC 9110, section 14.2).
  const ranged = req.method === 'GET' && rangeCounts(req.headers, etag);
  const asked = ranged ? askedRange(req.headers.range, size) : 'whole';
  if (asked === 'unsatisfiable') {
    res.setHeader('Accept-Ranges', 'bytes');
    res.setHeader('Content-Range', `bytes */${size}`);
    return sendJson(res, 416, { message: `The file has ${size} bytes, and none of them is in the range asked for.` });
  }
  const range = asked === 'whole' ? undefined : asked;
  const length = range ? range.end - range.start + 1 : size;
  const headers = headersOf(object, range, length);
  if (req.method === 'HEAD') return void res.writeHead(200, headers).end();
  const opened = await open(range);
  if (!opened) return sendRefusal(res, refuse('not_found'));
  res.writeHead(range ? 206 : 200, headers);
  await sendBytes(res, opened.stream, length);
};

/** Throws where the name or the type could not stand in a header, which has to be before anything is opened. */
const headersOf = (object: SentObject, range: ByteRange | undefined, length: number): OutgoingHttpHeaders => {
  const { info, filename, contentType, disposition } = object;
  validateHeaderValue('Content-Type', contentType);
  return {
    'Content-Type': contentType,
    'Content-Length': length,
    'Content-Disposition': contentDisposition(filename, { type: disposition }),
    'X-Content-Type-Options': 'nosniff',
    'Accept-Ranges': 'bytes',
    ETag: info.etag,
    'Repr-Digest': `sha-256=:${Buffer.from(info.sha256, 'hex').toString('base64')}:`,
    ...(range ? { 'Content-Range': `bytes ${range.start}-${range.end}/${info.size}` } : {}),
  };
};

const sendBytes = async (res: ServerResponse, stream: Readable, length: number): Promise<void> => {
  if (res.destroyed) return void stream.destroy();
  let sent = 0;
  let clientLeft = false;
  stream.on('data', (chunk: Buffer) => {
    sent += chunk.length;
    if (sent <= length) return;
    // What is too much would be taken for the next answer on the connection.
    stream.destroy(new Error(`An object gave more than the ${length} bytes to send.`));
    res.destroy();
  });
  // Comes before the pipeline's own: a stream that still runs, or came to its end, has not caused the connection to close.
  res.once('close', () => {
    clientLeft = !stream.destroyed || stream.readableEnded;
  });
  try {
    // Left open at the end, for node would end an answer that is too short as if it were whole.
    await pipeline(stream, res, { end: false });
    if (sent !== length) throw new Error(`An object gave ${sent} of the ${length} bytes to send.`);
    res.end();
  } catch (error) {
    res.destroy();
    if (!clientLeft) throw error;
  }
};
