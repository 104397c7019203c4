import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { JsonBodies } from '../../adapters/host/bodies.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import { aBuyer, type Buyer } from '../surface/buyers.ts';
import { message2025 } from '../surface/mcp-message.ts';
import { TOOL } from '../surface/shop.ts';
import { withinOneMinute } from '../surface/times.ts';
import { type McpHost, openMcp } from './in-process.ts';

/** The requests per minute of an endpoint's own limit. */
const perMinuteOf = (id: string): number => {
  const limit = allEndpoints.find((endpoint) => endpoint.id === id)?.perMinute;
  if (limit === undefined) throw new Error(`${id} has no limit of its own.`);
  return limit;
};

const KIB = 1024;
const PER_ACCOUNT = 8;

const reportOf = (more: object = {}) =>
  message2025('tools/call', {
    name: 'report_error',
    arguments: {
      app_bundle_id: 'com.example.timer',
      app_version: '1.4.0',
      error_type: 'crash',
      error_message: 'It stopped.',
      ...more,
    },
  });
const report = reportOf();
const product = message2025('tools/call', { name: 'show_product', arguments: { product: TOOL } });

describe('the count of messages against their caller', () => {
  let mcp: McpHost;
  let buyer: Buyer;

  beforeEach(async () => {
    await withinOneMinute();
    mcp = await openMcp({}, { perAccount: PER_ACCOUNT });
    buyer = await aBuyer(mcp.service);
  });

  const remaining = async (message: unknown, key = buyer.key): Promise<number> =>
    Number((await mcp.tell(message, key)).headers['x-ratelimit-remaining']);

  test('a call of a public tool counts against the account', async () => {
    expect(await remaining(message2025('ping'))).toBe(PER_ACCOUNT - 1);
    expect(await remaining(message2025('tools/call', { name: 'list_lineages', arguments: {} }))).toBe(PER_ACCOUNT - 2);
    expect(await remaining(report)).toBe(PER_ACCOUNT - 3);
    expect(await remaining(message2025('ping'))).toBe(PER_ACCOUNT - 4);
  });

  test('a public tool with its own limit keeps it for each account, and refused calls count too', async () => {
    const own = perMinuteOf('reportError');
    const statuses: number[] = [];
    for (let n = 0; n <= own; n++) statuses.push((await mcp.tell(report, buyer.key)).status);
    expect(statuses).toEqual([...Array(own).fill(200), 429]);
    expect((await mcp.tell(report, buyer.key)).headers['x-ratelimit-limit']).toBe(String(own));
    expect(await remaining(message2025('ping'))).toBe(PER_ACCOUNT - own - 3);
    // Users of a hosted client share its address.
    const other = await aBuyer(mcp.service);
    expect((await mcp.tell(report, other.key)).status).toBe(200);
  });

  test('a large message counts once', async () => {
    const { body, headers } = await mcp.tell(reportOf({ stack_trace: 'x'.repeat(20 * KIB) }), buyer.key);
    expect(body.result).not.toHaveProperty('isError');
    expect(headers['x-ratelimit-remaining']).toBe(String(PER_ACCOUNT - 1));
    expect(await remaining(message2025('ping'))).toBe(PER_ACCOUNT - 2);
  });

  test.each([
    ['a large message', { length: 20 * KIB }],
    ['a message of unknown length', { length: undefined }],
    ['a compressed message', { length: 200, headers: { 'content-encoding': 'gzip' } }],
  ])('the message %s of a caller above the limit is 429 before its body is read', async (_, more) => {
    for (let n = 0; n < PER_ACCOUNT; n++) await mcp.tell(product, buyer.key);
    let isRead = false;
    const body = () => {
      isRead = true;
      return gzipSync(JSON.stringify(product));
    };
    const { status } = await mcp.send({ ...more, body }, buyer.key);
    expect([status, isRead]).toEqual([429, false]);
  });
});

describe('large messages', () => {
  const usage = (bytes: number) =>
    JSON.stringify(
      message2025('tools/call', { name: 'upload_usage', arguments: { consent: true, days: [], x: 'x'.repeat(bytes) } }),
    );

  test('the large messages of one caller have a shared limit, and others have room', async () => {
    const jsonBodies = new JsonBodies({
      bytes: 300 * KIB,
      bytesPerCaller: 200 * KIB,
      pace: { bytesPerSecond: 1, graceMs: 60_000 },
    });
    const mcp = await openMcp({ jsonBodies });
    const [one, other] = [await aBuyer(mcp.service), await aBuyer(mcp.service)];
    const stalled = new PassThrough();
    const first = mcp.send({ length: 150 * KIB, body: () => stalled }, one.key);
    const refused = await mcp.send({ length: 100 * KIB, body: () => Buffer.from(usage(0)) }, one.key);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect((await mcp.tell(product, one.key)).status).toBe(200);
    expect((await mcp.send({ length: 100 * KIB, body: () => Buffer.from(usage(0)) }, other.key)).status).toBe(200);
    expect((await mcp.send({ length: 160 * KIB, body: () => Buffer.from(usage(0)) }, other.key)).status).toBe(503);
    stalled.end(usage(0));
    expect((await first).status).toBe(200);
    expect((await mcp.send({ length: 160 * KIB, body: () => Buffer.from(usage(0)) }, other.key)).status).toBe(200);
  });

  test('a large message that stalls is 408', async () => {
    const mcp = await openMcp({
      jsonBodies: new JsonBodies({
        bytes: 300 * KIB,
        bytesPerCaller: 200 * KIB,
        pace: { bytesPerSecond: 1, graceMs: 20 },
      }),
    });
    const { key } = await aBuyer(mcp.service);
    const { status, body } = await mcp.send({ length: 150 * KIB, body: () => new PassThrough() }, key);
    expect([status, body.error.code]).toEqual([408, -32_600]);
  });
});
