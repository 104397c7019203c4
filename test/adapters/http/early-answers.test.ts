import { afterEach, expect, test } from 'vitest';
import { SERVER_BOUNDS } from '../../../adapters/http/bounds.ts';
import type { EarlyLog } from '../../../adapters/http/guarded-server.ts';
import { type Listeners, listenOn } from '../../../runtimes/express/serve.ts';
import { answerIn, RawConnection } from '../../support/sockets.ts';

type Line = Parameters<EarlyLog>[0];

let listening: Listeners<'api'> | undefined;

afterEach(() => {
  listening?.servers.api.close();
  listening?.servers.api.closeAllConnections();
  listening = undefined;
});

const serve = async (headersMs = 20_000): Promise<{ url: string; lines: Line[] }> => {
  const lines: Line[] = [];
  const bounds = { ...SERVER_BOUNDS, headersMs, checkEveryMs: 50 };
  // When listening on all addresses, an IPv4 client has an IPv6 address, which the log shortens.
  listening = await listenOn({ api: 0 }, () => '::', { bounds, log: (line) => void lines.push(line) });
  listening.handle(() => (_req, res) => res.end('a host answered'));
  return { url: listening.urls.api, lines };
};

const LARGE = 'x'.repeat(20_000);

test.each<[string, string, number, string]>([
  ['headers over 16 KiB', `GET / HTTP/1.1\r\nHost: a\r\nX-Large: ${LARGE}\r\n\r\n`, 431, 'HPE_HEADER_OVERFLOW'],
  ['an address over 16 KiB', `GET /${LARGE} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, 'HPE_HEADER_OVERFLOW'],
  ['a line that is no request', 'HELLO\r\n\r\n', 400, 'HPE_INVALID_METHOD'],
  [
    'two different lengths',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    400,
    'HPE_UNEXPECTED_CONTENT_LENGTH',
  ],
  [
    'a length beside chunks',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    400,
    'HPE_INVALID_TRANSFER_ENCODING',
  ],
  ['a space before the colon of a header', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n', 400, 'HPE_INVALID_HEADER_TOKEN'],
  ['no Host header', 'GET / HTTP/1.1\r\nX: a\r\n\r\n', 400, 'no_host'],
  ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: a miracle\r\n\r\n', 417, 'expectation'],
  ['the request for a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 405, 'connect'],
])('a request with %s is answered in JSON, logged, and ends its connection', async (_, sent, status, code) => {
  const { url, lines } = await serve();
  const answer = answerIn(await new RawConnection(url).send(sent).untilClosed());
  expect(answer).toMatchObject({
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      connection: 'close',
      'content-length': String(Buffer.byteLength(answer.body)),
    },
  });
  expect(JSON.parse(answer.body)).toEqual({ message: expect.stringMatching(/^[A-Z].*\.$/) });
  const id = answer.headers['x-request-id'];
  expect(lines).toEqual([{ id, status, code: expect.stringContaining(code), address: '127.0.0.1' }]);
});

test.each(['/?q=도구', '/caf\u00e9'])('the response to the target %s says that it needs encoding', async (address) => {
  const { url, lines } = await serve();
  const sent = `GET ${address} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const answer = answerIn(await new RawConnection(url).send(sent).untilClosed());
  expect([answer.status, JSON.parse(answer.body).message]).toEqual([400, expect.stringContaining('percent-encoded')]);
  expect(lines).toEqual([expect.objectContaining({ status: 400, address: '127.0.0.1' })]);
});

test('a request to a server that is not ready is 503 and logged', async () => {
  const lines: Line[] = [];
  listening = await listenOn({ api: 0 }, () => '127.0.0.1', { log: (line) => void lines.push(line) });
  const answer = await fetch(`${listening.urls.api}/api/library`, { headers: { 'x-request-id': 'request-1' } });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  expect(lines).toEqual([{ id: 'request-1', status: 503, code: 'starting', address: '127.0.0.1' }]);
});

test('a client that sends 10 MB of headers gets 431 and not a reset connection', async () => {
  const { url, lines } = await serve();
  const connection = new RawConnection(url).send('GET / HTTP/1.1\r\nHost: a\r\nX-Large: ');
  for (let n = 0; n < 100; n++) connection.send('x'.repeat(100_000));
  expect(answerIn(await connection.untilClosed()).status).toBe(431);
  expect(lines).toHaveLength(1);
});

test('late headers are 408 in JSON, and so is a connection that sends nothing', async () => {
  const { url, lines } = await serve(100);
  const [slow, silent] = [new RawConnection(url), new RawConnection(url)];
  slow.send('GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ');
  for (const connection of [slow, silent]) {
    const { status, body } = answerIn(await connection.untilClosed());
    expect([status, JSON.parse(body)]).toEqual([408, { message: expect.any(String) }]);
  }
  expect(lines.map(({ code }) => code)).toEqual(['ERR_HTTP_REQUEST_TIMEOUT', 'ERR_HTTP_REQUEST_TIMEOUT']);
});

test('a bad request behind an unfinished response ends the connection without another response', async () => {
  const { url, lines } = await serve();
  listening?.handle(() => (_req, res) => void res.writeHead(200, { 'content-length': '10' }).write('half'));
  const connection = new RawConnection(url).send('GET / HTTP/1.1\r\nHost: a\r\n\r\nHELLO\r\n\r\n');
  const got = await connection.untilClosed();
  expect(got.match(/HTTP\/1\.1/g) ?? []).toHaveLength(got === '' ? 0 : 1);
  expect(got).not.toContain('400');
  expect(lines).toEqual([]);
});
