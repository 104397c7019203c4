import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse as parseQuery } from 'node:querystring';
import { Readable } from 'node:stream';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { createHost, type RequestLog, type Respond } from '../../adapters/host/host.ts';
import { jsonReply, type Reply } from '../../adapters/host/reply.ts';
import type { HostRequest } from '../../adapters/host/request.ts';
import { LEGACY_VARIABLE } from '../../adapters/lambda-events/deployment.ts';
import { buffered } from '../../adapters/lambda-events/host-function.ts';
import { anEvent } from './an-event.ts';
import { gatewayEvent } from './gateway-event.ts';

const EMPTY: Reply = { status: 204, headers: {}, body: null };

/** The request that a host receives for the event. */
const requestFor = async (event: APIGatewayProxyEvent): Promise<HostRequest> => {
  let seen: HostRequest | undefined;
  const handle = async (given: HostRequest): Promise<Reply> => {
    seen = given;
    return EMPTY;
  };
  await buffered({ handle, serves: () => true })(event);
  return seen as HostRequest;
};

/** The event of a request that is sent to the path with these header lines. */
const eventOf = async (path: string, headers: readonly [string, string][] = []): Promise<APIGatewayProxyEvent> => {
  let event: APIGatewayProxyEvent | undefined;
  const server = createServer((req, res) => {
    event = gatewayEvent(req, Buffer.from('body'), { resource: '/', to: 'api', parameters: {} });
    res.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => request({ port, path, headers: [['Host', 'api'], ...headers].flat() }, resolve).end());
  server.close();
  return event as APIGatewayProxyEvent;
};

describe('the request of an event', () => {
  test('header lines of one name reach the host joined by commas, and cookies by semicolons', async () => {
    const event = await eventOf('/', [
      ['Cookie', 'a=1'],
      ['If-None-Match', '"x"'],
      ['Cookie', 'b=2'],
      ['If-None-Match', '"y"'],
    ]);
    const { headers } = await requestFor(event);
    expect(headers).toMatchObject({ cookie: 'a=1; b=2', 'if-none-match': '"x", "y"', 'content-length': '4' });
  });

  test('forwarding headers of the client don’t change the host’s IP address for it', async () => {
    const event = await eventOf('/', [
      ['X-Forwarded-For', '203.0.113.9'],
      ['X-Real-IP', '203.0.113.9'],
    ]);
    expect((await requestFor(event)).address()).toBe('127.0.0.1');
  });

  test('the path of an event reaches the host percent-encoded as the client wrote it', async () => {
    const { path, query } = await requestFor(await eventOf('/api/a%2Fb%20c?x=1'));
    expect([path, query]).toEqual(['/api/a%2Fb%20c', 'x=1']);
  });

  test('a query that the gateway decoded reaches the host with the same names and values', async () => {
    const { query } = await requestFor(await eventOf('/?a=1%262&b=x%20y+z&a=%ED%95%9C&c=%25&d='));
    expect({ ...parseQuery(query) }).toEqual({ a: ['1&2', '한'], b: 'x y z', c: '%', d: '' });
  });

  test.each([
    '\ud800',
    'caf\ufffd',
  ])('the value %j in a query reaches the host as bytes that are not UTF-8', async (value) => {
    const { query } = await requestFor(anEvent({ multiValueQueryStringParameters: { q: [value] } }));
    expect(query).toMatch(/^q=(?:caf)?%FF$/);
  });

  test.each([
    ['in base64', { body: Buffer.from('é').toString('base64'), isBase64Encoded: true }],
    ['as text', { body: 'é', isBase64Encoded: false }],
  ])('a body that the gateway hands over %s reaches the host as bytes, with its length', async (_, sent) => {
    const { headers, body } = await requestFor(anEvent(sent));
    expect([headers['content-length'], Buffer.from(body() as Uint8Array).toString()]).toEqual(['2', 'é']);
  });

  test('an event without a body reaches the host as an empty body of length 0', async () => {
    const { headers, body } = await requestFor(anEvent());
    expect([headers['content-length'], body()]).toEqual(['0', new Uint8Array()]);
  });

  test('a request through the legacy host’s API reaches the host with the headers that the legacy host forwards', async () => {
    const multiValueHeaders = { Authorization: ['Bearer key'], 'If-None-Match': ['"x"'], 'X-Anything': ['1'] };
    const { headers } = await requestFor(anEvent({ multiValueHeaders, stageVariables: { [LEGACY_VARIABLE]: 'true' } }));
    expect(headers).toEqual({ authorization: 'Bearer key', 'x-anything': '1', 'content-length': '0' });
  });
});

const answerOf = (entry: Respond, method = 'GET', log: RequestLog = () => {}): Promise<APIGatewayProxyResult> => {
  const host = createHost([{ method: 'GET', path: '/', entry }], { log, fault: () => {}, health: async () => {} });
  return buffered(host)(anEvent({ httpMethod: method, multiValueHeaders: { 'X-Request-Id': ['given-id'] } }));
};

describe('the response of a function', () => {
  test('a JSON response of a function has the headers of every reply and its own', async () => {
    expect(await answerOf(() => jsonReply(201, { text: 'é' }, { 'x-number': '7' }))).toEqual({
      statusCode: 201,
      headers: {
        'x-request-id': 'given-id',
        'x-content-type-options': 'nosniff',
        'x-number': '7',
        'content-type': 'application/json; charset=utf-8',
        'content-length': '13',
      },
      body: '{"text":"é"}',
    });
  });

  test('a JSON response of a function to HEAD has headers and no body', async () => {
    const { headers, body } = await answerOf(() => jsonReply(200, { a: 1 }), 'HEAD');
    expect(headers?.['content-length']).toBe('7');
    expect(body).toBe('');
  });

  test('a JSON response of a function is logged once with its status', async () => {
    const lines: number[] = [];
    await answerOf(
      () => jsonReply(418, {}),
      'GET',
      ({ status }) => lines.push(status),
    );
    expect(lines).toEqual([418]);
  });

  test('a response that a buffered function reads from a stream is returned whole in base64', async () => {
    const stream = Readable.from([Buffer.from('one '), Buffer.from('two')], { objectMode: false });
    const headers = { 'content-type': 'text/plain' };
    const { body, isBase64Encoded } = await answerOf(() => ({ status: 200, headers, body: { length: 7, stream } }));
    expect([isBase64Encoded, Buffer.from(body, 'base64').toString()]).toEqual([true, 'one two']);
  });

  test('a stream that is shorter than its length fails the call of a buffered function', async () => {
    const stream = Readable.from([Buffer.from('half')], { objectMode: false });
    const answer = answerOf(() => ({ status: 200, headers: {}, body: { length: 1000, stream } }));
    await expect(answer).rejects.toThrow('4 of the 1000 bytes');
  });
});
