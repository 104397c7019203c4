import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, inject, test } from 'vitest';
import { PostgresTable } from '../../adapters/postgres/postgres-table.ts';
import { tableContract } from '../contracts/table.ts';
import { freePort } from '../support/free-port.ts';
import { inDatabase, newDatabase } from './databases.ts';

const folder = mkdtempSync('/tmp/pgbouncer-');
let bouncer: ChildProcess;

afterAll(async () => {
  const ended = once(bouncer, 'exit');
  bouncer.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true });
});

/** PgBouncer in its package's configuration, with few connections, each assigned for one transaction. */
const startPgBouncer = async (): Promise<number> => {
  const port = await freePort();
  const users = join(folder, 'users.txt');
  const lines = [
    ...['[databases]', `* = host=${inject('postgres').PGHOST}`, '[pgbouncer]', 'listen_addr = 127.0.0.1'],
    ...[`listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = trust', `auth_file = ${users}`],
    ...['pool_mode = transaction', 'default_pool_size = 4'],
  ];
  chmodSync(folder, 0o755);
  writeFileSync(users, '"store" ""\n');
  writeFileSync(join(folder, 'pgbouncer.ini'), lines.join('\n'));
  const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };
  bouncer = spawn('pgbouncer', [...asNobody, join(folder, 'pgbouncer.ini')], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface({ input: bouncer.stderr as NodeJS.ReadableStream })) {
    if (!line.includes('process up')) continue;
    bouncer.stderr?.resume();
    return port;
  }
  throw new Error('PgBouncer did not start: install the package pgbouncer.');
};

const behind = (async () => {
  const [port, url] = [await startPgBouncer(), await newDatabase()];
  return { url, through: `postgres://store@127.0.0.1:${port}${new URL(url).pathname}` };
})();
const open = async () => PostgresTable.open((await behind).through);
tableContract('PostgresTable behind PgBouncer', open, { another: open, outage: null });

test('calls through PgBouncer leave no lock, transaction or setting on the server’s connections', async () => {
  const { url } = await behind;
  const left = await inDatabase(
    url,
    "SELECT state FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'",
  );
  const locks = await inDatabase(url, "SELECT pid FROM pg_locks WHERE locktype = 'advisory'");
  const prepared = await inDatabase(url, 'SELECT name FROM pg_prepared_statements');
  expect([left, locks, prepared]).toEqual([[], [], []]);
});
