import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { fetchHandler } from '../../adapters/fetch/fetch-handler.ts';
import { createHost } from '../../adapters/host/host.ts';
import { jsonReply } from '../../adapters/host/reply.ts';
import type { HostRequest } from '../../adapters/host/request.ts';

const options = { log: () => {}, fault: () => {}, health: async () => {} };

/** A handler of one route, and the requests that reached it. */
const aHandler = (read: (request: HostRequest) => Promise<void> = async () => {}) => {
  const seen: HostRequest[] = [];
  const entry = async (request: HostRequest) => {
    seen.push(request);
    await read(request);
    return jsonReply(200, {});
  };
  const host = createHost([{ method: 'POST', path: '/it', entry }], options);
  return { handle: fetchHandler(host, () => '203.0.113.7'), seen };
};

/** An endless body, and the number of chunks read from it. */
const endless = () => {
  const state = { pulled: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        state.pulled++;
        controller.enqueue(new Uint8Array(1024));
      },
      cancel: () => {
        state.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { state, body };
};

const post = (more: object): Request => new Request('http://api.example.com/it?a=b', { method: 'POST', ...more });

describe('a request through fetch', () => {
  test.each<[string, object, number | undefined]>([
    ['without a body', {}, 0],
    ['of a stream', { body: endless().body, duplex: 'half' }, undefined],
    ['that tells its length', { body: 'abc', headers: { 'Content-Length': '3' } }, 3],
  ])('a request %s has the length %s', async (_, more, length) => {
    const { handle, seen } = aHandler();
    expect((await handle(post(more))).status).toBe(200);
    expect(seen[0]).toMatchObject({ path: '/it', query: 'a=b', length });
  });

  test('an unrequested body is not read', async () => {
    const { state, body } = endless();
    const { handle } = aHandler();
    await handle(post({ body, duplex: 'half' }));
    await sleep(20);
    expect(state.pulled).toBe(0);
  });

  test('the rest of a partly read body is cancelled', async () => {
    const { state, body } = endless();
    const { handle } = aHandler(async (request) => {
      const stream = request.body() as unknown as AsyncIterator<unknown> & NodeJS.ReadableStream;
      await new Promise((resolve) => stream.once('data', resolve));
    });
    await handle(post({ body, duplex: 'half' }));
    await expect.poll(() => state.cancelled).toBe(true);
    const { pulled } = state;
    await sleep(20);
    expect(state.pulled).toBe(pulled);
  });

  test('the IP address comes from the handler’s second argument', async () => {
    const seen: string[] = [];
    const entry = (request: HostRequest) => {
      seen.push(request.address());
      return jsonReply(200, {});
    };
    const host = createHost([{ method: 'POST', path: '/it', entry }], options);
    const handle = fetchHandler(host, (_request, connection: { readonly ip: string }) => connection.ip);
    await Promise.all(['203.0.113.7', '203.0.113.8'].map((ip) => handle(post({}), { ip })));
    expect(seen.sort()).toEqual(['203.0.113.7', '203.0.113.8']);
  });
});
