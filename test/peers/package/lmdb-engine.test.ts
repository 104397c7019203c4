import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { checkDevice, devicesInUse } from '../../processes/data-dir.ts';
import { killServer, type ServerProcess, startServer } from '../../processes/server.ts';
import { accountEntry, productEntry } from '../../support/store-folder.ts';
import { node } from './support.ts';

const LIMIT = 3;
const SHOP = {
  format: 1,
  products: [productEntry({ id: 1, slug: 'tool', device_limit: LIMIT })],
  accounts: [accountEntry({ id: 1, entitlements: [{ id: 1, product_id: 1, granted_at: '2025-01-01T00:00:00Z' }] })],
};

const at = (name: string) => join(inject('full'), name);
const env = { STORE: 'lmdb', LMDB_DIR: at('shop-lmdb'), DATA_DIR: at('shop') };
const servers: ServerProcess[] = [];
const example = at('lmdb-engine');

afterAll(() => Promise.all(servers.map((server) => killServer(server, 'SIGTERM'))));

const cli = async (...args: string[]) => (await node('full', [join(example, 'cli.ts'), ...args], env)).stdout;
const start = async (): Promise<ServerProcess> => {
  const server = await startServer(env.DATA_DIR, env, join(example, 'server.ts'));
  servers.push(server);
  return server;
};

test('two servers on one folder let exactly 3 of 40 new devices pass a limit of 3, and killing both loses none', async () => {
  const document = join(inject('full'), 'shop.json');
  await writeFile(document, JSON.stringify(SHOP));
  await cli('import', document);
  const abilities = 'products.read,device.entitlements';
  const created = await cli('key', 'create', '--account', '1', '--name', 'k', '--abilities', abilities, '--json');
  const { key } = JSON.parse(created) as { key: string };
  const two = await Promise.all([start(), start()]);
  const devices = Array.from({ length: 40 }, (_, n) => `device-${n}`);
  const replies = await Promise.all(devices.map((device, n) => checkDevice(two[n % 2]!.url, key, device)));
  const admitted = devices.filter((_, n) => replies[n]?.status === 200).sort();
  expect(admitted).toHaveLength(LIMIT);
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(devices.length - LIMIT);
  await Promise.all(two.map((server) => killServer(server, 'SIGKILL')));
  const { url } = await start();
  expect((await devicesInUse(url, key)).sort()).toEqual(admitted);
  expect(JSON.parse(await cli('product', 'list', '--json'))).toHaveLength(1);
}, 300_000);

test('a command without a folder to open says so in one line and exits with 1', async () => {
  const away = { ...env, LMDB_DIR: join(example, 'cli.ts') };
  const { code, stderr } = await node('full', [join(example, 'cli.ts'), 'product', 'list'], away).catch(
    (error) => error,
  );
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^The engine lmdb can't be opened: [^\n]+\n$/)]);
});
