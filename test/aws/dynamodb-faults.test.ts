import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { dynamodbClient } from '../../adapters/dynamodb/client.ts';
import { DynamodbTable } from '../../adapters/dynamodb/dynamodb-table.ts';
import { bringForward, formatOf, presentFormat } from '../../adapters/store/formats.ts';
import { StoredRateLimits } from '../../adapters/store/rate-limits.ts';
import { type Key, StoreBusy, StoreUnavailable, type Table } from '../../adapters/store/table.ts';
import { newKey, stored } from '../contracts/table/helpers.ts';
import { doubling, fillRows, rowsOf, withStep } from '../support/a-step.ts';
import { dynamodbError, dynamodbUrl, type FaultProxy, inTurn, openFaultProxy, timed } from './support/fault-proxy.ts';
import { newTable, openTable } from './support/tables.ts';

/** The maximum time of one call, with a margin for a busy machine. */
const BOUND_MS = 3500;

const THROTTLED = dynamodbError('ProvisionedThroughputExceededException');
const BROKEN = dynamodbError('InternalServerError', {}, 500);
const CONFLICT = dynamodbError('TransactionCanceledException', {
  CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict', Message: 'It is in use.' }],
});

const CALLS: readonly [string, (table: Table, key: Key) => Promise<unknown>][] = [
  ['get', (table, key) => table.get(key)],
  ['getMany', (table, key) => table.getMany([key, newKey()])],
  ['query', (table, { pk }) => table.query({ pk })],
  ['put', (table, key) => table.put({ ...key, data: {} })],
  ['put if absent', (table, key) => table.put({ ...key, data: {} }, { absent: true })],
  ['remove', (table, key) => table.remove(key)],
  ['remove if absent', (table, key) => table.remove(key, { absent: true })],
  ['increment', (table, key) => table.increment(key, 1)],
  ['transact', (table, key) => table.transact([{ put: { ...key, data: {} } }])],
  ['ping', (table) => table.ping()],
];

