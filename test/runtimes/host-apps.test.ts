import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequestHandler } from 'express';
import { afterEach, expect, test } from 'vitest';
import { createHost } from '../../adapters/host/host.ts';
import { hostApp } from '../../adapters/http/host-app.ts';
import { addressBehind } from '../../adapters/http/node-requests.ts';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A host whose pages are loaded by `load`. Faults are recorded with the ids of their requests. */
const serve = async (load: () => Promise<RequestHandler>, faults: unknown[][] = []): Promise<string> => {
  const options = { log: () => {}, fault: (...told: unknown[]) => void faults.push(told), health: async () => {} };
  const pages = { has: (path: string) => path !== '/healthz', load };
  const app = hostApp(createHost([], options), options, addressBehind([]), pages);
  const server = createServer(app).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const sayHello: RequestHandler = (_req, res) => void res.end('hello');

test('requests that arrive while the pages load wait for them, and the pages load once', async () => {
  const loading = Promise.withResolvers<RequestHandler>();
  let loads = 0;
  const url = await serve(() => {
    loads += 1;
    return loading.promise;
  });
  const answers = Promise.all([fetch(url), fetch(url)]);
  await expect.poll(() => loads).toBe(1);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  loading.resolve(sayHello);
  expect((await answers).map(({ status }) => status)).toEqual([200, 200]);
  expect(await (await fetch(url)).text()).toBe('hello');
  expect(loads).toBe(1);
});

test('pages that can’t be loaded are an error with the request id, and are tried again', async () => {
  const faults: unknown[][] = [];
  let isBroken = true;
  const load = async (): Promise<RequestHandler> => {
    if (isBroken) throw new Error('secret detail');
    return sayHello;
  };
  const url = await serve(load, faults);
  const answer = await fetch(url);
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain('secret');
  expect(faults).toEqual([[new Error('secret detail'), answer.headers.get('x-request-id')]]);
  isBroken = false;
  expect((await fetch(url)).status).toBe(200);
});
