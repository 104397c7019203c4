import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSqliteTable } from '../../../../adapters/sqlite/sqlite-table.ts';
import { checkDevice, devicesInUse } from '../../../processes/data-dir.ts';
import { killServer, type ServerProcess, startServer } from '../../../processes/server.ts';
import { generateAccounts } from '../../../support/generate-accounts.ts';
import { accountEntry, productEntry } from '../../../support/store-folder.ts';
import { PROJECT } from '../../package/entries.ts';
import { COMPILER } from '../support.ts';
import { makeProject, type StrangersProject } from './project.ts';
import { type PostgresServer, startPostgres } from './server.ts';

const SAMPLE = join(PROJECT, 'examples', 'store', 'store.json');
const LIMIT = 3;

/** One product for three devices, and an account that owns it. */
const SHOP = {
  format: 1,
  products: [productEntry({ id: 1, slug: 'tool', device_limit: LIMIT })],
  accounts: [accountEntry({ id: 1, entitlements: [{ id: 1, product_id: 1, granted_at: '2025-01-01T00:00:00Z' }] })],
};

let postgres: PostgresServer;
let project: StrangersProject;

beforeAll(async () => {
  [postgres, project] = await Promise.all([startPostgres(), makeProject()]);
});
afterAll(async () => {
  await postgres.stop();
  await project.remove();
});

/** The variables that select an empty database of this name, and a data folder of the same name for files and keys. */
const newStore = async (name: string) => {
  await postgres.createDatabase(name);
  const DATA_DIR = join(project.folder, name);
  return { ...postgres.env, STORE: 'postgres', PGDATABASE: name, DATA_DIR };
};
const cli = (env: Readonly<Record<string, string>>, ...args: string[]) => project.run(['cli.ts', ...args], env);

test('the example compiles beside the built package alone, with all types checked', async () => {
  expect(await project.run([join(PROJECT, COMPILER), '-p', 'tsconfig.json'])).toMatchObject({ code: 0, stdout: '' });
});

test('the example passes the contracts of the built package', async () => {
  await Promise.all([postgres.createDatabase('table'), postgres.createDatabase('dump')]);
  writeFileSync(
    join(project.folder, 'contract.test.ts'),
    `import { tableContract } from 'account-service/contracts/table';
     import { tableDumpContract } from 'account-service/contracts/table-dump';
     import { postgres } from './engine.ts';
     tableContract('PostgreSQL', async () => (await postgres.open('table', 'serving')).table, { outage: null });
     tableDumpContract('PostgreSQL', () => postgres.open('dump', 'serving'), { outage: null });`,
  );
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot'];
  const { code, stdout } = await project.run(vitest, { ...postgres.env, NO_COLOR: '1' });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/ Tests {2}[1-9]\d\d passed \(/)]);
});

describe('the command line of the example', () => {
  test('a store is imported, published to and examined in PostgreSQL', async () => {
    const env = await newStore('commands');
    expect(await cli(env, 'import', SAMPLE)).toMatchObject({ code: 0, stderr: '' });
    const file = join(project.folder, 'hashcheck.zip');
    writeFileSync(file, 'hashcheck 2.0.0');
    const release = ['publish', 'hashcheck', file, '--version', '2.0.0', '--platform', 'linux-amd64'];
    expect(await cli(env, ...release)).toMatchObject({ code: 0, stderr: '' });
    const listed = await cli(env, 'release', 'list', 'hashcheck', '--json');
    expect(listed.stdout).toContain('"2.0.0"');
    const doctor = await cli(env, 'doctor');
    expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringContaining('The postgres store opens and answers')]);
  });

  test.each([
    ['no database is named', { PGDATABASE: '' }, 'PGDATABASE takes the name of the database'],
    ['there is no such database', { PGDATABASE: 'nowhere' }, 'database "nowhere" does not exist'],
    ['the server is away', { PGHOST: '/nowhere' }, 'connect ENOENT /nowhere'],
  ])('a command where %s says so in one line and exits 1', async (_, wrong, said) => {
    const env = { ...postgres.env, STORE: 'postgres', PGDATABASE: 'postgres', DATA_DIR: project.folder, ...wrong };
    const { code, stdout, stderr } = await cli(env, 'product', 'list');
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^[^\n]+\n$/)]);
    expect(stderr).toContain(said);
  });

  test('a store moves from SQLite to PostgreSQL and back, and its sums stay the same', async () => {
    const { DATA_DIR: _, ...env } = await newStore('moved');
    const [source, files, back] = ['source', 'files', 'back'].map((name) => join(project.folder, name));
    expect(await cli({ DATA_DIR: source as string }, 'import', SAMPLE)).toMatchObject({ code: 0 });
    const table = openSqliteTable(join(source as string, 'store.db'));
    await generateAccounts(table, { accounts: 300 });
    const entries = await table.countEntries();
    await table.close();

    const there = `postgres:moved,filesystem:${files}`;
    const move = (from: string, to: string) => cli(env, 'migrate', '--from', from, '--to', to, '--json');
    const up = (await move(source as string, there)).json();
    expect(up).toMatchObject({ changed: true, table: { entries } });
    const down = (await move(there, back as string)).json();
    expect([down.table, down.objects]).toEqual([up.table, up.objects]);
    expect((await move(there, back as string)).json()).toMatchObject({ changed: false, table: up.table });
  });
});

describe('servers of the example', () => {
  const servers: ServerProcess[] = [];
  const start = async (env: Record<string, string>): Promise<ServerProcess> => {
    const started = await startServer(env['DATA_DIR'] as string, env, join(project.folder, 'server.ts'));
    servers.push(started);
    return started;
  };
  afterAll(() => Promise.all(servers.map((server) => killServer(server, 'SIGTERM'))));

  test('exactly 3 of 40 new devices pass a limit of 3 over two processes on one database', async () => {
    const env = await newStore('devices');
    const document = join(project.folder, 'shop.json');
    writeFileSync(document, JSON.stringify(SHOP));
    expect(await cli(env, 'import', document)).toMatchObject({ code: 0, stderr: '' });
    const abilities = 'products.read,device.entitlements';
    const create = ['key', 'create', '--account', '1', '--name', 'k', '--abilities', abilities, '--json'];
    const { key } = (await cli(env, ...create)).json() as { key: string };
    const two = await Promise.all([start(env), start(env)]);
    const devices = Array.from({ length: 40 }, (_, n) => `device-${n}`);
    const replies = await Promise.all(
      devices.map((device, n) => checkDevice((two[n % 2] as ServerProcess).url, key, device)),
    );
    const admitted = devices.filter((_, n) => replies[n]?.status === 200);
    expect(admitted).toHaveLength(LIMIT);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(devices.length - LIMIT);
    for (const { url } of two) expect((await devicesInUse(url, key)).sort()).toEqual(admitted.sort());
  });

  test('of servers that start at once on an empty database, all come up and serve the sample store', async () => {
    const env = await newStore('first');
    mkdirSync(env.DATA_DIR, { mode: 0o700 });
    const all = await Promise.all([start(env), start(env), start(env)]);
    const products = await cli(env, 'product', 'list', '--json');
    expect(products.json()).toHaveLength(10);
    for (const { url } of all) expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(await Promise.all(all.map((server) => killServer(server, 'SIGTERM')))).toEqual([0, 0, 0]);
  });
});
