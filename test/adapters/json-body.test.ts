import { PassThrough, Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readJson } from '../../adapters/host/bodies.ts';
import type { HostRequest } from '../../adapters/host/request.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';

const LIMIT = 64;

type Sent = { readonly bytes: Buffer; readonly headers?: Record<string, string> };

const JSON_TYPE = { 'content-type': 'application/json' };
const charset = (name: string) => ({ 'content-type': `application/json; charset=${name}` });
const encoded = (encoding: string) => ({ ...JSON_TYPE, 'content-encoding': encoding });

/** As over HTTP/1.1, a request without either header has no body. */
const lengthOf = (headers: Record<string, string>): number | undefined =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;

const requestOf = (headers: Record<string, string>, body: HostRequest['body']): HostRequest => ({
  method: 'POST',
  path: '/',
  query: '',
  headers,
  address: () => '127.0.0.1',
  length: lengthOf(headers),
  body,
});

const read = (headers: Record<string, string>, body: HostRequest['body']) =>
  readJson(requestOf(headers, body), LIMIT, 'application/json');

/** The outcomes of one body: whole, in one chunk, byte by byte, and in chunks without a content length. */
const outcomes = ({ bytes, headers = JSON_TYPE }: Sent): Promise<Outcome<unknown, RefusalCode>[]> => {
  const told = { 'content-length': String(bytes.length), ...headers };
  const split = () => Readable.from(Array.from(bytes, (_, n) => bytes.subarray(n, n + 1)));
  return Promise.all([
    read(told, () => new Uint8Array(bytes)),
    read(told, () => Readable.from(bytes.length === 0 ? [] : [bytes])),
    read(told, split),
    read({ 'transfer-encoding': 'chunked', ...headers }, split),
  ]);
};

const refusal = (code: RefusalCode, message?: string) =>
  expect.objectContaining({ ok: false, code, ...(message && { message: expect.stringContaining(message) }) });

const text = (length: number): string => 'x'.repeat(length - 2);
const full = Buffer.from(JSON.stringify(text(LIMIT)));
const tooLong = Buffer.from(JSON.stringify(text(LIMIT + 1)));
/** JSON that is far below the limit compressed and far above it uncompressed. */
const bomb = Buffer.from(JSON.stringify('x'.repeat(100_000)));
const value = { name: 'é 한글 😀' };
const a = Buffer.from('{"a":1}');

