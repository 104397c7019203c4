import { Readable } from 'node:stream';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import express, { type Express } from 'express';
import { expect, test } from 'vitest';
import { sendReply } from '../../adapters/http/node-requests.ts';
import { expressApp, gatewayAddress } from '../../adapters/lambda-events/express-app.ts';
import { anEvent } from './an-event.ts';

const ask = (use: (app: Express) => unknown, event: Partial<APIGatewayProxyEvent> = {}) => {
  const app = express().disable('x-powered-by');
  use(app);
  return expressApp(app)(anEvent(event), {} as Context);
};

/** The request as the app reads it. */
const seen = async (event: Partial<APIGatewayProxyEvent>) => {
  const { body } = await ask(
    (app) =>
      app.use(express.raw({ type: '*/*' }), (req, res) => {
        const { url, headers, secure } = req;
        const hex = Buffer.isBuffer(req.body) ? req.body.toString('hex') : '';
        res.json({ url, headers, secure, hex, address: gatewayAddress(req) });
      }),
    event,
  );
  return JSON.parse(body);
};

const bytesOf = ({ body, isBase64Encoded }: APIGatewayProxyResult): Buffer =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

test.each([
  ['a path in percent-encoding', { path: '/a%2Fb%20c%3Fd' }, { url: '/a%2Fb%20c%3Fd' }],
  ['a path that begins with two slashes', { path: '//other.example/x' }, { url: '//other.example/x' }],
  [
    'a name of the query twice',
    { multiValueQueryStringParameters: { a: ['1&2', '한'], b: ['x y+z'] } },
    { url: '/?a=1%262&a=%ED%95%9C&b=x+y%2Bz' },
  ],
  ['half a character in the query', { multiValueQueryStringParameters: { q: ['\ud800'] } }, { url: '/?q=%FF' }],
  [
    'two lines of a header, and of cookies',
    { headers: { Cookie: 'b=2', Accept: 'y' }, multiValueHeaders: { Cookie: ['a=1', 'b=2'], Accept: ['x', 'y'] } },
    { headers: { cookie: 'a=1; b=2', accept: 'x, y', 'content-length': '0' } },
  ],
  ['no headers', { headers: {}, multiValueHeaders: {} }, { headers: { 'content-length': '0' } }],
  [
    'a forged address and scheme',
    { multiValueHeaders: { 'X-Forwarded-For': ['203.0.113.9'], 'X-Forwarded-Proto': ['http'] } },
    { address: '198.51.100.7', secure: true },
  ],
  [
    'bytes',
    { httpMethod: 'POST', body: 'AP+A', isBase64Encoded: true, multiValueHeaders: { 'Content-Type': ['image/png'] } },
    { hex: '00ff80' },
  ],
])('an Express app in a function reads %s as on a server', async (_, event, read) => {
  expect(await seen(event)).toMatchObject(read);
});

const PNG = { 'content-type': 'image/png', 'content-length': '4', etag: '"x"' };
const BYTES = Buffer.from([0, 13, 10, 255]);

test.each([
  ['GET', 200, BYTES],
  ['HEAD', 200, Buffer.alloc(0)],
  ['GET', 304, Buffer.alloc(0)],
] as const)('headers that an app sends with only a status reach the gateway: %s, %i', async (httpMethod, status, body) => {
  const result = await ask((app) => app.use((_, res) => void res.writeHead(status, PNG).end(BYTES)), { httpMethod });
  expect(result).toMatchObject({ statusCode: status, headers: PNG });
  expect(bytesOf(result)).toEqual(body);
});

test('two cookies of a response are two header lines', async () => {
  const result = await ask((app) =>
    app.use((_, res) => void res.append('set-cookie', 'a=1').append('set-cookie', 'b=2').writeHead(303).end()),
  );
  expect(result.multiValueHeaders).toEqual({ 'set-cookie': ['a=1', 'b=2'] });
});

test('a response that an app streams arrives whole', async () => {
  const stream = Readable.from([BYTES.subarray(0, 1), BYTES.subarray(1)], { objectMode: false });
  const body = { length: 4, stream };
  const result = await ask((app) => app.use((_, res) => void sendReply(res, { status: 200, headers: PNG, body })));
  expect(bytesOf(result)).toEqual(BYTES);
});

test('a truncated response fails the call at once, and its request counts as ended', async () => {
  const stream = Readable.from(
    (async function* () {
      yield Buffer.from('half');
      throw new Error('The disk failed.');
    })(),
    { objectMode: false },
  );
  let ended = 0;
  const answer = ask((app) =>
    app.use((_, res) => {
      res.once('close', () => (ended += 1));
      return sendReply(res, { status: 200, headers: PNG, body: { length: 4, stream } });
    }),
  );
  await expect(answer).rejects.toThrow(/broke off|disk failed/);
  expect(ended).toBe(1);
});

test('a response above the Lambda limit is 413 with the request id', async () => {
  const big = 'x'.repeat(7 * 1024 * 1024);
  const result = await ask((app) =>
    app.use((_, res) => void res.set('x-request-id', 'given-id').type('text').send(big)),
  );
  expect([result.statusCode, JSON.parse(result.body)]).toEqual([413, { message: expect.stringContaining('6 MB') }]);
  expect(result.headers).toMatchObject({ 'x-request-id': 'given-id', 'x-content-type-options': 'nosniff' });
});
