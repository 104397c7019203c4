import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createHost, type HostRoute } from '../../adapters/host/host.ts';
import { jsonReply } from '../../adapters/host/reply.ts';
import { addressBehind, nodeListener, targetOf } from '../../adapters/http/node-requests.ts';
import { type Listening, listen } from '../support/download-server.ts';

describe('the target of a request', () => {
  test.each([
    ['/a/b?c=d&e', '/a/b', 'c=d&e'],
    ['/a', '/a', ''],
    ['/a?', '/a', ''],
    ['/a#b?c', '/a', ''],
    ['http://api.example.com/a?b=c', '/a', 'b=c'],
    ['HTTPS://api.example.com:8443', '/', ''],
    ['http://api.example.com?b', '/', 'b'],
    ['//a', '//a', ''],
    ['/http://a/b', '/http://a/b', ''],
    ['*', '*', ''],
  ])('the target %s has the path %s and the query "%s"', (url, path, query) => {
    expect(targetOf(url)).toEqual({ path, query });
  });
});

describe('a host on a server of Node', () => {
  let server: Listening | undefined;
  let faults: unknown[] = [];

  afterEach(async () => {
    await server?.close();
    server = undefined;
    faults = [];
  });

  const serve = async (route: HostRoute['entry'], options: object = {}, proxies: readonly string[] = []) => {
    const host = createHost([{ method: 'GET', path: '/it', entry: route }], {
      log: () => {},
      fault: (error) => void faults.push(error),
      health: async () => {},
      ...options,
    });
    server = await listen(nodeListener(host, addressBehind(proxies)));
    return server.url;
  };

  test('a request target in absolute form is answered like the same target in origin form', async () => {
    const url = new URL(await serve(() => jsonReply(200, { ok: true })));
    const socket = connect(Number(url.port), url.hostname);
    socket.write(`GET http://api.example.com/it HTTP/1.1\r\nHost: api.example.com\r\nConnection: close\r\n\r\n`);
    const answer = Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>)).toString();
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('a client that disconnects before its IP address is read causes no error behind a trusted proxy', async () => {
    const asked = Promise.withResolvers<string>();
    const url = new URL(
      await serve(
        async ({ address }) => {
          await gone;
          asked.resolve(address());
          return jsonReply(200, {});
        },
        {},
        ['loopback'],
      ),
    );
    const [connection] = [once(server?.server as NonNullable<typeof server>['server'], 'connection')];
    const socket = connect(Number(url.port), url.hostname);
    socket.write('GET /it HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n');
    const [accepted] = await connection;
    const gone = once(accepted, 'close');
    await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    expect(await asked.promise).toEqual(expect.any(String));
    expect(faults).toEqual([]);
  });

  test.each(['log', 'fault'])('a client gets its response even if a %s function throws', async (name) => {
    const broken = () => {
      throw new Error('the log is full');
    };
    const url = await serve(
      () => {
        throw new Error('a fault');
      },
      { [name]: broken },
    );
    expect((await fetch(`${url}/it`)).status).toBe(500);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test('a failed health check is 503 with Retry-After, whatever the reason', async () => {
    const url = await serve(() => jsonReply(200, {}), {
      health: () => Promise.reject(new TypeError('no such bucket')),
    });
    const response = await fetch(`${url}/healthz`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(faults).toEqual([expect.objectContaining({ cause: expect.any(TypeError) })]);
  });

  test('a response with an invalid header is sent and logged as 500', async () => {
    const logged: number[] = [];
    const url = await serve(() => jsonReply(200, {}, { location: 'a\nb' }), {
      log: ({ status }: { status: number }) => void logged.push(status),
    });
    expect((await fetch(`${url}/it`)).status).toBe(500);
    expect(logged).toEqual([500]);
  });

  test('two routes with one method and path are refused when the host is created', () => {
    const entry = () => jsonReply(200, {});
    const route = { method: 'GET', path: '/it', entry };
    const options = { log: () => {}, fault: () => {}, health: async () => {} };
    expect(() => createHost([route, route], options)).toThrow('GET /it has two routes.');
  });
});
