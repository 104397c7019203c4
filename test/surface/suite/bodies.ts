import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { bodyTypes } from '../../../ports/inbound/endpoint.ts';
import { aBuyer, type Buyer } from '../buyers.ts';
import { type Caller, callerOf } from '../callers.ts';
import { post, send } from '../client.ts';
import { goodBody, pathOf } from '../good-requests.ts';
import type { Mount } from '../mount.ts';
import { sendRaw } from '../raw.ts';
import { onePerKind, WRITING } from '../requests.ts';
import { TOOL } from '../shop.ts';
import { dayFromNow } from '../times.ts';

/** The endpoints that take a JSON body. */
const BODIED = WRITING.filter(
  (endpoint) =>
    endpoint.body !== undefined && endpoint.protocol === undefined && bodyTypes(endpoint).includes('application/json'),
);
const CHECK = '/api/license/check';
const USAGE = '/api/device/usage';
const KIB = 1024;

export const bodiesSuite = (mount: () => Mount): void => {
  let buyer: Buyer;

  beforeAll(async () => {
    buyer = await aBuyer(mount().service);
  });

  const sendText = (method: string, path: string, text: string, type = 'application/json', key = buyer.key) =>
    send(mount(), method, path, { key, text, headers: { 'Content-Type': type } });

  // Every endpoint refuses a malformed body in the suite of the order of checks.
  describe.each(onePerKind(BODIED))('$method $path', ({ method, ...endpoint }) => {
    let caller: Caller;
    beforeAll(async () => {
      caller = await callerOf(mount().service, { method, ...endpoint });
    });
    const pathNow = () => pathOf({ method, ...endpoint }, caller.product);
    const good = () => JSON.stringify(goodBody({ method, ...endpoint }, caller.product));
    const sendBody = (text: string, type?: string) => sendText(method, pathNow(), text, type, caller.key);

    test.each([
      '{"product_id": 1',
      '{product_id: 1}',
      "{'a': 1}",
      '{"a": 1,}',
      '{"a": NaN}',
      '{} {}',
      'undefined',
      '\u0000',
    ])('the malformed body %s is 400', async (text) => {
      const reply = await sendBody(text);
      expect([reply.status, reply.body]).toEqual([400, { message: expect.any(String) }]);
    });

    test.each([
      '[]',
      '[{}]',
      'null',
      '"text"',
      '5',
      'true',
    ])('the JSON body %s, which is not an object, is 422', async (text) => {
      const reply = await sendBody(text);
      expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, ['body']]);
    });

    test.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'x',
    ])('a body with the content type %s is 415', async (type) => {
      const reply = await sendBody(good(), type);
      expect([reply.status, reply.body]).toEqual([415, { message: expect.any(String) }]);
    });

    test('a JSON text sent as a form is 400 where the endpoint takes forms, and 415 elsewhere', async () => {
      const reply = await sendBody(good(), 'multipart/form-data; boundary=x');
      expect(reply.status).toBe(endpoint.files ? 400 : 415);
    });

    test('a body without a content type is 415', async () => {
      const headers = { authorization: `Bearer ${caller.key}` };
      const reply = await sendRaw(mount(), { method, path: pathNow(), headers, chunks: [good()] });
      expect(reply.status).toBe(415);
    });

    test.each([
      'application/json',
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/vnd.api+json',
    ])('a body with the content type %s is accepted', async (type) => {
      caller = await callerOf(mount().service, { method, ...endpoint });
      expect((await sendBody(good(), type)).status).toBeLessThan(300);
    });

    test('a body in an unsupported charset or content encoding is 415', async () => {
      // The endpoint may have revoked the key of earlier calls.
      caller = await callerOf(mount().service, { method, ...endpoint });
      expect((await sendBody(good(), 'application/json; charset=latin9')).status).toBe(415);
      const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'zstdx' };
      expect((await send(mount(), method, pathNow(), { key: caller.key, text: good(), headers })).status).toBe(415);
    });
  });

  describe('a body over the cap', () => {
    const padded = (bytes: number) => {
      const body = JSON.stringify({ product_id: TOOL, padding: '' });
      return JSON.stringify({ product_id: TOOL, padding: 'x'.repeat(bytes - body.length) });
    };

    test('a body of 64 KiB is accepted, and one byte more is 413', async () => {
      expect((await sendText('POST', CHECK, padded(64 * KIB))).status).toBe(200);
      const over = await sendText('POST', CHECK, padded(64 * KIB + 1));
      expect([over.status, over.body]).toEqual([413, { message: expect.stringContaining('65536') }]);
    });

    test('a chunked body over the cap is 413', async () => {
      const headers = { authorization: `Bearer ${buyer.key}`, 'content-type': 'application/json' };
      const chunks = ['{"a": "', ...Array.from({ length: 20 }, () => 'x'.repeat(8 * KIB)), '"}'];
      expect((await sendRaw(mount(), { method: 'POST', path: CHECK, headers, chunks })).status).toBe(413);
    });

    test('a usage upload of 256 KiB is accepted, and one byte more is 413', async () => {
      const row = { product_id: TOOL, usage_date: dayFromNow(0), launches: 1, padding: '' };
      const empty = JSON.stringify({ consent: true, days: [row] }).length;
      const upload = (bytes: number) => ({ consent: true, days: [{ ...row, padding: 'x'.repeat(bytes - empty) }] });
      expect((await post(mount(), USAGE, buyer.key, upload(256 * KIB))).status).toBe(200);
      expect((await post(mount(), USAGE, buyer.key, upload(256 * KIB + 1))).status).toBe(413);
    });

    test('a gzip body that unpacks to more than the cap is 413', async () => {
      const packed = gzipSync(padded(10 * KIB * KIB));
      const response = await fetch(mount().urls.api + CHECK, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${buyer.key}`,
          'Content-Type': 'application/json',
          'Content-Encoding': 'gzip',
        },
        body: packed,
      });
      expect(response.status).toBe(413);
    });
  });

  describe('a hostile body', () => {
    test('a value of 63 levels in an unknown field is ignored, and deeper or unclosed ones are 400', async () => {
      const nested = (depth: number) => `{"product_id": ${TOOL}, "x": ${'['.repeat(depth)}${']'.repeat(depth)}}`;
      expect((await sendText('POST', CHECK, nested(63))).status).toBe(200);
      for (const depth of [64, 30 * KIB]) {
        const reply = await sendText('POST', CHECK, nested(depth));
        expect([reply.status, reply.body.message]).toEqual([400, expect.stringContaining('64 levels')]);
      }
      expect((await sendText('POST', CHECK, '['.repeat(60 * KIB))).status).toBe(400);
    });

    test('a deeply nested value in a stored field is 422', async () => {
      const deep = `${'{"a":'.repeat(50)}1${'}'.repeat(50)}`;
      const text = `{"consent":true,"days":[{"product_id":${TOOL},"usage_date":"${dayFromNow(0)}","launches":1,"commands":${deep}}]}`;
      const reply = await sendText('POST', USAGE, text);
      expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, ['days.0.commands']]);
    });

    test('a body with bytes that are not UTF-8 is 400', async () => {
      const chunks = [`{"product_id": ${TOOL}, "x": "`, Buffer.from([0xff]), '"}'];
      const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
      const headers = {
        authorization: `Bearer ${buyer.key}`,
        'content-type': 'application/json',
        'content-length': String(length),
      };
      const reply = await sendRaw(mount(), { method: 'POST', path: CHECK, headers, chunks });
      expect([reply.status, reply.body]).toEqual([400, { message: 'The body is not valid UTF-8.' }]);
    });

    test('a body with a __proto__ member pollutes no prototype', async () => {
      const text = `{"__proto__": {"product_id": ${TOOL}}, "constructor": {"prototype": {"valid": true}}}`;
      const reply = await sendText('POST', CHECK, text);
      expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, ['product_id']]);
      const row = `{"product_id":${TOOL},"usage_date":"${dayFromNow(0)}","launches":1,"commands":{"__proto__":{"polluted":1},"run":1}}`;
      const usage = await sendText('POST', USAGE, `{"consent": true, "days": [${row}]}`);
      expect(usage.status).toBe(200);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });

    test('a body that names a member twice uses the last one, as JSON.parse does', async () => {
      const reply = await sendText('POST', CHECK, `{"product_id": 999, "product_id": ${TOOL}}`);
      expect(reply.body.product.id).toBe(TOOL);
    });

    test('a body of a hundred thousand bad rows gets a response under 100,000 characters', async () => {
      const text = `{"consent": true, "days": [${'0,'.repeat(100_000)}0]}`;
      const reply = await sendText('POST', USAGE, text);
      expect(reply.status).toBe(422);
      expect(reply.text.length).toBeLessThan(100_000);
    });
  });
};
