import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { describe, expect, test } from 'vitest';
import { bodyReader } from '../../adapters/http/body.ts';

const LIMIT = 64;
const read = bodyReader(LIMIT);

type Sent = { readonly bytes: Buffer; readonly headers?: Record<string, string> };

const JSON_TYPE = { 'content-type': 'application/json' };

/** The outcome where the body comes as a stream, and where whoever passed the request on has put it on it as well. */
const outcomes = async ({ bytes, headers = JSON_TYPE }: Sent) => {
  const all = { 'content-length': String(bytes.length), ...headers };
  const streamed = Object.assign(Readable.from([bytes]), { headers: all });
  const atHand = Object.assign(Readable.from([bytes]), { headers: all, body: bytes });
  const answers = [streamed, atHand].map((req) => read(req as unknown as Request, {} as Response));
  const [one, other] = await Promise.all(answers);
  return { one, other, unread: !atHand.readableEnded };
};

describe('a body that is at hand is answered for as one that is streamed', () => {
  const value = { name: 'é 한글 😀' };
  test.each<[string, Sent]>([
    ['JSON', { bytes: Buffer.from(JSON.stringify(value)) }],
    ['JSON that is no object', { bytes: Buffer.from('"text"') }],
    [
      'a type with a charset',
      { bytes: Buffer.from('{"a":1}'), headers: { 'content-type': 'application/json; charset=UTF-8' } },
    ],
    ['a type of its own', { bytes: Buffer.from('{"a":1}'), headers: { 'content-type': 'application/vnd.a+json' } }],
    ['bytes that are no UTF-8', { bytes: Buffer.from([0x22, 0xff, 0x22]) }],
    ['broken JSON', { bytes: Buffer.from('{"a":') }],
    ['as much as is taken', { bytes: Buffer.from(`"${'x'.repeat(LIMIT - 2)}"`) }],
    ['more than is taken', { bytes: Buffer.from(`"${'x'.repeat(LIMIT - 1)}"`) }],
  ])('%s, and is not read from the stream', async (_, sent) => {
    const { one, other, unread } = await outcomes(sent);
    expect(other).toEqual(one);
    expect(unread).toBe(true);
  });

  test.each<[string, Sent]>([
    ['a byte order mark', { bytes: Buffer.from('\ufeff{"a":1}') }],
    [
      'UTF-16',
      { bytes: Buffer.from('{"a":1}', 'utf16le'), headers: { 'content-type': 'application/json; charset=utf-16le' } },
    ],
    [
      'another charset',
      { bytes: Buffer.from('{"a":1}'), headers: { 'content-type': 'application/json; charset=latin1' } },
    ],
    ['compressed', { bytes: gzipSync('{"a":1}'), headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } }],
    [
      'another length than it says',
      { bytes: Buffer.from('{"a":1}'), headers: { ...JSON_TYPE, 'content-length': '9' } },
    ],
  ])('%s, which is left to body-parser', async (_, sent) => {
    const { one, other } = await outcomes(sent);
    expect(other).toEqual(one);
  });
});