describe('a JSON body that arrives whole or as a stream', () => {
  test.each<[string, Sent, unknown]>([
    ['of UTF-8', { bytes: Buffer.from(JSON.stringify(value)) }, value],
    ['that is no object', { bytes: Buffer.from('"text"') }, 'text'],
    ['with the charset UTF-8', { bytes: a, headers: charset('UTF-8') }, { a: 1 }],
    ['with a charset in quotes', { bytes: a, headers: charset('"utf-8"') }, { a: 1 }],
    ['of a vendor type', { bytes: a, headers: { 'content-type': 'application/vnd.a+json' } }, { a: 1 }],
    ['with a character of four bytes', { bytes: Buffer.from('"😀"') }, '😀'],
    ['with a replacement character', { bytes: Buffer.from('"\ufffd"') }, '\ufffd'],
    ['with a byte order mark', { bytes: Buffer.from('\ufeff{"a":1}') }, { a: 1 }],
    [
      'with a byte order mark and a charset',
      { bytes: Buffer.from('\ufeff{"a":1}'), headers: charset('utf-8') },
      { a: 1 },
    ],
    ['of UTF-16LE', { bytes: Buffer.from('{"a":"한"}', 'utf16le'), headers: charset('utf-16le') }, { a: '한' }],
    [
      'of UTF-16LE with a byte order mark',
      { bytes: Buffer.from('\ufeff{"a":1}', 'utf16le'), headers: charset('utf-16') },
      { a: 1 },
    ],
    ['of UTF-16BE', { bytes: Buffer.from('{"a":1}', 'utf16le').swap16(), headers: charset('utf-16be') }, { a: 1 }],
    ['packed with gzip', { bytes: gzipSync(a), headers: encoded('gzip') }, { a: 1 }],
    ['packed with GZIP in capital letters', { bytes: gzipSync(a), headers: encoded('GZIP') }, { a: 1 }],
    ['packed with deflate', { bytes: deflateSync(a), headers: encoded('deflate') }, { a: 1 }],
    ['packed with br', { bytes: brotliCompressSync(a), headers: encoded('br') }, { a: 1 }],
    ['named identity', { bytes: a, headers: encoded('identity') }, { a: 1 }],
    [
      'of UTF-16LE that is packed',
      {
        bytes: gzipSync(Buffer.from('{"a":1}', 'utf16le')),
        headers: { ...encoded('gzip'), ...charset('utf-16le') },
      },
      { a: 1 },
    ],
    ['of another length than it says', { bytes: a, headers: { ...JSON_TYPE, 'content-length': '9' } }, { a: 1 }],
    ['of exactly the limit', { bytes: full }, text(LIMIT)],
    ['of exactly the limit once unpacked', { bytes: gzipSync(full), headers: encoded('gzip') }, text(LIMIT)],
    ['without a byte', { bytes: Buffer.alloc(0) }, {}],
  ])('a JSON body %s is accepted', async (_, sent, expected) => {
    expect(await outcomes(sent)).toEqual(Array(4).fill(ok(expected)));
  });

  test.each<[string, Sent, unknown]>([
    ['that is broken', { bytes: Buffer.from('{"a":') }, refusal('malformed_body')],
    [
      'with bytes that are not UTF-8',
      { bytes: Buffer.from([0x22, 0xff, 0x22]) },
      refusal('malformed_body', 'The body is not valid UTF-8.'),
    ],
    [
      'with a byte order mark and bytes that are not UTF-8',
      { bytes: Buffer.from([0xef, 0xbb, 0xbf, 0x22, 0xff, 0x22]) },
      refusal('malformed_body', 'The body is not valid UTF-8.'),
    ],
    [
      'with half a character of UTF-16',
      { bytes: Buffer.from('"\ud800"', 'utf16le'), headers: charset('utf-16le') },
      refusal('malformed_body', 'The body is not valid UTF-16LE.'),
    ],
    ['of white space alone', { bytes: Buffer.from('  ') }, refusal('malformed_body')],
    ['of UTF-16LE that says it is UTF-8', { bytes: Buffer.from('{}', 'utf16le') }, refusal('malformed_body')],
    ['that says gzip and is not packed', { bytes: a, headers: encoded('gzip') }, refusal('malformed_body')],
    [
      'whose packed form breaks off',
      { bytes: gzipSync(a).subarray(0, -9), headers: encoded('gzip') },
      refusal('malformed_body'),
    ],
    ['that is one byte over the limit', { bytes: tooLong }, refusal('body_too_large', `at most ${LIMIT} bytes`)],
    [
      'that is one byte over the limit once unpacked',
      { bytes: gzipSync(tooLong), headers: encoded('gzip') },
      refusal('body_too_large'),
    ],
    ...(['gzip', 'deflate', 'br'] as const).map((encoding): [string, Sent, unknown] => {
      const pack = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }[encoding];
      return [
        `that ${encoding} unpacks to far more than the limit`,
        { bytes: pack(bomb), headers: { ...encoded(encoding), 'content-length': '1' } },
        refusal('body_too_large'),
      ];
    }),
    [
      'of another charset',
      { bytes: a, headers: charset('latin1') },
      refusal('unsupported_media_type', 'charset "latin1"'),
    ],
    [
      'of a charset that is a name of every object',
      { bytes: a, headers: charset('constructor') },
      refusal('unsupported_media_type', 'charset "constructor"'),
    ],
    [
      'of an encoding that is a name of every object',
      { bytes: a, headers: encoded('constructor') },
      refusal('unsupported_media_type', 'content encoding "constructor"'),
    ],
    [
      'of another encoding',
      { bytes: a, headers: encoded('zstdx') },
      refusal('unsupported_media_type', 'content encoding "zstdx"'),
    ],
    [
      'of another type',
      { bytes: a, headers: { 'content-type': 'text/plain' } },
      refusal('unsupported_media_type', 'Send the body as application/json; it came as text/plain.'),
    ],
  ])('a JSON body %s is refused', async (_, sent, expected) => {
    expect(await outcomes(sent)).toEqual(Array(4).fill(expected));
  });
});

