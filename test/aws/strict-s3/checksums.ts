import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { crc32 } from 'node:zlib';
import type { Refusal } from './signature.ts';

const crcOf = (bytes: Buffer): string => {
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(bytes));
  return crc.toString('base64');
};

/** The checksum headers of a request, each with the function that computes it. */
const SUMS: readonly [header: string, sum: (bytes: Buffer) => string][] = [
  ['content-md5', (bytes) => createHash('md5').update(bytes).digest('base64')],
  ['x-amz-checksum-sha256', (bytes) => createHash('sha256').update(bytes).digest('base64')],
  ['x-amz-checksum-crc32', crcOf],
];

/** Checks a body against every checksum in its request's headers. */
export const checkSums = (headers: IncomingHttpHeaders, body: Buffer): Refusal | undefined => {
  const signed = String(headers['x-amz-content-sha256'] ?? '');
  if (/^[0-9a-f]{64}$/.test(signed) && createHash('sha256').update(body).digest('hex') !== signed) {
    return { status: 400, code: 'XAmzContentSHA256Mismatch', message: 'The body is not the one that was signed.' };
  }
  const wrong = SUMS.find(([header, sum]) => headers[header] !== undefined && headers[header] !== sum(body));
  return wrong && { status: 400, code: 'BadDigest', message: `The body does not have the ${wrong[0]} it came with.` };
};
