import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createHost } from '../../../adapters/host/host.ts';
import { type Reply, wholeReply } from '../../../adapters/host/reply.ts';
import { ConnectionLimits, SERVER_BOUNDS, type ServerBounds, UnreadAnswers } from '../../../adapters/http/bounds.ts';
import { type GuardOptions, guardedServer, StoppableRequest } from '../../../adapters/http/guarded-server.ts';
import { isProxy, nodeListener } from '../../../adapters/http/node-requests.ts';
import { answerIn, RawConnection } from '../../support/sockets.ts';

const GET = 'GET /it HTTP/1.1\r\nHost: a\r\n\r\n';

let server: Server | undefined;
const opened: RawConnection[] = [];

afterEach(() => {
  for (const { socket } of opened.splice(0)) socket.destroy();
  server?.close();
  server?.closeAllConnections();
});

const serve = async (listener: RequestListener, options: GuardOptions = {}): Promise<string> => {
  server = guardedServer(listener, options).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const open = (url: string, from?: string): RawConnection => {
  const connection = new RawConnection(url, from);
  opened.push(connection);
  return connection;
};

const bounds = (more: Partial<ServerBounds>): ServerBounds => ({ ...SERVER_BOUNDS, checkEveryMs: 20, ...more });

const answered = ({ got }: RawConnection): boolean => got.endsWith('ok');

const ok: RequestListener = (_req, res) => void res.end('ok');

describe('the connections of a server', () => {
  const limited = (all: number, perAddress: number, proxies: readonly string[] = []) => ({
    connections: new ConnectionLimits({ all, perAddress }, isProxy(proxies)),
  });

  test('an IP address above its connection limit is 503, while another one is served', async () => {
    const guard = limited(10, 2);
    const url = await serve(ok, guard);
    const held = [open(url), open(url)];
    for (const connection of held) await expect.poll(() => answered(connection.send(GET)) || true).toBe(true);
    const { status, headers, body } = answerIn(await open(url).send(GET).untilClosed());
    expect([status, headers['retry-after'], headers['connection']]).toEqual([503, '5', 'close']);
    expect(JSON.parse(body).message).toMatch(/^Too many connections/);
    const other = open(url, '127.0.0.2').send(GET);
    await expect.poll(() => answered(other)).toBe(true);
    expect([guard.connections.open, guard.connections.refused]).toEqual([3, 1]);
    for (const connection of [...held, other]) connection.socket.destroy();
    await expect.poll(() => guard.connections.open).toBe(0);
  });

  test('a closed connection frees its place', async () => {
    const url = await serve(ok, limited(10, 1));
    for (let n = 0; n < 3; n++) {
      const connection = open(url).send(GET);
      await expect.poll(() => answered(connection)).toBe(true);
      connection.socket.destroy();
      await sleep(20);
    }
  });

  test('all IP addresses together are limited too, and a silent connection also gets the refusal', async () => {
    const url = await serve(ok, limited(2, 2));
    for (const from of ['127.0.0.1', '127.0.0.2']) {
      const connection = open(url, from).send(GET);
      await expect.poll(() => answered(connection)).toBe(true);
    }
    expect(answerIn(await open(url, '127.0.0.3').untilClosed()).status).toBe(503);
  });

  test('a trusted proxy has no limit of its own', async () => {
    const url = await serve(ok, limited(10, 1, ['127.0.0.1/32']));
    for (let n = 0; n < 3; n++) {
      const connection = open(url).send(GET);
      await expect.poll(() => answered(connection)).toBe(true);
    }
  });

  test('two servers of a process share the limit', async () => {
    const options = limited(10, 1);
    const url = await serve(ok, options);
    const second = guardedServer(ok, options).listen(0, '127.0.0.1');
    await once(second, 'listening');
    const connection = open(url).send(GET);
    await expect.poll(() => answered(connection)).toBe(true);
    const other = `http://127.0.0.1:${(second.address() as AddressInfo).port}`;
    expect(answerIn(await open(other).send(GET).untilClosed()).status).toBe(503);
    second.close();
  });

  test('an idle connection ends after its timeout', async () => {
    const url = await serve(ok, { bounds: bounds({ keepAliveMs: 50 }) });
    const connection = open(url).send(GET);
    expect(answerIn(await connection.untilClosed()).status).toBe(200);
  });
});

describe('a client that reads a response slowly', () => {
  const MIB = 1024 * 1024;
  const BYTES = 48 * MIB;

  const streamed = (ended: () => void): Reply => {
    const pieces = function* () {
      for (let sent = 0; sent < BYTES; sent += MIB) yield Buffer.alloc(MIB, 'x');
    };
    const stream = Readable.from(pieces(), { objectMode: false }).once('close', ended);
    return { status: 200, headers: { 'content-length': String(BYTES) }, body: { length: BYTES, stream } };
  };

  const hosting = async (reply: () => Reply, idleMs = 300): Promise<string> => {
    const host = createHost([{ method: 'GET', path: '/it', entry: reply }], {
      log: () => {},
      fault: () => {},
      health: async () => {},
    });
    return serve(nodeListener(host), { bounds: bounds({ idleMs }) });
  };

  const connections = () => new Promise((resolve) => server?.getConnections((_, count) => resolve(count)));

  test.each<[string, () => Reply]>([
    ['a JSON answer', () => wholeReply(200, 'application/json', JSON.stringify('x'.repeat(BYTES)))],
    ['a streamed file', () => streamed(() => {})],
  ])('a client that stops reading %s is cut off', async (_, reply) => {
    const url = await hosting(reply);
    const stalled = open(url).send(GET);
    await once(stalled.socket, 'data');
    stalled.socket.pause();
    await expect.poll(connections).toBe(0);
  });

  test('a stalled client that keeps sending requests is cut off as well', async () => {
    const url = await hosting(() => streamed(() => {}));
    const stalled = open(url).send(GET);
    await once(stalled.socket, 'data');
    stalled.socket.pause();
    const sending = setInterval(() => stalled.send(GET), 50);
    await expect.poll(connections).toBe(0);
    clearInterval(sending);
  });

  test('the file of a client that was cut off is closed', async () => {
    const closed = Promise.withResolvers<void>();
    const stalled = open(await hosting(() => streamed(() => closed.resolve()))).send(GET);
    await once(stalled.socket, 'data');
    stalled.socket.pause();
    await closed.promise;
  });

  test('a slow client that keeps reading gets the whole file, however long it takes', async () => {
    const idleMs = 700;
    const slow = open(await hosting(() => streamed(() => {}), idleMs)).send(GET);
    let read = 0;
    const from = performance.now();
    for await (const chunk of slow.socket) {
      read += chunk.length;
      if (read >= BYTES) break;
      // Far longer than the idle timeout in total, but shorter between two reads.
      if (read % (256 * 1024) < chunk.length) await sleep(30);
    }
    expect(read).toBeGreaterThanOrEqual(BYTES);
    expect(performance.now() - from).toBeGreaterThan(2 * idleMs);
  });
});

describe('pipelined requests on one connection', () => {
  /** Answers when the test says so. */
  const held = () => {
    const begun: ServerResponse[] = [];
    const listener: RequestListener = (_req, res) => void begun.push(res);
    return { begun, listener };
  };

  test('two pipelined requests are answered in order', async () => {
    const { begun, listener } = held();
    const connection = open(await serve(listener)).send(GET.repeat(3));
    for (let n = 0; n < 3; n++) {
      await expect.poll(() => begun.length).toBe(n + 1);
      begun[n]?.end('ok');
    }
    await expect.poll(() => connection.got.match(/HTTP\/1\.1 200/g)?.length).toBe(3);
  });

  test.each<[string, string]>([
    ['whole requests', GET],
    ['requests without a Host header', 'GET /it HTTP/1.1\r\n\r\n'],
    ['requests with an unknown expectation', 'GET /it HTTP/1.1\r\nHost: a\r\nExpect: more\r\n\r\n'],
  ])('a connection on which more %s wait is closed and logged once', async (_, request) => {
    const lines: unknown[] = [];
    const { begun, listener } = held();
    const url = await serve(listener, { log: (line) => lines.push(line) });
    await open(url).send(GET, request.repeat(1000)).untilClosed();
    expect(begun).toHaveLength(1);
    const line = { id: expect.any(String), status: 503, code: 'too_many_waiting', address: '127.0.0.1' };
    expect(lines).toEqual([line]);
  });

  test('the parser reads nothing behind the request that closed its connection', async () => {
    const parsed = vi.spyOn(StoppableRequest.prototype, 'upgrade', 'set');
    const { listener } = held();
    await open(await serve(listener))
      .send(GET.repeat(2400))
      .untilClosed();
    // One is started, two wait, one is too many, and the parser stops at the fifth.
    expect(new Set(parsed.mock.contexts).size).toBe(5);
    parsed.mockRestore();
  });
});

describe('responses that clients do not read', () => {
  const MIB = 1024 * 1024;
  const LARGE = Buffer.alloc(48 * MIB, 'x');

  /** The number of unread answers. */
  const held = (unread: UnreadAnswers): number => Math.floor(unread.bytes / LARGE.length);

  const stall = async (url: string, from: string, unread: UnreadAnswers, answers: number): Promise<RawConnection> => {
    const connection = open(url, from).send(GET);
    await once(connection.socket, 'data');
    connection.socket.pause();
    await expect.poll(() => held(unread)).toBe(answers);
    return connection;
  };

  test('above the total limit, the IP address with the most unread bytes loses its oldest connection, which is logged', async () => {
    const unread = new UnreadAnswers(110 * MIB);
    const lines: unknown[] = [];
    const url = await serve((_req, res) => void res.writeHead(200, { 'content-length': LARGE.length }).end(LARGE), {
      unread,
      log: (line) => lines.push(line),
    });
    const slow = await stall(url, '127.0.0.1', unread, 1);
    const first = await stall(url, '127.0.0.2', unread, 2);
    await stall(url, '127.0.0.2', unread, 2);
    first.socket.resume();
    await first.untilClosed();
    expect(first.got.length).toBeLessThan(LARGE.length);
    expect(lines).toEqual([{ id: expect.any(String), status: 503, code: 'unread_answers', address: '127.0.0.2' }]);
    slow.socket.resume();
    await expect.poll(() => slow.got.length).toBeGreaterThan(LARGE.length);
    await expect.poll(() => held(unread)).toBe(1);
  });

  test('a single response above the limit is delivered', async () => {
    const unread = new UnreadAnswers(MIB);
    const connection = open(await serve((_req, res) => void res.end(LARGE), { unread })).send(GET);
    await expect.poll(() => connection.got.length).toBeGreaterThan(LARGE.length);
    await expect.poll(() => unread.bytes).toBe(0);
  });
});

describe('a request body that arrives slowly', () => {
  const POST = 'POST /it HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n';
  const slowly = bounds({ bodyBytesPerSecond: 10_000, bodyGraceMs: 200 });
  const reading: RequestListener = (req, res) => void req.resume().once('end', () => res.end('ok'));

  test('a body that stalls is 408 in JSON, whatever its listener does', async () => {
    for (const listener of [reading, () => {}]) {
      const url = await serve(listener, { bounds: slowly });
      const { status, body } = answerIn(await open(url).send(POST, 'x'.repeat(10)).untilClosed());
      expect([status, JSON.parse(body)]).toEqual([408, { message: expect.any(String) }]);
      server?.close();
    }
  });

  test('a body that starts fast and then stalls is 408 after the same time', async () => {
    const url = await serve(reading, { bounds: slowly });
    const from = performance.now();
    const connection = open(url).send(POST, 'x'.repeat(900_000));
    expect(answerIn(await connection.untilClosed()).status).toBe(408);
    expect(performance.now() - from).toBeLessThan(5000);
  });

  test('a body at the minimum rate may take far longer than the grace period', async () => {
    const url = await serve(reading, { bounds: { ...slowly, bodyGraceMs: 1000 } });
    const connection = open(url).send('POST /it HTTP/1.1\r\nHost: a\r\nContent-Length: 36000\r\n\r\n');
    for (let n = 0; n < 36; n++) {
      connection.send('x'.repeat(1000));
      await sleep(40);
    }
    await expect.poll(() => answered(connection)).toBe(true);
  });

  test('a request that was answered before its body arrived is not answered twice', async () => {
    const url = await serve((_req, res) => void res.end('ok'), { bounds: slowly });
    const connection = open(url).send(POST);
    expect((await connection.untilClosed()).match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});
