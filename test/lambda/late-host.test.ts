import { describe, expect, test } from 'vitest';
import { createHost, type Host } from '../../adapters/host/host.ts';
import { jsonReply } from '../../adapters/host/reply.ts';
import type { HostRequest } from '../../adapters/host/request.ts';
import type { RequestLine } from '../../adapters/host/request-line.ts';
import { Routes } from '../../adapters/host/routes.ts';
import { lateHost } from '../../adapters/lambda-events/late-host.ts';
import * as licensing from '../../ports/inbound/api/licensing.ts';
import { ENDPOINTS } from '../../ports/inbound/endpoints.ts';

const TOLD = { log: () => undefined, fault: () => undefined, health: async () => undefined };

const hostOf = (name: string, paths: readonly string[]) =>
  createHost(
    paths.map((path) => ({ method: 'GET', path, entry: () => jsonReply(200, { name }), counts: 'itself' as const })),
    TOLD,
  );

const request = (method: string, path: string): HostRequest => ({
  method,
  path,
  query: '',
  headers: {},
  address: () => '127.0.0.1',
  length: 0,
  body: () => new Uint8Array(),
});

describe('a host in two parts', () => {
  const opened = () => {
    const loads: string[] = [];
    const host = lateHost(
      hostOf('first', ['/first']),
      async () => {
        loads.push('whole');
        return hostOf('whole', ['/first', '/other']);
      },
      TOLD,
    );
    return { host, loads };
  };

  test('answers the paths of the first part, the health check and their wrong methods without loading the whole', async () => {
    const { host, loads } = opened();
    expect((await host.handle(request('GET', '/first'))).body).toBe('{"name":"first"}');
    expect((await host.handle(request('GET', '/healthz'))).status).toBe(200);
    expect((await host.handle(request('DELETE', '/first'))).status).toBe(405);
    expect(loads).toEqual([]);
  });

  test('loads the whole once, for all requests of other paths', async () => {
    const { host, loads } = opened();
    const replies = await Promise.all(['/other', '/none', '/other'].map((path) => host.handle(request('GET', path))));
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 200]);
    expect(loads).toEqual(['whole']);
  });

  test('answers a load that fails like any fault, tells it to the log, and loads again for the next request', async () => {
    const broken = new Error('The disk is gone.');
    const loads = [() => Promise.reject(broken), async () => hostOf('whole', ['/other'])];
    const told: unknown[] = [];
    const options = {
      log: ({ id, status }: RequestLine) => void told.push([id, status]),
      fault: (error: unknown, id: string) => void told.push([id, error]),
    };
    const host = lateHost(hostOf('first', ['/first']), () => (loads.shift() as () => Promise<Host>)(), options);
    const asked = { ...request('GET', '/other'), headers: { 'x-request-id': 'the-first-one' } };
    const failed = await host.handle(asked);
    expect([failed.status, failed.headers['x-request-id']]).toEqual([500, 'the-first-one']);
    expect(failed.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'private, no-store' });
    expect(failed.body).not.toContain('disk');
    expect(told).toEqual([
      ['the-first-one', broken],
      ['the-first-one', 500],
    ]);
    expect((await host.handle(asked)).body).toBe('{"name":"whole"}');
    expect(loads).toEqual([]);
  });
});

test('no endpoint of another area has a path that the first part of the api function answers', () => {
  const all = Object.values(ENDPOINTS).filter(({ host }) => host === 'api');
  const own = new Set<unknown>(Object.values(licensing));
  const first = new Routes(Object.values(licensing).map(({ method, path }) => ({ method, path, entry: path })));
  const others = all.filter((endpoint) => !own.has(endpoint));
  const sample = (path: string): string => path.replaceAll(/\{\w+\}/g, '1');
  expect(others.length).toBeGreaterThan(20);
  expect(others.filter(({ path }) => first.find(sample(path)) !== undefined)).toEqual([]);
});
