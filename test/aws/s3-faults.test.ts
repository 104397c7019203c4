import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { S3Objects } from '../../adapters/s3/s3-objects.ts';
import { StoreUnavailable } from '../../adapters/store/table.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import { newKey, read, streamOf } from '../contracts/object-store/helpers.ts';
import { newBucket } from './support/buckets.ts';
import { type Asked, type FaultProxy, inTurn, openFaultProxy, s3Url, timed } from './support/fault-proxy.ts';

/** The maximum times of a read and a write, with a margin for a busy machine. A write waits for a stalled body. */
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
const CALLS: typeof READS = [
  ...READS,
  ['put', (store, key) => store.put(grantPermit(), key, streamOf(Buffer.from('kept')))],
];

describe('the faults of a bucket', () => {
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

  /** Expects the call to fail in time, with a one-line message that names the bucket. */
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

  test.each(CALLS)('%s on a missing bucket fails and names the bucket', async (_, call) => {
    const missing = new S3Objects('no-such-bucket', { endpoint: proxy.url });
    await expectUnavailable(() => call(missing, newKey()), 'there is no such bucket', { of: 'no-such-bucket' });
  });

  test('each read of a silent bucket fails in time, and the next one succeeds once it is back', async () => {
    const key = newKey();
    await store.put(grantPermit(), key, streamOf(Buffer.from('kept')));
    proxy.decide = () => 'silence';
    await Promise.all(READS.map(([, call]) => expectUnavailable(() => call(store, key), 'it does not answer')));
    proxy.decide = () => 'pass';
    expect(String(await read(store, key))).toBe('kept');
  });

  test('a put to a silent bucket fails in time and stores nothing, and the next one succeeds', async () => {
    const key = newKey();
    const put = () => store.put(grantPermit(), key, streamOf(randomBytes(100)));
    proxy.decide = () => 'silence';
    await expectUnavailable(put, 'it does not answer', { within: WRITE_BOUND_MS });
    proxy.decide = () => 'pass';
    expect(await store.stat(key)).toBeUndefined();
    expect((await put()).created).toBe(true);
  });

  test.each(CALLS)('a %s that gets SlowDown once is retried and succeeds', async (_, call) => {
    proxy.decide = inTurn(SLOW_DOWN);
    await call(store, newKey());
    expect(proxy.asked.length).toBeGreaterThan(1);
  });

  test.each(CALLS)('a %s that always gets SlowDown fails as unavailable', async (_, call) => {
    proxy.decide = () => SLOW_DOWN;
    const { error } = await timed(() => call(store, newKey()));
    expect((error as Error).message).toMatch(
      /^The bucket \S+ is unavailable: it takes no more requests at the moment /,
    );
  });

  test('a put whose response is lost stores the object', async () => {
    const key = newKey();
    const bytes = randomBytes(100);
    proxy.decide = inTurn('lose');
    await store.put(grantPermit(), key, streamOf(bytes));
    expect(await read(store, key)).toEqual(bytes);
  });

  test('a call to a closed port fails with ECONNREFUSED in its message', async () => {
    await proxy.close();
    await expectUnavailable(() => store.ping(), "it can't be reached (ECONNREFUSED)");
    proxy = await openFaultProxy(s3Url());
  });

  test.each(CALLS)('a %s with refused credentials fails as unavailable', async (_, call) => {
    const credentials = { accessKeyId: 'AKIANOBODY', secretAccessKey: 'secret' };
    const { error } = await timed(() => call(new S3Objects(name, { endpoint: proxy.url, credentials }), newKey()));
    expect((error as Error).message).toMatch(/^The bucket \S+ is unavailable: its credentials are refused \(\w+\)\.$/);
  });

  describe('where S3 calls a missing object forbidden', () => {
    const FORBIDDEN = { status: 403, body: '<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>' };
    const ofObjects = ({ operation }: Asked) => (operation.includes('list-type') ? 'pass' : FORBIDDEN);
    const LOOKS: typeof READS = READS.filter(([call]) => call !== 'ping');

    test.each(LOOKS)('a %s of a missing object finds nothing', async (_, call) => {
      proxy.decide = ofObjects;
      expect(await call(store, newKey())).toBeUndefined();
    });

    test.each(LOOKS)('a %s of an existing object is refused', async (_, call) => {
      const key = newKey();
      await store.put(grantPermit(), key, streamOf(Buffer.from('kept')));
      proxy.decide = ofObjects;
      // A response to HEAD has no body to name the reason.
      await expect(call(store, key)).rejects.toThrow(/ is unavailable: its credentials are refused \(\w+\)\.$/);
    });

    test.each(LOOKS)('a %s is refused if the credentials can’t list either', async (_, call) => {
      proxy.decide = () => FORBIDDEN;
      await expectUnavailable(() => call(store, newKey()), 'its credentials are refused (AccessDenied)');
    });
  });

  test('a ping lists a prefix that no object has', async () => {
    await store.ping();
    const [{ operation } = { operation: '' }] = proxy.asked;
    const { searchParams } = new URL(operation.split(' ')[1] ?? '', 'http://s3');
    expect([searchParams.get('prefix'), searchParams.get('max-keys')]).toEqual(['ping/', '1']);
  });

  test.each([
    [['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'], 'no credentials are found'],
    [['AWS_REGION'], 'no region is named (AWS_REGION)'],
  ])('a ping without %s fails with the reason', async (variables, reason) => {
    for (const variable of variables) vi.stubEnv(variable, undefined);
    await expectUnavailable(() => new S3Objects(name, { endpoint: proxy.url }).ping(), reason);
  });
});
