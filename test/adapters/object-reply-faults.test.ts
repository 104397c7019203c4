import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { BYTES, objectOf, serve, settled } from '../support/object-server.ts';

describe('errors while an object is sent', () => {
  const CLAIMED = objectOf(Buffer.alloc(10_000_000));

  /** Reads the response to its end. Returns the number of bytes, and whether it was complete. */
  const received = async (url: string): Promise<{ status: number | undefined; bytes: number; whole: boolean }> => {
    const [response] = (await once(get(url), 'response')) as [IncomingMessage];
    let bytes = 0;
    try {
      for await (const chunk of response) bytes += (chunk as Buffer).length;
      return { status: response.statusCode, bytes, whole: true };
    } catch {
      return { status: response.statusCode, bytes, whole: false };
    }
  };

  async function* thenFails(): AsyncGenerator<Buffer> {
    yield Buffer.alloc(100_000);
    await sleep(20);
    throw new Error('the disk is gone');
  }

  test('an error before the headers is 500 and reported to the host', async () => {
    const url = await serve(objectOf(BYTES), () => Promise.reject(new Error('no store')));
    const response = await fetch(url);
    expect([response.status, await response.json()]).toEqual([
      500,
      { message: expect.stringContaining('on our side') },
    ]);
    expect(response.headers.has('etag')).toBe(false);
    expect(await settled()).toMatchObject({ message: 'no store' });
  });

  test.each([
    ['a name', { filename: '\ud800' }],
    ['a type', { contentType: 'a\r\nb' }],
  ])('a header value %s is an error before the object is opened', async (_, more) => {
    let opened = 0;
    const url = await serve(objectOf(BYTES, more), async () => {
      opened++;
      return undefined;
    });
    expect((await fetch(url)).status).toBe(500);
    expect(opened).toBe(0);
  });

  test.each<[string, () => Readable]>([
    ['fails halfway', () => Readable.from(thenFails(), { objectMode: false })],
    ['ends too early', () => Readable.from([Buffer.alloc(100_000)], { objectMode: false })],
    [
      'was closed without an error',
      () =>
        new Readable({
          read() {
            this.push(Buffer.alloc(1000));
            setImmediate(() => this.destroy());
          },
        }),
    ],
  ])('a source that %s never looks like a complete file', async (_, source) => {
    const stream = source();
    const answer = await received(await serve(CLAIMED, async () => stream));
    expect(answer).toMatchObject({ status: 200, whole: false });
    expect(answer.bytes).toBeLessThan(10_000_000);
    expect(await settled()).toBeInstanceOf(Error);
    expect(stream.destroyed).toBe(true);
  });

  test('surplus bytes of a source never reach another response on the connection', async () => {
    const url = await serve(objectOf(Buffer.alloc(10)), async () =>
      Readable.from([Buffer.alloc(5000)], { objectMode: false }),
    );
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.end('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const answer = await text(socket);
    expect(answer.split('\r\n\r\n')[1] ?? '').toBe('');
    expect(await settled()).toBeInstanceOf(Error);
  });
});

describe('a client that disconnects', () => {
  test('the source of a disconnected client is closed without an error', async () => {
    let pushed = 0;
    const stream = new Readable({
      read() {
        pushed++;
        this.push(Buffer.alloc(64 * 1024));
      },
    });
    const url = await serve(
      objectOf(Buffer.alloc(0), { info: { ...objectOf(BYTES).info, size: 2 ** 40 } }),
      async () => stream,
    );
    const [response] = (await once(get(url), 'response')) as [IncomingMessage];
    await once(response, 'readable');
    await sleep(200);
    // Nobody reads, so once the sockets' buffers are full, nothing requests more from the source.
    expect(pushed * 64 * 1024).toBeLessThan(100_000_000);
    response.destroy();
    expect(await settled()).toBeUndefined();
    expect(stream.destroyed).toBe(true);
  });

  test('an object that is being opened for a disconnected client is closed as well', async () => {
    const stream = Readable.from([BYTES], { objectMode: false });
    let go: () => void = () => {};
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    });
    let called: () => void = () => {};
    const opening = new Promise<void>((resolve) => {
      called = resolve;
    });
    const url = await serve(objectOf(BYTES), async () => {
      called();
      await gone;
      return stream;
    });
    const request = get(url).on('error', () => {});
    await opening;
    request.destroy();
    await sleep(50);
    go();
    expect(await settled()).toBeUndefined();
    expect(stream.destroyed).toBe(true);
  });
});
