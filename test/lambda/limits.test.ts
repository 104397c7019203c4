import { createHash } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LAMBDA_PAYLOAD_BYTES } from '../../adapters/lambda-events/deployment.ts';
import { buffered } from '../../adapters/lambda-events/host-function.ts';
import { aBuyer } from '../surface/buyers.ts';
import { post } from '../surface/client.ts';
import { openShop } from '../surface/shop.ts';
import { anEvent } from './an-event.ts';
import { type LambdaMount, openEmbeddedLambda } from './lambda-mount.ts';

const KIB = 1024;
const MB = 1024 * KIB;

describe('the size limit of a request', () => {
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
  ])('a request that is larger %s is 413 and names the limit of 6 MB', async (_, size) => {
    const reply = await post(mount, '/api/device/usage', key, { consent: true, days: 'x'.repeat(size) });
    expect(reply.status).toBe(413);
    expect(reply.body).toEqual({ message: expect.stringContaining('6 MB') });
  });

  test('a request within the gateway’s limit and over the endpoint’s is 413 and names the endpoint’s limit', async () => {
    const reply = await post(mount, '/api/device/usage', key, { consent: true, days: 'x'.repeat(4 * MB) });
    expect(reply.status).toBe(413);
    expect(reply.body.message).toContain(String(256 * KIB));
  });
});

/** The result of a function that sends `body` with the content type `type`. */
const answerOf = (body: string | Uint8Array, type: string): Promise<APIGatewayProxyResult> => {
  const headers = { 'content-type': type, 'x-request-id': 'given-id' };
  return buffered({
    handle: async () => ({ status: 200, headers, body }),
    serves: () => true,
  })(anEvent());
};

describe('the size limit of a response', () => {
  test.each([
    ['text', 'application/json', 'x'.repeat(6 * MB - 1000)],
    ['bytes', 'application/zip', Buffer.alloc(4.4 * MB, 1)],
  ])('a response of %s up to the limit is returned unchanged', async (_, type, body) => {
    const result = await answerOf(body, type);
    const sent = Buffer.from(result.body, result.isBase64Encoded ? 'base64' : 'utf8');
    expect(createHash('sha256').update(sent).digest('hex')).toBe(createHash('sha256').update(body).digest('hex'));
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(LAMBDA_PAYLOAD_BYTES);
  });

  test.each([
    ['text', 'application/json', 'x'.repeat(6 * MB)],
    ['text that has to be escaped', 'application/json', '"'.repeat(4 * MB)],
    ['bytes', 'application/zip', Buffer.alloc(4.6 * MB, 1)],
  ])('a response of %s over the limit is 413 and names the limit of 6 MB', async (_, type, body) => {
    const result = await answerOf(body, type);
    expect([result.statusCode, JSON.parse(result.body)]).toEqual([413, { message: expect.stringContaining('6 MB') }]);
    expect(result.headers).toMatchObject({ 'x-request-id': 'given-id', 'x-content-type-options': 'nosniff' });
  });

  test('a binary response is returned in base64 with every byte value intact', async () => {
    const bytes = Buffer.from(Array.from({ length: 1024 }, (_, n) => n % 256));
    const result = await answerOf(bytes, 'image/png');
    expect(result.isBase64Encoded).toBe(true);
    expect(Buffer.from(result.body, 'base64').equals(bytes)).toBe(true);
  });
});
