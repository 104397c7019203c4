import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServedHost } from '../../adapters/host/addresses.ts';
import { guardedServer } from '../../adapters/http/guarded-server.ts';
import { byHostName } from '../../runtimes/express/host-apps.ts';
import { answerIn, RawConnection } from '../support/sockets.ts';

const SERVED = ['api', 'design', 'app', 'account', 'shop', 'legacy'] as const;
const says =
  (name: ServedHost): RequestListener =>
  (_req, res) =>
    void res.setHeader('connection', 'close').end(name);
const APPS = Object.fromEntries(SERVED.map((name) => [name, says(name)])) as Record<ServedHost, RequestListener>;

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

/** A server on the port of a host, with the configured public addresses. */
const serve = async (ofPort: ServedHost, urls: Parameters<typeof byHostName>[1]): Promise<string> => {
  const server = guardedServer(byHostName(APPS, urls, ofPort)).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** The host that answers a request with these header lines. */
const answerTo = async (url: string, ...lines: readonly string[]): Promise<string | number> => {
  const { status, body } = answerIn(await new RawConnection(url).send(...lines, '', '').untilClosed());
  return status === 200 ? body : status;
};
const hostTo = (url: string, host: string) => answerTo(url, 'GET / HTTP/1.1', `Host: ${host}`);

const PUBLIC = {
  api: 'https://api.shop.example.com',
  design: 'https://design.shop.example.com:8443',
  account: 'http://[2001:db8::5]',
  legacy: 'https://old.example.com',
};

describe('a port behind a proxy', () => {
  let url: string;
  beforeAll(async () => {
    url = await serve('app', PUBLIC);
  });

  test.each([
    ['api.shop.example.com', 'api'],
    ['API.Shop.Example.COM', 'api'],
    ['api.shop.example.com.', 'api'],
    ['api.shop.example.com.:443', 'api'],
    ['api.shop.example.com:443', 'api'],
    ['api.shop.example.com:80', 'app'],
    ['design.shop.example.com:8443', 'design'],
    ['design.shop.example.com', 'app'],
    ['[2001:DB8::5]', 'account'],
    ['[2001:db8::5]:80', 'account'],
    ['old.example.com', 'legacy'],
    ['127.0.0.1:8787', 'app'],
    ['127.0.0.1:8791', 'app'],
    ['[::1]:8791', 'app'],
    ['localhost:8791', 'app'],
    ['laptop.local', 'app'],
    ['shop', 'app'],
    ['a, api.shop.example.com', 'app'],
    ['', 'app'],
  ])('a request for %j is answered by the %s host', async (host, expected) => {
    expect(await hostTo(url, host)).toBe(expected);
  });

  test('an absolute target counts in place of the Host header', async () => {
    const absolute = (to: string, host: string) => answerTo(url, `GET ${to} HTTP/1.1`, `Host: ${host}`);
    expect(await absolute('http://127.0.0.1:8791/', 'api.shop.example.com')).toBe('app');
    expect(await absolute('HTTPS://API.shop.example.com?x', '127.0.0.1:8791')).toBe('api');
    expect(await absolute('http://api.shop.example.com@127.0.0.1/', 'a')).toBe('app');
  });

  test('a request with two Host headers, or of HTTP/1.1 with none, is refused', async () => {
    const two = ['Host: api.shop.example.com', 'hOST: 127.0.0.1:8791', 'Connection: close'];
    expect(await answerTo(url, 'GET / HTTP/1.1', ...two)).toBe(400);
    expect(await answerTo(url, 'GET / HTTP/1.1', 'Connection: close')).toBe(400);
    expect(await answerTo(url, 'GET / HTTP/1.0')).toBe('app');
  });
});

test('the port of the shop host answers as the shop host under every name', async () => {
  const url = await serve('shop', PUBLIC);
  for (const host of ['api.shop.example.com', '127.0.0.1:8791', 'x']) expect(await hostTo(url, host)).toBe('shop');
});

test.each([
  ['https://admin.example.com', 'admin.example.com', 'shop'],
  ['http://127.0.0.1:8791', '127.0.0.1:8791', 'api'],
  ['http://localhost:8791', 'localhost:8791', 'api'],
  ['https://api.shop.example.com', 'api.shop.example.com', 'api'],
])('the SHOP_URL %s lets a request for %s at another port reach the %s host', async (shop, host, expected) => {
  expect(await hostTo(await serve('api', { ...PUBLIC, shop }), host)).toBe(expected);
});