describe('a nested JSON body', () => {
  const nested = (levels: number) => Buffer.from(`${'['.repeat(levels)}${']'.repeat(levels)}`);
  const readAll = (bytes: Buffer) =>
    readJson(
      requestOf({ ...JSON_TYPE, 'content-length': String(bytes.length) }, () => bytes),
      1_000_000,
      'application/json',
    );

  test('a body of 64 levels is read, and a deeper one is refused with the limit', async () => {
    expect(await readAll(nested(64))).toMatchObject({ ok: true });
    for (const levels of [65, 10_000]) {
      expect(await readAll(nested(levels))).toEqual(refusal('malformed_body', 'at most 64 levels'));
    }
  });
});

describe('a request without a JSON body', () => {
  const unread = (headers: Record<string, string>) =>
    read(headers, () => {
      throw new Error('The body was asked for.');
    });

  test.each<Record<string, string>>([
    {},
    { 'content-length': '0' },
    { ...JSON_TYPE, 'content-length': '0' },
    { 'content-type': 'text/plain', 'content-length': '0' },
  ])('a request with the headers %j counts as an empty object without reading its body', async (headers) => {
    expect(await unread(headers)).toEqual(ok({}));
  });

  test('a body without a content type is refused before it is read', async () => {
    expect(await unread({ 'content-length': '7' })).toEqual(
      refusal('unsupported_media_type', 'it came without a content type'),
    );
  });

  test('a body with a stated length above the limit is refused before it is read', async () => {
    const headers = { ...JSON_TYPE, 'content-length': String(LIMIT + 1) };
    expect(await unread(headers)).toEqual(refusal('body_too_large'));
    expect(await unread({ ...headers, 'content-encoding': 'gzip' })).toEqual(refusal('body_too_large'));
  });
});

describe('a truncated JSON body', () => {
  const chunked = { ...JSON_TYPE, 'transfer-encoding': 'chunked' };

  test.each<[string, Record<string, string>]>([
    ['a plain body', chunked],
    ['a packed body', { ...chunked, ...encoded('gzip') }],
  ])('a JSON body with %s is malformed if its sender disconnects in the middle', async (_, headers) => {
    for (const error of [undefined, new Error('reset')]) {
      const body = new PassThrough();
      const outcome = read(headers, () => body);
      body.write(gzipSync(a).subarray(0, 5));
      setImmediate(() => body.destroy(error));
      expect(await outcome).toEqual(refusal('malformed_body'));
    }
  });

  test.each<[string, Record<string, string>]>([
    ['a plain body', chunked],
    ['a packed body', { ...chunked, ...encoded('gzip') }],
  ])('a JSON body with %s is malformed if its sender disconnected before it is read', async (_, headers) => {
    const body = new PassThrough();
    body.destroy();
    expect(await read(headers, () => body)).toEqual(refusal('malformed_body'));
  });

  test('a compressed body above the limit is not decompressed any further', async () => {
    const body = new PassThrough();
    const outcome = read({ ...chunked, ...encoded('gzip') }, () => body);
    body.write(gzipSync(Buffer.alloc(1_000_000)));
    expect(await outcome).toEqual(refusal('body_too_large'));
    expect(body.listenerCount('data')).toBe(0);
  });
});