describe('the faults of a DynamoDB table', () => {
  let name: string;
  let proxy: FaultProxy;
  let table: DynamodbTable;

  beforeAll(async () => {
    name = await newTable();
  });
  beforeEach(async () => {
    proxy = await openFaultProxy(dynamodbUrl());
    table = openTable(name, proxy.url);
  });
  afterEach(() => proxy.close());

  /** Expects the call to fail in time, with a one-line message that names the table. */
  const expectUnavailable = async (call: () => Promise<unknown>, reason: string, of = name): Promise<void> => {
    const { ms, error } = await timed(call);
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect((error as Error).message).toBe(`The table ${of} is unavailable: ${reason}.`);
    expect(ms).toBeLessThan(BOUND_MS);
  };

  const expectAllUnavailable = (reason: string): Promise<unknown> =>
    Promise.all(CALLS.map(([, call]) => expectUnavailable(() => call(table, newKey()), reason)));

  test('every call to a silent table fails in time, and the next calls succeed once it is back', async () => {
    proxy.decide = () => 'silence';
    await expectAllUnavailable('it does not answer');
    proxy.decide = () => 'pass';
    for (const [, call] of CALLS) await call(table, newKey());
  });

  test('a migration that a throttling table interrupts is continued by the next start', async () => {
    using _ = withStep(doubling());
    await fillRows(table, 60);
    let [calls, ended] = [0, 0];
    // The last thirty of each sixty calls are throttled, which is more than a call is repeated.
    proxy.decide = () => (calls++ % 60 < 30 ? 'pass' : THROTTLED);
    const start = () => bringForward({ table, tableScan: { dump: async () => ({ entries: [] }) } }, () => {});
    for (let isDone = false; !isDone && ended < 20; ) {
      isDone = await start().then(
        () => true,
        (error) => {
          expect(error).toBeInstanceOf(StoreUnavailable);
          ended++;
          return false;
        },
      );
    }
    expect(ended).toBeGreaterThan(1);
    proxy.decide = () => 'pass';
    expect([await rowsOf(table), await formatOf(table)]).toEqual([
      Array.from({ length: 60 }, (_, n) => ({ n, doubled: n * 2 })),
      presentFormat(),
    ]);
  });

  test.each(CALLS)('a %s that is throttled three times succeeds', async (_, call) => {
    proxy.decide = inTurn(THROTTLED, dynamodbError('ThrottlingException'), dynamodbError('RequestLimitExceeded'));
    await call(table, newKey());
    expect(proxy.asked).toHaveLength(4);
  });

  test('every call to a throttling table fails in time, after at most eight attempts', async () => {
    proxy.decide = () => THROTTLED;
    await expectAllUnavailable('it takes no more requests at the moment (ProvisionedThroughputExceededException)');
    expect(proxy.asked.length).toBeGreaterThan(CALLS.length * 2);
    expect(proxy.asked.length).toBeLessThanOrEqual(CALLS.length * 8);
  });

  test('a throttled call fails as busy, and a hurried increment after three attempts and half a second at most', async () => {
    proxy.decide = () => THROTTLED;
    await expect(table.get(newKey())).rejects.toBeInstanceOf(StoreBusy);
    const patient = proxy.asked.length;
    const { ms, error } = await timed(() => table.increment(newKey(), 1, { volatile: true, hurried: true }));
    expect(error).toBeInstanceOf(StoreBusy);
    expect(proxy.asked).toHaveLength(patient + 3);
    expect(ms).toBeLessThan(500);
  });

  test('a hurried increment that is throttled twice counts once', async () => {
    const key = newKey();
    proxy.decide = inTurn(THROTTLED, THROTTLED);
    expect(await table.increment(key, 1, { volatile: true, hurried: true })).toBe(1);
  });

  test('a hurried increment of a table that is broken or silent is as patient as any other', async () => {
    proxy.decide = () => BROKEN;
    const { error } = await timed(() => table.increment(newKey(), 1, { volatile: true, hurried: true }));
    expect(error).not.toBeInstanceOf(StoreBusy);
    expect(proxy.asked.length).toBeGreaterThan(3);
  });

  test('a throttled counter counts no request, and says so at once', async () => {
    proxy.decide = () => THROTTLED;
    const { ms, value } = await timed(() => new StoredRateLimits(table).hit('account#1', 1, 1));
    expect(value).toBeNull();
    expect(ms).toBeLessThan(500);
    proxy.decide = () => 'pass';
    expect(await new StoredRateLimits(table).hit('account#1', 1, 1)).toBe(1);
  });

  test('a call that gets a 500 is retried, and fails when the 500s persist', async () => {
    const key = newKey();
    proxy.decide = inTurn(BROKEN, BROKEN);
    expect(await table.put({ ...key, data: {} })).toBe(true);
    proxy.decide = () => BROKEN;
    await expectUnavailable(() => table.get(key), 'it answers 500 (InternalServerError)');
  });

  test('a call to a closed port fails with ECONNREFUSED in its message', async () => {
    await proxy.close();
    await expectUnavailable(() => table.get(newKey()), "it can't be reached (ECONNREFUSED)");
    proxy = await openFaultProxy(dynamodbUrl());
  });

  test('every call to a missing table fails at the first attempt and names the table', async () => {
    const missing = openTable('no-such-table', proxy.url);
    for (const [, call] of CALLS) {
      await expectUnavailable(() => call(missing, newKey()), 'there is no such table', 'no-such-table');
    }
    expect(proxy.asked).toHaveLength(CALLS.length);
  });

  test('a call with refused credentials fails at the first attempt', async () => {
    const credentials = { accessKeyId: 'not an access key', secretAccessKey: 'secret' };
    const refused = new DynamodbTable(name, dynamodbClient({ endpoint: proxy.url, credentials }));
    onTestFinished(() => refused.close());
    await expectUnavailable(() => refused.ping(), 'its credentials are refused (UnrecognizedClientException)');
    expect(proxy.asked).toHaveLength(1);
  });

  test.each([
    [['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'], 'no credentials are found'],
    [['AWS_REGION'], 'no region is named (AWS_REGION)'],
  ])('a call without %s fails with the reason', async (variables, reason) => {
    for (const variable of variables) vi.stubEnv(variable, undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    await expectUnavailable(() => openTable(name, proxy.url).ping(), reason);
  });

  test('a read is consistent unless the caller opts out', async () => {
    const key = newKey();
    const consistencies = async (consistent?: boolean): Promise<unknown[]> => {
      const before = proxy.asked.length;
      const options = consistent === undefined ? {} : { consistent };
      await table.get(key, options);
      await table.query({ pk: key.pk, ...options });
      await table.getMany([key, newKey()], options);
      return proxy.asked.slice(before).map(({ body }) => {
        const sent = JSON.parse(body);
        return (sent.RequestItems?.[name] ?? sent).ConsistentRead;
      });
    };
    expect(await consistencies()).toEqual([true, true, true]);
    expect(await consistencies(true)).toEqual([true, true, true]);
    expect(await consistencies(false)).toEqual([false, false, false]);
  });

  test('a partly answered batch requests the rest, and a complete one takes one call', async () => {
    const [one, two] = [newKey(), newKey()];
    for (const { pk, sk } of [one, two]) await table.put({ pk, sk, data: { pk } });
    const left = (keys: Key[]) => ({ [name]: { Keys: keys.map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk } })) } });
    const partly = { status: 200, body: { Responses: { [name]: [] }, UnprocessedKeys: left([two]) } };
    const nothing = { status: 200, body: { Responses: { [name]: [] }, UnprocessedKeys: left([one, two]) } };
    proxy.decide = inTurn(nothing, nothing);
    expect((await table.getMany([one, two])).map((item) => item?.data)).toEqual([{ pk: one.pk }, { pk: two.pk }]);
    proxy.decide = inTurn(partly);
    expect((await table.getMany([one, two])).map((item) => item?.data)).toEqual([undefined, { pk: two.pk }]);
    proxy.decide = () => nothing;
    await expectUnavailable(
      () => table.getMany([one, two]),
      'it takes no more requests at the moment (ProvisionedThroughputExceeded)',
    );
    proxy.decide = () => 'pass';
    const before = proxy.asked.length;
    await table.getMany([one, two]);
    expect(proxy.asked).toHaveLength(before + 1);
  });

  describe('a call whose response is lost', () => {
    const lost = () => {
      proxy.decide = inTurn('lose');
    };

    test('a put if absent whose response is lost writes once and returns true', async () => {
      const key = newKey();
      lost();
      expect(await table.put({ ...key, data: { n: 1 } }, { absent: true })).toBe(true);
      lost();
      expect(await table.put({ ...key, data: { n: 2 } }, { absent: true })).toBe(false);
      expect((await stored(table, key)).data).toEqual({ n: 1 });
    });

    test('a put on a version whose response is lost writes once and returns true', async () => {
      const key = newKey();
      await table.put({ ...key, data: { n: 1 } });
      const { version } = await stored(table, key);
      lost();
      expect(await table.put({ ...key, data: { n: 2 } }, { version })).toBe(true);
      lost();
      expect(await table.put({ ...key, data: { n: 3 } }, { version })).toBe(false);
      expect((await stored(table, key)).data).toEqual({ n: 2 });
    });

    test('a remove on a version whose response is lost removes once and returns true', async () => {
      const key = newKey();
      await table.put({ ...key, data: {} });
      const { version } = await stored(table, key);
      lost();
      expect(await table.remove(key, { version })).toBe(true);
      expect(await table.remove(key, { version })).toBe(false);
    });

    test('a transaction whose response is lost commits once and returns true', async () => {
      const [one, two] = [newKey(), newKey()];
      const absent = { absent: true } as const;
      const writes = [one, two].map((key) => ({ put: { ...key, data: {} }, condition: absent }));
      lost();
      expect(await table.transact(writes)).toBe(true);
      expect(await table.transact(writes)).toBe(false);
    });

    test('an exact increment whose response is lost counts once and fails as unavailable', async () => {
      const key = newKey();
      lost();
      await expectUnavailable(() => table.increment(key, 1), "it can't be reached (ECONNRESET)");
      expect(await table.increment(key, 0)).toBe(1);
    });

    test('a volatile increment whose response is lost is repeated and counts twice', async () => {
      const key = newKey();
      lost();
      expect(await table.increment(key, 1, { volatile: true })).toBe(2);
    });
  });

  describe('a conflict of transactions', () => {
    const writes = () => [newKey(), newKey()].map((key) => ({ put: { ...key, data: {} } }));

    test('a transaction that meets a conflict is retried with its token and succeeds', async () => {
      proxy.decide = inTurn(CONFLICT, dynamodbError('TransactionInProgressException'));
      expect(await table.transact(writes())).toBe(true);
      const tokens = proxy.asked.map(({ body }) => JSON.parse(body).ClientRequestToken);
      expect(tokens).toEqual([expect.stringMatching(/./), tokens[0], tokens[0]]);
    });

    test('a put that meets a transaction conflict is retried and succeeds', async () => {
      proxy.decide = inTurn(dynamodbError('TransactionConflictException'));
      expect(await table.put({ ...newKey(), data: {} })).toBe(true);
    });

    test('a transaction that always meets a conflict fails as unavailable', async () => {
      proxy.decide = () => CONFLICT;
      const reason = 'others keep writing the same items (TransactionConflict)';
      await expectUnavailable(() => table.transact(writes()), reason);
    });

    test('a transaction with a failed condition and a conflict returns false at once', async () => {
      const CancellationReasons = [{ Code: 'ConditionalCheckFailed' }, { Code: 'TransactionConflict' }];
      proxy.decide = () => dynamodbError('TransactionCanceledException', { CancellationReasons });
      expect(await table.transact(writes())).toBe(false);
      expect(proxy.asked).toHaveLength(1);
    });
  });

  test('an error of the caller is thrown unchanged at the first attempt', async () => {
    proxy.decide = () => dynamodbError('ValidationException');
    await expect(table.put({ ...newKey(), data: {} })).rejects.toMatchObject({ name: 'ValidationException' });
    expect(proxy.asked).toHaveLength(1);
  });
});
