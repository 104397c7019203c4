import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { lateListener } from '../../runtimes/express/late-hosts.ts';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const noFault = (error: unknown): never => {
  throw error;
};

const sayHello: RequestListener = (_req, res) => void res.end('hello');

test('requests that arrive while an app is loading wait for it, and it is loaded once', async () => {
  const loading = Promise.withResolvers<RequestListener>();
  let loads = 0;
  const load = (): Promise<RequestListener> => {
    loads += 1;
    return loading.promise;
  };
  const url = await serve(lateListener(load, { fault: noFault }));
  const answers = Promise.all([fetch(url), fetch(url)]);
  await expect.poll(() => loads).toBe(1);
  loading.resolve(sayHello);
  expect((await answers).map(({ status }) => status)).toEqual([200, 200]);
  expect(await (await fetch(url)).text()).toBe('hello');
  expect(loads).toBe(1);
});

test('an app that cannot be loaded is answered 503 with the request id of the logged fault, and is tried again', async () => {
  const faults: unknown[][] = [];
  let isBroken = true;
  const load = async (): Promise<RequestListener> => {
    if (isBroken) throw new Error('secret detail');
    return sayHello;
  };
  const url = await serve(lateListener(load, { fault: (...told) => void faults.push(told) }));
  const answer = await fetch(url);
  expect(answer.status).toBe(503);
  expect(await answer.text()).not.toContain('secret');
  expect(faults).toEqual([[new Error('secret detail'), answer.headers.get('x-request-id')]]);
  isBroken = false;
  expect((await fetch(url)).status).toBe(200);
});

test('a client that goes away while an app is loading does not reach the app', async () => {
  const loading = Promise.withResolvers<RequestListener>();
  let reached = 0;
  const listener = lateListener(() => loading.promise, { fault: noFault });
  const gone = Promise.withResolvers<void>();
  const url = await serve((req, res) => {
    res.once('close', () => gone.resolve());
    listener(req, res);
  });
  const leaving = new AbortController();
  const request = fetch(url, { signal: leaving.signal });
  await once(servers[0] as (typeof servers)[number], 'request');
  leaving.abort();
  await expect(request).rejects.toThrow();
  await gone.promise;
  loading.resolve(() => {
    reached += 1;
  });
  await new Promise(setImmediate);
  expect(reached).toBe(0);
});
