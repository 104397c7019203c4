import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dnsResolver, guardedFetch, isPublicAddress } from '../../adapters/outbound-http/guarded-fetch.ts';
import { selfSigned } from '../support/certificate.ts';

const { key, cert } = selfSigned('client.example');

/** A loopback server that may be fetched from, under the name `client.example`. */
const aHost = async (answer: (req: IncomingMessage, res: ServerResponse) => void, options = {}) => {
  const server = createServer({ key, cert }, answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const { port } = server.address() as AddressInfo;
  const fetch = guardedFetch({ resolve: async () => ['127.0.0.1'], permits: () => true, ca: cert, ...options });
  return { url: `https://client.example:${port}/client.json`, fetch };
};

/** A loopback port that counts its connections. */
const aTarget = async (address = '127.0.0.1') => {
  const target = { connections: 0, port: 0 };
  const server = createTcpServer((socket) => {
    target.connections++;
    socket.destroy();
  });
  await new Promise<void>((done) => server.listen(0, address, done));
  onTestFinished(() => new Promise<void>((done) => void server.close(() => done())));
  target.port = (server.address() as AddressInfo).port;
  return target;
};

const REFUSED = { name: 'FetchRefused' };

describe('the fetch of a document on the public internet', () => {
  it('a public document is fetched over https with a plain request', async () => {
    let headers: IncomingMessage['headers'] = {};
    const { url, fetch } = await aHost((req, res) => {
      headers = req.headers;
      res.setHeader('cache-control', 'max-age=60').end('{"a":1}');
    });
    const answer = await fetch(url);
    expect([answer.status, await answer.json()]).toEqual([200, { a: 1 }]);
    expect(answer.headers.get('cache-control')).toBe('max-age=60');
    expect(Object.keys(headers).sort()).toEqual(['accept', 'connection', 'host']);
  });

  it('a public document is refused from a host with a certificate for another name', async () => {
    const { url, fetch } = await aHost((_req, res) => res.end('{}'));
    await expect(fetch(url.replace('client.example', 'other.example'))).rejects.toThrow(/altnames/);
  });

  it('a public document is not fetched through a redirect', async () => {
    const target = await aTarget();
    const location = `https://127.0.0.1:${target.port}/`;
    const { url, fetch } = await aHost((_req, res) => res.writeHead(302, { location }).end());
    expect((await fetch(url)).status).toBe(302);
    expect(target.connections).toBe(0);
  });

  it.each([
    ['announced', (res: ServerResponse) => void res.setHeader('content-length', 5121).end('x'.repeat(5121))],
    ['streamed', (res: ServerResponse) => void res.write('x'.repeat(3000), () => res.end('x'.repeat(3000)))],
  ])('a public document of more than 5 KB is refused, %s', async (_how, send) => {
    const { url, fetch } = await aHost((_req, res) => send(res));
    await expect(fetch(url)).rejects.toThrow();
  });

  it('a public document of 5 KB is accepted', async () => {
    const { url, fetch } = await aHost((_req, res) => res.end('x'.repeat(5120)));
    expect(await (await fetch(url)).text()).toHaveLength(5120);
  });

  it.each([
    ['before its headers', () => {}],
    ['between its bytes', (res: ServerResponse) => void res.write('{')],
  ])('a public document is refused if its host is slow %s', async (_when, begin) => {
    const { url, fetch } = await aHost((_req, res) => begin(res), { timeout: 200 });
    const started = performance.now();
    await expect(fetch(url)).rejects.toThrow();
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('at most 32 documents are fetched at once, and another one waits no longer than for its response', async () => {
    const answers: ServerResponse[] = [];
    const { url, fetch } = await aHost((_req, res) => void answers.push(res), { timeout: 3000 });
    const first = Array.from({ length: 32 }, () => fetch(url));
    await expect.poll(() => answers.length).toBe(32);
    const waiting = fetch(url);
    answers[0]?.end('{}');
    await expect.poll(() => answers.length).toBe(33);
    for (const answer of answers) answer.end('{}');
    expect((await Promise.all([...first, waiting])).map(({ status }) => status)).toEqual(Array(33).fill(200));
    const slow = Array.from({ length: 33 }, () => fetch(url));
    expect(new Set((await Promise.allSettled(slow)).map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(answers).toHaveLength(33 + 32);
    const last = fetch(url);
    await expect.poll(() => answers.length).toBe(33 + 33);
    answers.at(-1)?.end('{}');
    expect((await last).status).toBe(200);
  });

  it('a public document is refused if its name takes long to resolve', async () => {
    const fetch = guardedFetch({ resolve: () => new Promise(() => {}), timeout: 100 });
    await expect(fetch('https://client.example/')).rejects.toMatchObject(REFUSED);
  });
});

describe('the host name of a document', () => {
  /** A name server that never answers. */
  const aSilentServer = async () => {
    const socket = createSocket('udp4');
    const asked = { queries: 0 };
    socket.on('message', () => asked.queries++);
    await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
    onTestFinished(() => new Promise<void>((done) => void socket.close(() => done())));
    return { asked, servers: [`127.0.0.1:${socket.address().port}`] };
  };

  it('a host name is resolved outside the thread pool for files, and given up with its fetch', async () => {
    const { asked, servers } = await aSilentServer();
    const resolve = dnsResolver(servers);
    const fetch = guardedFetch({ resolve, timeout: 1000 });
    const settled = { count: 0 };
    const slow = Array.from({ length: 30 }, (_, n) =>
      fetch(`https://client-${n}.example/`).catch(() => void settled.count++),
    );
    await expect.poll(() => asked.queries).toBeGreaterThan(30);
    await lookup('127.0.0.1');
    await readFile(new URL(import.meta.url));
    expect(settled.count).toBe(0);
    await Promise.all(slow);
    const given = new AbortController();
    const started = performance.now();
    const last = resolve('client.example', given.signal);
    given.abort();
    expect(await last).toEqual([]);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it('a host name can be an IP address', async () => {
    const { asked, servers } = await aSilentServer();
    const resolve = dnsResolver(servers);
    for (const address of ['192.0.2.1', '2001:db8::1']) {
      expect(await resolve(address, new AbortController().signal)).toEqual([address]);
    }
    expect(asked.queries).toBe(0);
  });
});

describe('a refused target of a fetch', () => {
  it.each([
    'http://127.0.0.1',
    'https://127.0.0.1',
    'https://localhost',
    'https://0x7f.1',
    'https://2130706433',
  ])('a private address gets no connection: %s', async (origin) => {
    const target = await aTarget();
    await expect(guardedFetch()(`${origin}:${target.port}/client.json`)).rejects.toMatchObject(REFUSED);
    expect(target.connections).toBe(0);
  });

  it.each([
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://[::ffff:7f00:1]',
    'https://[64:ff9b::7f00:1]',
  ])('a private name gets no connection: %s', async (origin) => {
    const target = await aTarget('::');
    await expect(guardedFetch()(`${origin}:${target.port}/client.json`)).rejects.toMatchObject(REFUSED);
    expect(target.connections).toBe(0);
  });

  it('a name that resolves to a private address gets no connection, even beside a public address', async () => {
    const target = await aTarget();
    for (const addresses of [['127.0.0.1'], ['1.1.1.1', '127.0.0.1'], ['::ffff:127.0.0.1'], []]) {
      const fetch = guardedFetch({ resolve: async () => addresses });
      await expect(fetch(`https://client.example:${target.port}/`)).rejects.toMatchObject(REFUSED);
    }
    expect(target.connections).toBe(0);
  });

  it('a name that later resolves to a private address gets no connection: the checked address is used', async () => {
    const asked: string[] = [];
    const { url, fetch } = await aHost((_req, res) => res.end('{}'), {
      resolve: async (host: string) => {
        asked.push(host);
        return asked.length === 1 ? ['127.0.0.1'] : ['127.0.0.2'];
      },
      permits: (address: string) => address === '127.0.0.1',
    });
    expect((await fetch(url)).status).toBe(200);
    expect(asked).toEqual(['client.example']);
  });

  it.each([
    'ftp://client.example/',
    'https://user@client.example/',
    'nonsense',
  ])('an invalid address gets no connection: %s', async (url) => {
    await expect(guardedFetch()(url)).rejects.toMatchObject(REFUSED);
  });
});

describe('the check for public addresses', () => {
  it.each([
    '1.1.1.1',
    '93.184.216.34',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
  ])('the address %s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ['this host', '0.0.0.0'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '192.168.1.1'],
    ['link-local', '169.254.169.254'],
    ['shared', '100.64.0.1'],
    ['documentation', '192.0.2.1'],
    ['benchmarks', '198.18.0.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['unique local', 'fd00::1'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['documentation', '2001:db8::1'],
    ['mapped', '::ffff:127.0.0.1'],
    ['mapped', '::ffff:1.1.1.1'],
    ['compatible', '::127.0.0.1'],
    ['translated', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::7f00:1'],
    ['local NAT64', '64:ff9b:1::7f00:1'],
    ['6to4', '2002:7f00:1::1'],
    ['Teredo', '2001::1'],
    ['discard', '100::1'],
    ['segment routing', '5f00::1'],
    ['documentation', '3fff::1'],
    ['no address', 'localhost'],
    ['short', '127.1'],
    ['octal', '0177.0.0.1'],
  ])('the address that is %s is not public: %s', (_kind, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
