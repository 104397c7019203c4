import { createHash } from 'node:crypto';
import { createServer, request } from 'node:http';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LAMBDA_PAYLOAD_BYTES } from '../../ports/inbound/lambda-limits.ts';
import { buffered } from '../../runtimes/lambda/buffered.ts';
import { aBuyer } from '../surface/buyers.ts';
import { post } from '../surface/client.ts';
import { openShop } from '../surface/shop.ts';
import { gatewayEvent } from './gateway-event.ts';
import { type LambdaMount, openEmbeddedLambda } from './lambda-mount.ts';

const MB = 1024 * 1024;

describe('a request', () => {
  let mount: LambdaMount;
  let key: string;
  beforeAll(async () => {
    mount = await openEmbeddedLambda();
    await openShop(mount.service);
    ({ key } = await aBuyer(mount.service));
  });
  afterAll(() => mount.close());

  test.each([
    ['than a function takes', 5 * MB],
    ['than the gateway takes', 11 * MB],
  ])('that is larger %s is 413, with the limit named', async (_, size) => {
    const reply = await post(mount, '/api/device/usage', key, { consent: true, days: 'x'.repeat(size) });
    expect(reply.status).toBe(413);
    expect(reply.body).toEqual({ message: expect.stringContaining('6 MB') });
  });

  test('that a function takes is answered by it, with the limit of its own', async () => {
    const reply = await post(mount, '/api/device/usage', key, { consent: true, days: 'x'.repeat(4 * MB) });
    expect(reply.status).toBe(413);
    expect(reply.body.message).toContain(String(2 * MB));
  });
});

/** What a function answers that sends `body` as `type`. */
const answerOf = async (body: Buffer, type: string): Promise<APIGatewayProxyResult> => {
  const handler = buffered((_req, res) => {
    res.setHeader('Content-Type', type);
    res.setHeader('X-Request-Id', 'given-id');
    res.end(body);
  });
  const event = { path: '/', httpMethod: 'GET', headers: {}, requestContext: { requestId: 'id' }, body: null };
  return (await handler(event as unknown as APIGatewayProxyEvent, {} as Context, () => {})) as APIGatewayProxyResult;
};

describe('an answer', () => {
  test.each([
    ['text', 'application/json', Buffer.alloc(6 * MB - 1000, 'x')],
    ['bytes', 'application/zip', Buffer.alloc(4.4 * MB, 1)],
  ])('of %s up to the limit is passed on as it is', async (_, type, body) => {
    const result = await answerOf(body, type);
    const sent = Buffer.from(result.body, result.isBase64Encoded ? 'base64' : 'utf8');
    expect(createHash('sha256').update(sent).digest('hex')).toBe(createHash('sha256').update(body).digest('hex'));
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(LAMBDA_PAYLOAD_BYTES);
  });

  test.each([
    ['text', 'application/json', Buffer.alloc(6 * MB, 'x')],
    ['text that has to be escaped', 'application/json', Buffer.alloc(4 * MB, '"')],
    ['bytes', 'application/zip', Buffer.alloc(4.6 * MB, 1)],
  ])('of %s over the limit is 413, with the limit named', async (_, type, body) => {
    const result = await answerOf(body, type);
    expect([result.statusCode, JSON.parse(result.body)]).toEqual([413, { message: expect.stringContaining('6 MB') }]);
    expect(result.headers).toMatchObject({ 'x-request-id': 'given-id', 'x-content-type-options': 'nosniff' });
  });

  test('of bytes arrives as it was sent, whatever the bytes are', async () => {
    const bytes = Buffer.from(Array.from({ length: 1024 }, (_, n) => n % 256));
    const result = await answerOf(bytes, 'image/png');
    expect(result.isBase64Encoded).toBe(true);
    expect(Buffer.from(result.body, 'base64').equals(bytes)).toBe(true);
  });
});

describe('headers', () => {
  /** The headers that the app sees of a request that was written as given. */
  const seenBy = async (headers: [string, string][]): Promise<Record<string, unknown>> => {
    let event: APIGatewayProxyEvent | undefined;
    const server = createServer((req, res) => {
      event = gatewayEvent(req, Buffer.from('body'), { resource: '/', to: 'api', parameters: {} });
      res.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await new Promise((resolve) => request({ port, headers: [['Host', 'api'], ...headers].flat() }, resolve).end());
    server.close();
    let seen: Record<string, unknown> = {};
    const handler = buffered((req, res) => {
      seen = { ...req.headers, address: req.socket.remoteAddress };
      res.end();
    });
    await handler(event as APIGatewayProxyEvent, {} as Context, () => {});
    return seen;
  };

  test('that came in several lines are joined, and cookies as cookies are', async () => {
    const seen = await seenBy([
      ['Cookie', 'a=1'],
      ['If-None-Match', '"x"'],
      ['Cookie', 'b=2'],
      ['If-None-Match', '"y"'],
    ]);
    expect(seen).toMatchObject({ cookie: 'a=1; b=2', 'if-none-match': '"x", "y"', 'content-length': '4' });
  });

  test('don’t change the address of the client', async () => {
    const seen = await seenBy([
      ['X-Forwarded-For', '203.0.113.9'],
      ['X-Real-IP', '203.0.113.9'],
    ]);
    expect(seen['address']).toBe('127.0.0.1');
  });
});
