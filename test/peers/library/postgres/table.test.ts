import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StoreUnavailable, type Table } from '../../../../adapters/store/table.ts';
import { type Outage, tableContract } from '../../../contracts/table.ts';
import { tableDumpContract } from '../../../contracts/table-dump.ts';
import { postgres } from './example.ts';
import { type Network, startNetwork } from './network.ts';
import { type PostgresServer, startPostgres } from './server.ts';

let server: PostgresServer;
let network: Network;

beforeAll(async () => {
  server = await startPostgres();
  network = await startNetwork(server.socket);
  Object.assign(process.env, server.env, { PGHOST: network.folder });
  await server.createDatabase('table');
  await server.createDatabase('dump');
});
afterAll(async () => {
  await network.stop();
  await server.stop();
});

const open = async (database = 'table') => {
  await network.restore();
  return postgres.open(database, 'serving');
};
const another = async () => (await postgres.open('table', 'serving')).table;

/** An open table whose network carries nothing any more. */
const silent = async (): Promise<Outage> => {
  const { table } = await open();
  await Promise.all(Array.from({ length: 10 }, () => table.ping()));
  network.silence();
  return { table, restore: network.restore };
};

const silentDump = async () => {
  const opened = await open('dump');
  network.silence();
  return opened;
};

tableContract('PostgreSQL', async () => (await open()).table, { outage: silent, another });
tableDumpContract('PostgreSQL', () => open('dump'), { outage: silentDump });

describe('a table on a PostgreSQL server with faults', () => {
  const key = { pk: 'faults', sk: 'item' };
  const unavailable = (call: Promise<unknown>, reason: RegExp) =>
    expect(call).rejects.toMatchObject({ constructor: StoreUnavailable, message: expect.stringMatching(reason) });

  /** Opens the table, and a connection of the operator beside it. */
  const beside = async (work: (table: Table, operator: Client) => Promise<void>, user = 'store'): Promise<void> => {
    const operator = new Client({ host: server.env.PGHOST, database: 'table', user: 'store' });
    await network.restore();
    await operator.connect();
    process.env['PGUSER'] = user;
    const { table } = await postgres.open('table', 'serving');
    try {
      await work(table, operator);
    } finally {
      process.env['PGUSER'] = 'store';
      await table.close();
      await operator.end();
    }
  };

  test('a table says that the server crashed, and works again once it is back', async () => {
    const { table } = await open();
    await table.put({ ...key, data: { n: 1 } });
    await server.crash();
    await unavailable(table.get(key), /^The database table is unavailable: /);
    await unavailable(table.put({ ...key, data: { n: 2 } }), /^The database table is unavailable: /);
    await server.restart();
    expect((await table.get(key))?.data).toEqual({ n: 1 });
    await table.close();
  });

  test('a call whose connection is slow, and then silent, rejects within ten seconds', async () => {
    const { table } = await open();
    await network.stall(3000);
    const start = performance.now();
    const calls = [table.get(key), table.put({ ...key, data: {} }), table.increment({ pk: 'faults', sk: 'n' }, 1)];
    await Promise.all(calls.map((call) => unavailable(call, /^The database table is unavailable: /)));
    expect(performance.now() - start).toBeLessThan(10_000);
    await network.restore();
    await table.ping();
    await table.close();
  });

  test('a table works on after the operator has ended its connections', () =>
    beside(async (table, operator) => {
      await Promise.all(Array.from({ length: 5 }, () => table.ping()));
      const others = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> $2';
      await operator.query(others, ['table', (await operator.query('SELECT pg_backend_pid()')).rows[0].pg_backend_pid]);
      await expect.poll(() => table.ping().then(() => 'answers', String)).toBe('answers');
    }));

  test('a call that others hold up for seconds says so', () =>
    beside(async (table, operator) => {
      await operator.query('BEGIN; LOCK TABLE store_items');
      const held = [table.get(key), table.put({ ...key, data: {} })];
      await Promise.all(held.map((call) => unavailable(call, /canceling statement due to statement timeout\.$/)));
      await operator.query('ROLLBACK');
      expect(await table.put({ ...key, data: {} })).toBe(true);
    }));

  test('a role that may not make tables uses them, and a call beyond its connections rejects as an outage', async () => {
    await beside(async (_, operator) => {
      await operator.query('CREATE ROLE guest LOGIN CONNECTION LIMIT 1');
      await operator.query('GRANT SELECT, INSERT, UPDATE, DELETE ON store_items, store_counters TO guest');
    });
    await beside(async (table) => {
      const ended = await Promise.allSettled(Array.from({ length: 5 }, () => table.get(key)));
      const faults = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
      expect(faults).toHaveLength(4);
      for (const fault of faults) await unavailable(Promise.reject(fault), /too many connections for role "guest"\.$/);
      expect(await table.put({ ...key, data: { n: 3 } })).toBe(true);
    }, 'guest');
  });

  test('a transaction whose connection breaks while it waits rejects as an outage, and nothing of it is written', () =>
    beside(async (table, operator) => {
      const { version } = (await table.get(key)) ?? {};
      await operator.query('BEGIN; LOCK TABLE store_items');
      const put = unavailable(table.put({ ...key, data: {} }), /Connection terminated unexpectedly\.$/);
      const waiting =
        "SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND relation = 'store_items'::regclass";
      await expect.poll(async () => (await operator.query(waiting)).rows[0].n).toBe(1);
      await network.cut();
      await put;
      await operator.query('ROLLBACK');
      await network.restore();
      expect((await table.get(key))?.version).toBe(version);
    }));

  test('expired items and counters are deleted beside later writes, but for those that a transaction holds', () =>
    beside(async (table, operator) => {
      const both = 'SELECT sk FROM store_items WHERE pk = $1 UNION ALL SELECT sk FROM store_counters WHERE pk = $1';
      const left = async () =>
        (await operator.query(both, [Buffer.from('expiry')])).rows.map(({ sk }) => `${sk}`).sort();
      const leftAfterWrite = () => table.put({ ...key, data: {} }).then(left);
      // The first write of a table deletes, and the next ones do not.
      await table.put({ pk: 'expiry', sk: 'first', data: {}, expires_at: 1 });
      await expect.poll(left).toEqual([]);
      for (const [sk, expires_at] of Object.entries({ held: 1, past: 2, future: 4_102_444_800 })) {
        await table.put({ pk: 'expiry', sk, data: {}, expires_at });
        await table.increment({ pk: 'expiry', sk: `${sk}-counter` }, 1, { expires_at });
      }
      await operator.query("BEGIN; SELECT FROM store_items WHERE pk = 'expiry' AND sk = 'held' FOR UPDATE");
      await expect.poll(leftAfterWrite, { interval: 1 }).toEqual(['future', 'future-counter', 'held']);
      await operator.query('COMMIT');
      await expect.poll(leftAfterWrite, { interval: 1 }).toEqual(['future', 'future-counter']);
    }));

  test('an error that is no outage is thrown as it is', () =>
    beside(async (table, operator) => {
      await table.increment({ pk: 'faults', sk: 'counter' }, 1);
      await operator.query('UPDATE store_counters SET value = 9223372036854775807 WHERE sk = $1', [
        Buffer.from('counter'),
      ]);
      const failed = table.increment({ pk: 'faults', sk: 'counter' }, 1);
      await expect(failed).rejects.toMatchObject({ name: 'error', code: '22003' });
    }));
});
