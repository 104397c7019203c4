import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { watched } from '../../adapters/host/streams.ts';

/** A watched source, with its faults and the number of its ends. */
const watching = (length: number, source: Readable) => {
  const state = { ended: 0, faults: [] as unknown[] };
  const { stream } = watched(
    { length, stream: source },
    () => void state.ended++,
    (error) => void state.faults.push(error),
  );
  return { state, stream, source };
};

const chunks = (...sizes: number[]): Readable =>
  Readable.from(
    sizes.map((size) => Buffer.alloc(size)),
    { objectMode: false },
  );

/** Waits long enough for all started work to run. */
const settle = async (): Promise<void> => {
  for (let turns = 0; turns < 10; turns++) await nextTurn();
};

const expectEnded = async ({ state, source }: ReturnType<typeof watching>): Promise<void> => {
  await expect.poll(() => state.ended).toBe(1);
  await settle();
  expect([state.ended, source.destroyed]).toEqual([1, true]);
};

describe('a source with a stated length', () => {
  test.each<[number, number[]]>([
    [0, []],
    [5, [5]],
    [100_000, [1, 65_536, 34_463]],
  ])('a source of %i bytes in the chunks %j passes completely without an error', async (length, sizes) => {
    const watch = watching(length, chunks(...sizes));
    expect(await buffer(watch.stream)).toHaveLength(length);
    await expectEnded(watch);
    expect(watch.state.faults).toEqual([]);
  });

  test.each<[number, number[]]>([
    [10, []],
    [10, [9]],
    [100_000, [65_536]],
  ])('a source with fewer than its %i bytes, in the chunks %j, fails with an error', async (length, sizes) => {
    const watch = watching(length, chunks(...sizes));
    const given = sizes.reduce((sum, size) => sum + size, 0);
    const fault = new Error(`An object gave ${given} of the ${length} bytes to send.`);
    await expect(buffer(watch.stream)).rejects.toEqual(fault);
    await expectEnded(watch);
    expect(watch.state.faults).toEqual([fault]);
  });

  test.each<[number, number[]]>([
    [0, [1]],
    [10, [11]],
    [10, [10, 1]],
  ])('a source with more than its %i bytes, in the chunks %j, fails without passing a surplus byte', async (length, sizes) => {
    const watch = watching(length, chunks(...sizes));
    let passed = 0;
    watch.stream.on('data', (chunk: Buffer) => {
      passed += chunk.length;
    });
    const fault = new Error(`An object gave more than the ${length} bytes to send.`);
    const failed = new Promise((resolve) => watch.stream.on('error', resolve));
    expect(await failed).toEqual(fault);
    await expectEnded(watch);
    expect(watch.state.faults).toEqual([fault]);
    expect(passed).toBeLessThanOrEqual(length);
  });

  test.each([
    ['before its first byte', 0],
    ['after some bytes', 5],
  ])('a source that fails %s fails the reader with the same error, which is reported', async (_, first) => {
    const source = new PassThrough();
    const watch = watching(10, source);
    const error = new Error('the disk is gone');
    if (first > 0) source.write(Buffer.alloc(first));
    setImmediate(() => source.destroy(error));
    await expect(buffer(watch.stream)).rejects.toBe(error);
    await expectEnded(watch);
    expect(watch.state.faults).toEqual([error]);
  });

  test('a source that failed before it is read fails its reader, which is reported', async () => {
    const source = new PassThrough();
    const watch = watching(10, source);
    const error = new Error('the disk is gone');
    source.destroy(error);
    await settle();
    await expect(buffer(watch.stream)).rejects.toBe(error);
    await expectEnded(watch);
    expect(watch.state.faults).toEqual([error]);
  });

  test('a source that closes early without an error is reported as an error', async () => {
    const source = new PassThrough();
    const watch = watching(10, source);
    source.write(Buffer.alloc(5));
    setImmediate(() => source.destroy());
    await expect(buffer(watch.stream)).rejects.toThrow();
    await expectEnded(watch);
    expect(watch.state.faults).toEqual([expect.any(Error)]);
  });
});

describe('the reader of a watched source', () => {
  test.each<[string, Error | undefined]>([
    ['without an error', undefined],
    ['with an error', new Error('The client went away.')],
  ])('a reader that disconnects %s in the middle causes no error and closes the source', async (_, error) => {
    const source = new Readable({
      read() {
        setImmediate(() => this.push(Buffer.alloc(1000)));
      },
    });
    const watch = watching(1_000_000_000, source);
    watch.stream.on('error', () => {});
    await new Promise((resolve) => watch.stream.once('data', resolve));
    watch.stream.destroy(error);
    await expectEnded(watch);
    expect(watch.state.faults).toEqual([]);
  });

  test.each<[string, Error | undefined]>([
    ['without an error', undefined],
    ['with an error', new Error('The client went away.')],
  ])('a reader that disconnects %s while the source is silent closes the source at once', async (_, error) => {
    const source = new PassThrough();
    const watch = watching(10, source);
    watch.stream.on('error', () => {});
    source.write(Buffer.alloc(5));
    await new Promise((resolve) => watch.stream.once('data', resolve));
    await settle();
    watch.stream.destroy(error);
    await expectEnded(watch);
    expect(watch.state.faults).toEqual([]);
  });

  test('a disconnected reader causes no error even if the source fails afterwards', async () => {
    const source = new PassThrough();
    const watch = watching(10, source);
    watch.stream.on('error', () => {}).resume();
    await settle();
    watch.stream.destroy();
    source.destroy(new Error('the disk is gone'));
    await expectEnded(watch);
    expect(watch.state.faults).toEqual([]);
  });

  test('an unread source is closed with its reader without an error', async () => {
    for (const error of [undefined, new Error('The client went away.')]) {
      const watch = watching(10, chunks(10));
      watch.stream.on('error', () => {});
      watch.stream.destroy(error);
      await expectEnded(watch);
      expect(watch.state.faults).toEqual([]);
    }
  });

  test('a source is read only as far as its reader reads', async () => {
    let given = 0;
    const source = new Readable({
      read() {
        given += 10_000;
        this.push(Buffer.alloc(10_000));
      },
    });
    const watch = watching(1_000_000_000, source);
    await new Promise((resolve) => watch.stream.once('readable', resolve));
    await settle();
    expect(given).toBeLessThan(1_000_000);
    watch.stream.destroy();
    await expectEnded(watch);
  });
});
