import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Running, start } from '../../../runtimes/express/start.ts';
import { freePort } from '../../support/free-port.ts';
import { FREE_PORTS } from '../../support/free-ports.ts';
import { aKey } from '../../surface/buyers.ts';
import { makeCertificate, type Ports, PROXIES, stopProxy } from './proxies.ts';

const NAMES = ['api', 'design', 'app', 'account'] as const;
type Name = (typeof NAMES)[number];

const hostOf = (name: Name): string => `${name}.shop.example.com`;
/** One host's public name has a port, which is then also in the Host header. */
const nameOf = (name: Name): string => (name === 'design' ? `${hostOf(name)}:8443` : hostOf(name));
const urlOf = (name: Name): string => `https://${nameOf(name)}`;

type Call = {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** The client's source address; every address in 127.0.0.0/8 is this machine's. */
  readonly from?: string;
};
type Reply = { readonly status: number; readonly headers: IncomingMessage['headers']; readonly text: string };

const replyOf = async (response: IncomingMessage): Promise<Reply> => {
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  return { status: response.statusCode ?? 0, headers: response.headers, text };
};

describe.each(PROXIES)('the service behind $name', (proxy) => {
  let folder: string;
  let ports: Ports;
  let ca: Buffer;
  let running: Running;
  let child: ChildProcess | undefined;

  const call = (name: Name, { path = '/healthz', method = 'GET', headers = {}, body, from }: Call = {}) =>
    new Promise<Reply>((resolve, reject) => {
      const host = hostOf(name);
      const options = {
        host: '127.0.0.1',
        port: ports.https,
        servername: host,
        ca,
        path,
        method,
        agent: false as const,
      };
      const sent = request(
        { ...options, headers: { host: nameOf(name), ...headers }, ...(from && { localAddress: from }) },
        (response) => resolve(replyOf(response)),
      );
      sent.on('error', reject).end(body);
    });

  /** Starts the proxy if it does not run, because another program may have taken a free port meanwhile. */
  const up = (service: number) => async () => {
    if (child === undefined || child.exitCode !== null) {
      ports = { service, http: await freePort(), https: await freePort() };
      child = proxy.start(folder, ports);
    }
    await call('api');
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'account-service-proxy-'));
    makeCertificate(folder, NAMES.map(hostOf));
    ca = await readFile(join(folder, 'cert.pem'));
    const service = await freePort();
    running = await start({
      STORE: 'memory',
      OBJECTS: 'memory',
      SAMPLE_STORE: 'always',
      ...FREE_PORTS,
      API_PORT: String(service),
      API_URL: urlOf('api'),
      DESIGN_URL: urlOf('design'),
      APP_URL: urlOf('app'),
      ACCOUNT_URL: urlOf('account'),
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'silent',
    });
    await vi.waitFor(up(service), { timeout: 120_000, interval: 200 });
  }, 240_000);

  afterAll(async () => {
    if (child) await stopProxy(child);
    await running.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test.each([
    ['api', '/openapi.json', /"openapi":"3\.1/],
    ['design', '/', /<html/],
    ['app', '/openapi.json', /"openapi":"3\.1/],
    ['account', '/sign-in', /<form/],
  ] as const)('the %s host answers under its own name, through TLS', async (name, path, expected) => {
    expect((await call(name)).text).toBe('{"status":"ok"}');
    const reply = await call(name, { path });
    expect(reply.text).toMatch(expected);
    expect(reply.headers['strict-transport-security']).toBe('max-age=31536000');
  });

  test('a request for any other name is refused by the proxy, with and without TLS', async () => {
    const shop = new URL(running.urls.shop).host;
    for (const host of [shop, '127.0.0.1:9464', 'localhost', 'unknown.example.com']) {
      expect((await call('api', { path: '/healthz', headers: { host } })).status).toBe(421);
      const reply = await new Promise<IncomingMessage>((resolve, reject) => {
        const options = { host: '127.0.0.1', port: ports.http, path: '/healthz', agent: false as const };
        httpRequest({ ...options, headers: { host } }, resolve)
          .on('error', reject)
          .end();
      });
      // Caddy first redirects it to TLS.
      expect([308, 421]).toContain(reply.resume().statusCode);
    }
    await expect(call('none' as Name)).rejects.toThrow();
  });

  test('the limit of a caller without a key counts the client’s address, whatever the client claims', async () => {
    const left = async (from: string, headers = {}) =>
      Number((await call('api', { path: '/api/none', from, headers })).headers['x-ratelimit-remaining']);
    const first = await left('127.0.0.2');
    expect(await left('127.0.0.2', { 'X-Forwarded-For': '203.0.113.9' })).toBe(first - 1);
    expect(await left('127.0.0.3')).toBe(first);
    expect(await left('127.0.0.2')).toBe(first - 2);
  });

  test('an oversized body is refused by the service itself', async () => {
    const body = JSON.stringify({ product_id: 1, device_id: 'x'.repeat(3_000_000) });
    const { value: key } = await aKey(running.service, 1);
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` };
    const { status, text } = await call('api', { path: '/api/license/check', method: 'POST', headers, body });
    expect(status).toBe(413);
    expect(JSON.parse(text)).toMatchObject({ message: expect.stringMatching(/The body/) });
  });

  test('a call without TLS is redirected to the same address with TLS', async () => {
    const host = 'api.shop.example.com';
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { host: '127.0.0.1', port: ports.http, path: '/api/library?a=1', agent: false as const };
      httpRequest({ ...options, headers: { host } }, resolve)
        .on('error', reject)
        .end();
    });
    reply.resume();
    expect(reply.statusCode).toBe(308);
    expect(reply.headers.location).toMatch(/^https:\/\/api\.shop\.example\.com(:\d+)?\/api\/library\?a=1$/);
  });
});
