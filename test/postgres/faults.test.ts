import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { PostgresTable } from '../../adapters/postgres/postgres-table.ts';
import { StoreBusy } from '../../adapters/store/table.ts';
import { outages } from '../contracts/table/outages.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { inDatabase, newDatabase } from './databases.ts';
import { openProxy } from './proxy.ts';

let server: PostgresServer;
let url: string;
const key = { pk: 'p', sk: 's' };
const fault = (call: Promise<unknown>) => call.then(String, (error: Error) => `${error.name}: ${error.message}`);
const open = async (at = url): Promise<PostgresTable> => {
  const table = await PostgresTable.open(at);
  onTestFinished(() => table.close());
  return table;
};

beforeAll(async () => {
  server = await startPostgres();
  await server.createDatabase('shop');
  url = server.url('shop');
});
afterAll(() => server.stop());

describe('a silent network', () =>
  outages(async () => {
    const proxy = await openProxy(server.socket);
    onTestFinished(proxy.close);
    const table = await PostgresTable.open(`postgres://store@127.0.0.1:${proxy.port}/shop?pool_max_conns=40`);
    proxy.silence(true);
    return { table, restore: () => proxy.silence(false) };
  }));

describe('a server that ends', () => {
  test('each call during an outage says so in one line, and the same table works again afterwards', async () => {
    const table = await open();
    await table.put({ ...key, data: { n: 1 } });
    await server.crash();
    for (const call of [() => table.get(key), () => table.put({ ...key, data: {} }), () => table.increment(key, 1)])
      expect(await fault(call())).toMatch(/^StoreUnavailable: The database localhost\/shop is unavailable: .+\.$/);
    await server.restart();
    await vi.waitFor(async () => expect((await table.get(key))?.data).toEqual({ n: 1 }));
  });

  test('idle connections that an administrator ended cost no call', async () => {
    const table = await open();
    await Promise.all(Array.from({ length: 10 }, () => table.ping()));
    await inDatabase(url, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
    await new Promise((done) => setTimeout(done, 200));
    expect(await Promise.all(Array.from({ length: 10 }, () => fault(table.ping())))).toEqual(
      Array(10).fill('undefined'),
    );
  });

  test('a call whose connection ends in the middle rejects as an outage', async () => {
    const table = await open();
    await table.put({ ...key, data: {} });
    const held = await holdLocks();
    const waiting = fault(table.put({ ...key, data: {} }));
    await vi.waitFor(async () => expect(await inDatabase(url, WAITING)).toHaveLength(1));
    await inDatabase(url, `SELECT pg_terminate_backend(pid) FROM (${WAITING}) AS waiting`);
    expect(await waiting).toMatch(/^StoreUnavailable: .*administrator command\.$/);
    await held.release();
  });
});

const WAITING = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'SELECT store_write_1%'`;

/** Locks the items' rows in another transaction. */
const holdLocks = async () => {
  const { Client } = await import('pg');
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('BEGIN; LOCK TABLE store_items IN ACCESS EXCLUSIVE MODE');
  return { release: () => client.end() };
};

describe('refusals of the server', () => {
  test('a blocked write is busy after three seconds and did not happen', async () => {
    const table = await open();
    await table.remove(key);
    const held = await holdLocks();
    await expect(table.put({ ...key, data: {} })).rejects.toBeInstanceOf(StoreBusy);
    await held.release();
    expect(await table.get(key)).toBeUndefined();
  });

  test('a server without a free connection is busy', async () => {
    await inDatabase(url, 'ALTER DATABASE shop CONNECTION LIMIT 0; CREATE ROLE buyer LOGIN');
    onTestFinished(async () => void (await inDatabase(url, 'ALTER DATABASE shop CONNECTION LIMIT -1')));
    await expect(PostgresTable.open(url.replace('store@', 'buyer@'))).rejects.toBeInstanceOf(StoreBusy);
  });

  test.each([
    ['a read-only database', "SET default_transaction_read_only = 'on'", 'cannot execute'],
    ['another isolation', "SET default_transaction_isolation = 'repeatable read'", 'has to be "read committed"'],
  ])('the server %s refuses writes and says why', async (_, setting, why) => {
    const table = await open();
    await inDatabase(server.url('postgres'), `ALTER DATABASE shop ${setting}`);
    onTestFinished(async () => void (await inDatabase(server.url('postgres'), 'ALTER DATABASE shop RESET ALL')));
    const other = await open();
    expect(await fault(other.put({ ...key, data: {} }))).toMatch(/^StoreUnavailable: /);
    expect(await fault(other.put({ ...key, data: {} }))).toContain(why);
    await table.close();
  });

  test('a database of another encoding is refused with the command that creates one', async () => {
    const latin = await newDatabase("ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0");
    expect(await fault(PostgresTable.open(latin))).toMatch(/^Error: .* LATIN1; .*createdb --encoding=UTF8/);
  });

  test('no message contains the password', async () => {
    const wrong = url.replace('store@', 'store:se%2Fcret@').replace('/shop', '/nowhere');
    const told = await fault(PostgresTable.open(wrong));
    expect([told, told.includes('cret')]).toEqual([expect.stringContaining('"nowhere" does not exist'), false]);
  });
});

test('eight processes that start together on an empty database create the tables once, and each works', async () => {
  await server.createDatabase('empty');
  const tables = await Promise.all(Array.from({ length: 8 }, () => PostgresTable.open(server.url('empty'))));
  expect(await Promise.all(tables.map((table, n) => table.increment(key, 1).then(() => n)))).toHaveLength(8);
  expect(await tables[0]?.increment(key, 1)).toBe(9);
  await Promise.all(tables.map((table) => table.close()));
});

test('NUL, numeric names and the order of members survive, unlike in jsonb', async () => {
  const table = await open();
  const json = '{"z":"a\\u0000b","10":1,"2":{"b":1,"a":-0.1}}';
  const odd = { pk: 'p\0q', sk: '\0' };
  await table.put({ ...odd, data: JSON.parse(json) });
  expect(JSON.stringify((await table.get(odd))?.data)).toBe(JSON.stringify(JSON.parse(json)));
});

test('expired rows are deleted by the store’s horizon and not by the server’s clock', async () => {
  await server.createDatabase('expiry');
  let now = 1000_000;
  const table = await PostgresTable.open(server.url('expiry'), 'serving', () => now);
  const rows = async () => (await inDatabase(server.url('expiry'), 'SELECT FROM store_items')).length;
  const write = async () => {
    for (let n = 0; n < 64; n++) await table.put({ pk: 'q', sk: 'one', data: {} });
  };
  for (let n = 0; n < 5; n++) await table.put({ pk: 'p', sk: `${n}`, data: {}, expires_at: 2000 });
  await write();
  expect(await rows()).toBe(6);
  now = 2_001_000;
  await write();
  await vi.waitFor(async () => expect(await rows()).toBe(1));
  await table.close();
});
