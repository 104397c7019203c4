import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inNewFolder } from '../../runtimes/files/new-folder.ts';
import { openService } from '../processes/data-dir.ts';
import { anAccount } from '../support/account-builders.ts';
import { aDevice, anEntitlement, aProduct, NOW } from '../support/builders.ts';
import { cli, spawnedCli } from '../support/cli.ts';
import { put } from '../support/contents.ts';
import { PERMIT } from '../support/permits.ts';

let folder: string;
const run = (...args: string[]) =>
  cli(['license', 'export-offline', '--json', ...args], { DATA_DIR: join(folder, 'data') });
const manifest = async (out: string) =>
  (await readFile(join(out, 'manifest.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-license-'));
  const { service, close } = await openService(join(folder, 'data'));
  await put(service, {
    products: [aProduct({ id: 1, slug: 'tool' })],
    accounts: [1, 2, 3, 4].map((id) => anAccount({ id, email: `buyer-${id}@example.com` })),
    entitlements: [
      anEntitlement({ id: 1, account_id: 1 }),
      anEntitlement({ id: 2, account_id: 2, access_expires_at: '2999-01-01T00:00:00.000Z' }),
      anEntitlement({ id: 3, account_id: 3 }),
      anEntitlement({ id: 4, account_id: 4, revoked_at: NOW }),
    ],
  });
  for (const [account, device_id] of [
    [1, 'laptop'],
    [1, 'tower'],
    [2, 'phone'],
  ] as const) {
    const { slots } = await service.get('devices').find(account, 1, device_id);
    await service.get('devices').activate(await PERMIT, account, 1, aDevice({ device_id }), slots);
  }
  await close();
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test('each device of a license without an end gets a file that never expires', async () => {
  const out = join(folder, 'out');
  expect((await run('--out', out)).json()).toMatchObject({ accounts: 2, files: 2, without_device: 1 });
  const [first, second] = await manifest(out);
  expect(first).toMatchObject({ account_id: 1, email: 'buyer-1@example.com', without_device: [] });
  expect(second).toMatchObject({ account_id: 3, files: [], without_device: ['tool'] });
  const { token, checked_at } = JSON.parse(await readFile(join(out, first.files[0].file), 'utf8'));
  const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
  const device_id = first.files[0].device_id;
  expect(claims).toMatchObject({ sub: '1', device_id, offline: true, perpetual: true, exp: 253_370_764_800 });
  expect(new Date(checked_at).toISOString()).toBe(checked_at);
});

test('of two exports to one folder at once, one writes all of it, and the other says that it exists', async () => {
  const out = join(folder, 'twice');
  const env = { DATA_DIR: join(folder, 'data') };
  const both = await Promise.all(
    [1, 2].map(() => spawnedCli(['license', 'export-offline', '--json', '--out', out], env)),
  );
  expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
  expect(both.find(({ code }) => code === 1)?.json()).toMatchObject({ error: 'folder_exists' });
  expect((await manifest(out)).map(({ account_id }) => account_id)).toEqual([1, 3]);
  expect((await readdir(folder)).filter((name) => name.includes('partial'))).toEqual([]);
});

test('an export changes nothing where a file or a folder has the name, and leaves nothing if it fails', async () => {
  const taken = join(folder, 'taken');
  await writeFile(taken, 'mine');
  expect((await run('--out', taken)).json()).toMatchObject({ error: 'folder_exists' });
  expect((await run('--out', join(folder, 'data'))).json()).toMatchObject({ error: 'folder_exists' });
  expect((await run('--out', join(taken, 'within'))).json().message).toMatch(
    /^The folder .* can't be made \(\w+\); name/,
  );
  expect(await readFile(taken, 'utf8')).toBe('mine');

  const full = join(folder, 'full');
  const partial = `${full}.partial`;
  const filling = inNewFolder(partial, full, async () => {
    await writeFile(join(partial, 'half'), 'half');
    throw Object.assign(new Error('write'), { code: 'ENOSPC' });
  });
  await expect(filling).rejects.toThrow(`The disk of ${full} is full; free some space`);
  expect((await readdir(folder)).filter((name) => name.startsWith('full'))).toEqual([]);
});
