import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { S3Objects } from '../../adapters/s3/s3-objects.ts';
import { StoreUnavailable } from '../../adapters/store/table.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import { newKey, read, streamOf } from '../contracts/object-store/helpers.ts';
import { newBucket } from './support/buckets.ts';
import { type FaultProxy, inTurn, openFaultProxy, s3Url, timed } from './support/fault-proxy.ts';

/** What a read may take, with something for a busy machine; an upload waits longer, for bytes that don't move. */
const READ_BOUND_MS = 5000;
const WRITE_BOUND_MS = 13_000;

const SLOW_DOWN = {
  status: 503,
  body: '<Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>',
};

const READS: readonly [string, (store: ObjectStore, key: string) => Promise<unknown>][] = [
  ['stat', (store, key) => store.stat(key)],
  ['open', (store, key) => store.open(key)],
  ['ping', (store) => store.ping()],
];
const CALLS: typeof READS = [...READS, ['put', (store, key) => store.put(key, streamOf(Buffer.from('kept')))]];

describe('a bucket', () => {
  let name: string;
  let proxy: FaultProxy;
  let store: S3Objects;

  beforeAll(async () => {
    name = await newBucket();
  });
  beforeEach(async () => {
    proxy = await openFaultProxy(s3Url());
    store = new S3Objects(name, { endpoint: proxy.url });
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await proxy.close();
  });

  /** The call fails within its time, in one line that names the bucket. */
  const expectUnavailable = async (
    call: () => Promise<unknown>,
    reason: string,
    { of = name, within = READ_BOUND_MS } = {},
  ): Promise<void> => {
    const { ms, error } = await timed(call);
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect((error as Error).message).toBe(`The bucket ${of} is unavailable: ${reason}.`);
    expect(ms).toBeLessThan(within);
  };

  test.each(CALLS)('that is not there is named by %s', async (_, call) => {
    const missing = new S3Objects('no-such-bucket', { endpoint: proxy.url });
    await expectUnavailable(() => call(missing, newKey()), 'there is no such bucket', { of: 'no-such-bucket' });
  });

  test('that does not answer fails each read in time, and serves the next when it is back', async () => {
    const key = newKey();
    await store.put(key, streamOf(Buffer.from('kept')));
    proxy.decide = () => 'silence';
    await Promise.all(READS.map(([, call]) => expectUnavailable(() => call(store, key), 'it does not answer')));
    proxy.decide = () => 'pass';
    expect(String(await read(store, key))).toBe('kept');
  });

  test('that does not answer fails a put in time and keeps nothing of it; the next one goes through', async () => {
    const key = newKey();
    const put = () => store.put(key, streamOf(randomBytes(100)));
    proxy.decide = () => 'silence';
    await expectUnavailable(put, 'it does not answer', { within: WRITE_BOUND_MS });
    proxy.decide = () => 'pass';
    expect(await store.stat(key)).toBeUndefined();
    expect((await put()).created).toBe(true);
  });

  test.each(CALLS)('that is busy for a moment serves a %s all the same', async (_, call) => {
    proxy.decide = inTurn(SLOW_DOWN);
    await call(store, newKey());
    expect(proxy.asked.length).toBeGreaterThan(1);
  });

  test.each(CALLS)('that stays busy fails a %s in time', async (_, call) => {
    proxy.decide = () => SLOW_DOWN;
    const { error } = await timed(() => call(store, newKey()));
    expect((error as Error).message).toMatch(
      /^The bucket \S+ is unavailable: it takes no more requests at the moment /,
    );
  });

  test('whose answer is lost keeps what was put, once', async () => {
    const key = newKey();
    const bytes = randomBytes(100);
    proxy.decide = inTurn('lose');
    await store.put(key, streamOf(bytes));
    expect(await read(store, key)).toEqual(bytes);
  });

  test('that nobody listens at is unavailable, and says how', async () => {
    await proxy.close();
    await expectUnavailable(() => store.ping(), "it can't be reached (ECONNREFUSED)");
    proxy = await openFaultProxy(s3Url());
  });

  test.each(CALLS)('that refuses the credentials is unavailable to %s', async (_, call) => {
    const credentials = { accessKeyId: 'AKIANOBODY', secretAccessKey: 'secret' };
    const { error } = await timed(() => call(new S3Objects(name, { endpoint: proxy.url, credentials }), newKey()));
    expect((error as Error).message).toMatch(/^The bucket \S+ is unavailable: its credentials are refused \(\w+\)\.$/);
  });

  test.each([
    [['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'], 'no credentials are found'],
    [['AWS_REGION'], 'no region is named (AWS_REGION)'],
  ])('without %s is unavailable', async (variables, reason) => {
    for (const variable of variables) vi.stubEnv(variable, undefined);
    await expectUnavailable(() => new S3Objects(name, { endpoint: proxy.url }).ping(), reason);
  });
});
