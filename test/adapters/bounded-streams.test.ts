import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createHost, type RequestLog } from '../../adapters/host/host.ts';
import type { Reply } from '../../adapters/host/reply.ts';
import { boundStreams } from '../../adapters/host/streams.ts';
import { StoreUnavailable } from '../../adapters/store/table.ts';
import type { EndStream } from '../../application/access/limit-rate.ts';
import type { Owner } from '../../domain/access/rate-limit.ts';

const KIB = 1024;

type Limit = (owner: Owner) => Promise<EndStream | undefined>;

const bodyOf = (length: number) => ({ length, stream: Readable.from([Buffer.alloc(length)], { objectMode: false }) });

/** The response of a host with the guard to a request for a stream, and its log. */
const askedOf = async (limit: Limit, body: ReturnType<typeof bodyOf>, more: Partial<Reply> = {}) => {
  const logged: { status: number; code: string | null }[] = [];
  const log: RequestLog = ({ status, answered }) => logged.push({ status, code: answered?.code ?? null });
  const host = createHost(
    [{ method: 'GET', path: '/file', entry: () => ({ status: 200, headers: {}, body, ...more }), counts: 'itself' }],
    { log, fault: () => {}, health: async () => {}, streams: boundStreams(limit) },
  );
  const reply = await host.handle({
    method: 'GET',
    path: '/file',
    query: '',
    headers: {},
    address: () => '198.51.100.7',
    length: 0,
    body: () => new Uint8Array(),
  });
  return { reply, logged };
};

const NEVER: Limit = () => Promise.reject(new Error('The stream was counted.'));

describe('the guard for streams', () => {
  test('a body that fits in the buffers is not counted', async () => {
    expect((await askedOf(NEVER, bodyOf(64 * KIB))).reply.status).toBe(200);
  });

  test.each([
    [
      'the account that asked',
      { answered: { endpoint: 'downloadBundle', accountId: 7, code: null } },
      { kind: 'account', id: 7 },
    ],
    ['the address where nobody is known', {}, { kind: 'address', address: '198.51.100.7' }],
  ])('a longer body is counted against %s, and its mount can report its end', async (_, more, owner) => {
    const owners: Owner[] = [];
    let ended = 0;
    const limit: Limit = async (one) => {
      owners.push(one);
      return async () => void ended++;
    };
    const { reply } = await askedOf(limit, bodyOf(64 * KIB + 1), more);
    expect([reply.status, owners]).toEqual([200, [owner]]);
    await reply.ended?.();
    expect(ended).toBe(1);
  });

  test('a stream above the limit is 429 with Retry-After, closed unread and logged as such', async () => {
    const body = bodyOf(65 * KIB);
    const answered = { endpoint: 'downloadBundle', accountId: 7, code: null };
    const { reply, logged } = await askedOf(async () => undefined, body, { answered });
    expect([reply.status, reply.headers['retry-after'], body.stream.destroyed]).toEqual([429, '10', true]);
    expect(JSON.parse(reply.body as string)).toEqual({
      message: 'Too many files at once; wait until one has arrived.',
    });
    expect(logged).toEqual([{ status: 429, code: 'rate_limited' }]);
  });

  test('a stream that the store can’t count is 503 and closed', async () => {
    const body = bodyOf(65 * KIB);
    const limit: Limit = () => Promise.reject(new StoreUnavailable('The store is away.'));
    expect((await askedOf(limit, body)).reply.status).toBe(503);
    expect(body.stream.destroyed).toBe(true);
  });
});
