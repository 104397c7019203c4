import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { JsonBodies, type JsonBodyLimits } from '../../adapters/host/bodies.ts';
import { ANYONE } from '../../domain/access/principal.ts';
import { ownerOf } from '../../domain/access/rate-limit.ts';

const KIB = 1024;
const LIMIT = 100 * KIB;
const SMALL = Buffer.from('{"a":1}');

const limits = (more: Partial<JsonBodyLimits> = {}): JsonBodyLimits => ({
  bytes: 250 * KIB,
  bytesPerCaller: 150 * KIB,
  pace: { bytesPerSecond: 1, graceMs: 60_000 },
  ...more,
});

type Sent = {
  readonly from?: string;
  readonly length: number | undefined;
  readonly headers?: Record<string, string>;
  readonly body: Readable | Uint8Array;
};

const reader =
  (bodies: JsonBodies) =>
  ({ from = '203.0.113.7', length, headers = {}, body }: Sent) => {
    const address = () => from;
    return bodies.read(
      {
        method: 'POST',
        path: '/',
        query: '',
        headers: { 'content-type': 'application/json', ...headers },
        address,
        length,
        body: () => body,
      },
      LIMIT,
      'application/json',
      ownerOf(ANYONE, address),
    );
  };

const whole = (length: number, from?: string): Sent => ({ length, body: SMALL, ...(from && { from }) });
const taken = { ok: true };
const full = { ok: false, code: 'unavailable' };

describe('the memory for JSON bodies', () => {
  test('one caller can fill only its own share, the process has room for others, and a finished body frees its share', async () => {
    const bodies = new JsonBodies(limits());
    const read = reader(bodies);
    const [one, two] = [new PassThrough(), new PassThrough()];
    const [first, second] = [read({ length: LIMIT, body: one }), read({ length: LIMIT, body: two, from: '::1' })];
    expect(bodies.bytesTaken).toBe(2 * LIMIT);
    expect(await read(whole(60 * KIB))).toMatchObject(full);
    expect(await read(whole(50 * KIB))).toMatchObject(taken);
    expect(await read(whole(60 * KIB, '198.51.100.1'))).toMatchObject(full);
    one.end(SMALL);
    expect(await first).toMatchObject(taken);
    expect(await read(whole(60 * KIB, '198.51.100.1'))).toMatchObject(taken);
    two.destroy();
    expect(await second).toMatchObject({ code: 'malformed_body' });
    for (let n = 0; n < 10; n++) expect(await read(whole(LIMIT))).toMatchObject(taken);
    expect(bodies.bytesTaken).toBe(0);
  });

  test.each<[string, Omit<Sent, 'body'>]>([
    ['of unknown length', { length: undefined }],
    ['that is packed', { length: 100, headers: { 'content-encoding': 'gzip' } }],
  ])('a body %s counts with its maximum size', async (_, sent) => {
    const read = reader(new JsonBodies(limits()));
    const stalled = new PassThrough();
    const first = read({ ...sent, body: stalled });
    expect(await read(whole(51 * KIB))).toMatchObject(full);
    expect(await read(whole(50 * KIB))).toMatchObject(taken);
    stalled.end('content-encoding' in (sent.headers ?? {}) ? gzipSync(SMALL) : SMALL);
    expect(await first).toMatchObject(taken);
  });

  test('a small body is not counted, and one above its limit is refused', async () => {
    const read = reader(new JsonBodies(limits({ bytes: 0 })));
    expect(await read(whole(SMALL.length))).toMatchObject(taken);
    expect(await read(whole(LIMIT))).toMatchObject(full);
    expect(await read(whole(LIMIT + 1))).toMatchObject({ code: 'body_too_large' });
  });

  test.each<[string, Record<string, string>]>([
    ['plain', {}],
    ['packed', { 'content-encoding': 'gzip' }],
  ])('a large %s body that does not arrive in time is refused and frees its share', async (_, headers) => {
    const read = reader(new JsonBodies(limits({ pace: { bytesPerSecond: 1, graceMs: 30 } })));
    const slow = new PassThrough();
    const outcome = read({ length: LIMIT, headers, body: slow });
    slow.write('[');
    expect(await outcome).toMatchObject({ ok: false, code: 'body_too_slow' });
    expect(slow.listenerCount('data')).toBe(0);
    expect(await read(whole(LIMIT))).toMatchObject(taken);
  });

  test('a small body has no time limit, and a complete large one leaves no timer', async () => {
    const read = reader(new JsonBodies(limits({ pace: { bytesPerSecond: 1, graceMs: 10 } })));
    const slow = new PassThrough();
    const outcome = read({ length: SMALL.length, body: slow });
    await sleep(30);
    slow.end(SMALL);
    expect(await outcome).toMatchObject(taken);
    const large = new PassThrough();
    large.end(SMALL);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const reading = read({ length: LIMIT, body: large });
      expect(vi.getTimerCount()).toBe(1);
      expect(await reading).toMatchObject(taken);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
