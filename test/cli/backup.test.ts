import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openSqliteTable } from '../../adapters/sqlite/sqlite-table.ts';
import { mailKeys } from '../../adapters/store/keys/mail.ts';
import { webhookKeys } from '../../adapters/store/keys/webhooks.ts';
import { itemOf } from '../../adapters/store/records.ts';
import type { TypedTable } from '../../adapters/store/typed-table.ts';
import { newMessage } from '../../domain/mail/message.ts';
import { newDelivery } from '../../domain/webhooks/delivery.ts';
import { cli, MAIN } from '../support/cli.ts';
import { generateAccounts } from '../support/generate-accounts.ts';
import { anObject, expectSame, itemsOf, storeEntries } from './backed-up.ts';

const SAMPLE = fileURLToPath(new URL('../../examples/store/store.json', import.meta.url));
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

let folder: string;
let source: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-'));
  source = join(folder, 'source');
  expect(await cli(['import', SAMPLE], { DATA_DIR: source })).toMatchObject({ code: 0 });
  expect(await cli(['signing-key', 'create'], { DATA_DIR: source })).toMatchObject({ code: 0 });
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A new folder for backups. */
const backups = async (): Promise<string> => {
  const made = await mkdtemp(join(folder, 'backups-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
};

/** A copy of the source that a test may damage. */
const aStore = async (): Promise<string> => {
  const dataDir = join(await backups(), 'data');
  await cp(source, dataDir, { recursive: true, mode: 0 });
  return dataDir;
};

const backUp = (into: string, dataDir = source, ...args: string[]) =>
  cli(['backup', into, ...args, '--json'], { DATA_DIR: dataDir });

const restoreTo = (backup: string, to: string) => cli(['restore', backup, '--to', to, '--json']);

/** True for root, to whom file modes do not apply and who may mount a folder read-only instead. */
const MOUNTS = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0;

describe('a backup', () => {
  test('a store on a read-only disk is backed up with the writes that only its log has', async () => {
    const into = await backups();
    const living = await aStore();
    const table = openSqliteTable(join(living, 'store.db'));
    await table.put({ pk: 'p', sk: 'in the log', data: {} });
    const dataDir = join(into, 'data');
    await cp(living, dataDir, { recursive: true });
    await table.close();
    await rm(join(dataDir, 'store.db-shm'));
    const close = MOUNTS ? 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"' : 'chmod -R a-w "$1"';
    const shell = ['sh', '-c', `${close} && exec "$2" "$3" backup "$4" --json`, 'sh'];
    const [program = '', ...given] = [...(MOUNTS ? ['unshare', '-m'] : []), ...shell];
    const made = spawnSync(program, [...given, dataDir, process.execPath, MAIN, into], {
      env: { ...process.env, DATA_DIR: dataDir },
      encoding: 'utf8',
    });
    expect(made).toMatchObject({ status: 0, stderr: '' });
    const { backup, manifest } = JSON.parse(made.stdout);
    expect(manifest.damaged).toEqual([]);
    expect((await readdir(into)).sort()).toEqual([expect.stringMatching(NAME), 'data']);
    expect(await itemsOf(backup)).toContainEqual(expect.objectContaining({ sk: 'in the log' }));
  });

  test('a backup and its restore have every entry, file and key, readable only by their owner', async () => {
    const into = await backups();
    const made = await backUp(into);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const { backup, manifest, removed } = made.json();
    expect(await readdir(into)).toEqual([expect.stringMatching(NAME)]);
    expect(removed).toEqual([]);
    expect(manifest.damaged).toEqual([]);
    await expectSame(backup, source);
    const to = join(into, 'restored');
    const restored = await restoreTo(backup, to);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    await expectSame(to, source);
    const names = (await readdir(join(to, 'keys'))).map((name) => join('keys', name));
    for (const name of [...names, 'store.db']) expect((await stat(join(to, name))).mode & 0o777, name).toBe(0o600);
    expect((await stat(join(backup, 'store.db'))).mode & 0o777).toBe(0o400);
    expect((await readdir(to)).sort()).toEqual(['keys', 'objects', 'store.db']);
    expect(await cli(['doctor'], { DATA_DIR: to })).toMatchObject({ code: 0 });
    const begun = { action: 'store.backup_begun', subject_id: backup };
    expect(await storeEntries(source)).toEqual([expect.objectContaining(begun)]);
    expect(await storeEntries(to)).toEqual([expect.objectContaining(begun)]);
  });

  test('a copy sends no mail and no event that waited in its backup, and pauses its webhooks', async () => {
    const dataDir = await aStore();
    const table: TypedTable = openSqliteTable(join(dataDir, 'store.db'));
    const about = { kind: 'order', account_id: 1, subject_id: '9', product_id: null } as const;
    const message = newMessage(1, about, '2026-11-01T00:00:00.000Z');
    await table.put(itemOf(mailKeys.message(message), message));
    const hook = {
      id: 3,
      url: 'https://example.com/',
      kinds: [],
      secrets: [],
      created_at: message.due_at,
      paused: null,
    };
    await table.put(itemOf(webhookKeys.webhook(3), hook));
    const event = { id: 8, kind: 'ping', at: message.due_at } as unknown as Parameters<typeof newDelivery>[0];
    await table.put(itemOf(webhookKeys.queued(3, 8), newDelivery(event, message.due_at)));
    await table.close();
    const into = await backups();
    const { backup } = (await backUp(into, dataDir)).json();
    const written = (itemsOf(dataDir) as { pk: string }[]).filter(({ pk }) => pk === 'WEBHOOKEVENTS').length;
    const waiting = { messages: 1, events: written + 1 };
    const whole = await restoreTo(backup, join(into, 'whole'));
    expect(whole.json()).toMatchObject({ waiting });
    await expectSame(join(into, 'whole'), dataDir);
    const copied = await cli(['restore', backup, '--to', join(into, 'copy'), '--copy']);
    expect(copied.stdout).toMatch(
      /This copy lost 1 mail and \d+ events? for notices and webhooks that waited, and its webhooks are paused/,
    );
    const left = (itemsOf(join(into, 'copy')) as { pk: string; data: string }[]).filter(({ pk }) =>
      /^(MESSAGES|WEBHOOK)/.test(pk),
    );
    expect(left.map(({ data }) => JSON.parse(data))).toEqual([
      { ...hook, paused: { at: expect.any(String), reason: 'asked' } },
    ]);
  });

  test('a backup made during writes has the state of one moment', async () => {
    const dataDir = await aStore();
    const table = openSqliteTable(join(dataDir, 'store.db'));
    await generateAccounts(table, { accounts: 100 });
    let isWriting = true;
    const write = async (): Promise<void> => {
      for (let n = 0; isWriting; n++) {
        const put = (sk: string) => ({ put: { pk: 'PAIR', sk, data: { n } } });
        await table.transact([put('first'), put('second')]);
      }
    };
    const writing = write();
    try {
      const { code, stderr, json } = await backUp(await backups(), dataDir);
      expect([code, stderr]).toEqual([0, '']);
      using db = new DatabaseSync(join(json().backup, 'store.db'), { readOnly: true });
      const pair = db.prepare("SELECT data FROM items WHERE pk = 'PAIR'").all();
      expect(pair).toHaveLength(2);
      expect(pair[0]).toEqual(pair[1]);
    } finally {
      isWriting = false;
      await writing;
      await table.close();
    }
  });

  /** Kills a backup once its folder exists. Returns the folder's name; undefined if the backup ended first. */
  const killed = async (into: string): Promise<string | undefined> => {
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [MAIN, 'backup', into], { env: { PATH, DATA_DIR: source }, stdio: 'ignore' });
    const ended = once(child, 'exit');
    while ((await readdir(into)).length === 0 && child.exitCode === null) await pause(1);
    child.kill('SIGKILL');
    const [, signal] = await ended;
    return signal === 'SIGKILL' ? (await readdir(into))[0] : undefined;
  };

  test('a killed backup leaves no folder that counts as a backup', { timeout: 120_000 }, async () => {
    let [into, left]: [string, string | undefined] = ['', undefined];
    for (let attempt = 0; attempt < 10 && !left?.startsWith('.'); attempt++) {
      into = await backups();
      left = await killed(into);
    }
    expect(left).toMatch(/^\..+\.partial$/);
    expect(await restoreTo(join(into, left ?? ''), join(into, 'to'))).toMatchObject({ code: 1 });
    const dayAgo = Date.now() / 1000 - 90_000;
    await utimes(join(into, left ?? ''), dayAgo, dayAgo);
    expect(await backUp(into)).toMatchObject({ code: 0 });
    expect(await readdir(into)).toEqual([expect.stringMatching(NAME)]);
  });

  test('the number to keep removes the oldest backups, and nothing else', { timeout: 60_000 }, async () => {
    const into = await backups();
    const first = (await backUp(into)).json().backup;
    const named = async (name: string) => {
      await cp(first, join(into, name), { recursive: true });
      return name;
    };
    const older = [await named('2020-01-01T00-00-00Z'), await named('2020-01-02T00-00-00Z')];
    await named('mine');
    await mkdir(join(into, '2019-01-01T00-00-00Z'));
    const { code, json } = await backUp(into, source, '--keep', '2');
    expect(code).toBe(0);
    expect(json().removed).toEqual(older.map((name) => join(into, name)));
    const left = (await readdir(into)).sort();
    expect(left).toEqual(['2019-01-01T00-00-00Z', expect.stringMatching(NAME), expect.stringMatching(NAME), 'mine']);
  });

  test('two stores that share a folder keep each other’s backups', { timeout: 60_000 }, async () => {
    const into = await backups();
    const other = join(await backups(), 'other');
    expect(await cli(['account', 'add', '--email', 'a@example.com'], { DATA_DIR: other })).toMatchObject({ code: 0 });
    const { backup } = (await backUp(into)).json();
    const older = join(into, '2020-01-01T00-00-00Z');
    await rename(backup, older);
    expect((await backUp(into, other, '--keep', '1')).json().removed).toEqual([]);
    expect((await backUp(into, source, '--keep', '1')).json().removed).toEqual([older]);
  });

  test('a copy of a store deletes none of its original’s backups, nor the original those of the copy', async () => {
    const into = await backups();
    const original = await aStore();
    const copy = join(await backups(), 'copy');
    const { backup: older } = (await backUp(into, original)).json();
    await rename(older, join(into, '2020-01-01T00-00-00Z'));
    const { backup: first } = (await backUp(into, original)).json();
    await cp(original, copy, { recursive: true });
    const made = await cli(['backup', into, '--keep', '1'], { DATA_DIR: copy });
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('another copy of this store, and stay') });
    expect(await readdir(into)).toHaveLength(3);
    const kept = (await backUp(into, original, '--keep', '1')).json();
    expect(kept.removed).toEqual([join(into, '2020-01-01T00-00-00Z'), first]);
    expect(kept.foreign).toHaveLength(1);
    const again = (await backUp(into, copy, '--keep', '1')).json();
    expect([again.removed, again.foreign]).toEqual([kept.foreign, [kept.backup]]);
  });

  test('a store deletes no backup while the folder has one that it did not make, as a cloned disk does', async () => {
    const into = await backups();
    const dataDir = await aStore();
    const file = join(dataDir, 'store.db');
    const first = (await backUp(into, dataDir)).json();
    const before = await readFile(file);
    const cloned = (await backUp(into, dataDir)).json();
    await writeFile(file, before);
    const { code, json } = await backUp(into, dataDir, '--keep', '1');
    expect([code, json().removed, json().unknown]).toEqual([1, [], [cloned.backup]]);
    expect((await backUp(into, dataDir, '--keep', '2')).json().removed).toEqual([first.backup, cloned.backup]);
  });

  test('a backup made while the clock is behind stays, and names those that seem newer', async () => {
    const into = await backups();
    const { backup: first } = (await backUp(into)).json();
    const [older, newest] = [join(into, '2998-01-01T00-00-00Z'), join(into, '2999-01-01T00-00-00Z')];
    await rename(first, older);
    await cp(older, newest, { recursive: true });
    const { code, json } = await backUp(into, source, '--keep', '2');
    const { backup, removed, later } = json();
    expect([code, removed, later]).toEqual([0, [older], [newest]]);
    expect((await readdir(into)).sort()).toEqual([basename(backup), basename(newest)]);
  });
});

describe('a backup of a damaged store', () => {
  test('a backup omits what the store has damaged, says so, and removes no older backup', async () => {
    const dataDir = await aStore();
    const into = await backups();
    const first = (await backUp(into, dataDir)).json().backup;
    await cp(first, join(into, '2020-01-01T00-00-00Z'), { recursive: true });
    const file = await anObject(dataDir);
    const bytes = await readFile(file);
    await writeFile(file, bytes.with(0, (bytes[0] ?? 0) ^ 1));
    const { code, json } = await backUp(into, dataDir, '--keep', '1');
    expect(code).toBe(1);
    expect(json().manifest.damaged).toEqual([expect.stringMatching(/^sha256\//)]);
    expect(json().removed).toEqual([]);
    expect(await readdir(into)).toContain('2020-01-01T00-00-00Z');
  });

  test('a backup of a store with missing files says so, and removes no older backup', async () => {
    const dataDir = await aStore();
    const into = await backups();
    const first = (await backUp(into, dataDir)).json();
    await rm(join(dataDir, 'objects'), { recursive: true });
    const { code, json } = await backUp(into, dataDir, '--keep', '1');
    expect([code, json().removed]).toEqual([1, []]);
    expect(json().manifest.damaged).toHaveLength(first.manifest.objects.objects);
    expect(await readdir(first.backup)).toContain('backup.json');
  });

  test('the doctor’s advice repairs a damaged file from a backup, and nothing else', { timeout: 60_000 }, async () => {
    const dataDir = await aStore();
    const { backup } = (await backUp(await backups(), dataDir)).json();
    const file = await anObject(dataDir);
    const bytes = await readFile(file);
    await writeFile(file, bytes.subarray(1));
    const found = await cli(['doctor'], { DATA_DIR: dataDir });
    expect(found.code).toBe(1);
    const advice = /run: restore (BACKUP) (--files)$/m.exec(found.stdout);
    expect(advice).not.toBeNull();
    const mended = await cli(['restore', backup, '--files'], { DATA_DIR: dataDir });
    expect(mended).toMatchObject({ code: 0, stderr: '' });
    expect(mended.stdout).toMatch(/^restored {2}.+ for .+\n$/);
    expect(await readFile(file)).toEqual(bytes);
    expect(await cli(['doctor'], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
    const again = await cli(['restore', backup, '--files'], { DATA_DIR: dataDir });
    expect(again).toMatchObject({ code: 0, stdout: 'Nothing to do: the store has every byte of its files.\n' });
    const actions = (await storeEntries(dataDir)).map(({ action }: { action: string }) => action);
    expect(actions.slice(0, 2)).toEqual(['store.repair_begun', 'store.backup_begun']);
  });

  test('a repair from a backup with other bytes leaves the store unchanged', { timeout: 60_000 }, async () => {
    const dataDir = await aStore();
    const { backup } = (await backUp(await backups(), dataDir)).json();
    await writeFile(await anObject(dataDir), 'rotten');
    await writeFile(await anObject(backup), 'other');
    const mended = await cli(['restore', backup, '--files'], { DATA_DIR: dataDir });
    expect(mended.code).toBe(1);
    expect(mended.stdout).toMatch(/^MISSING {3}.+; not in this backup/);
    expect(await readFile(await anObject(dataDir), 'utf8')).toBe('rotten');
  });

  test('a restore refuses a backup whose bytes have changed', { timeout: 60_000 }, async () => {
    const { backup } = (await backUp(await backups())).json();
    const to = join(await backups(), 'to');
    await writeFile(await anObject(backup), 'other');
    expect((await restoreTo(backup, to)).json()).toMatchObject({ error: 'damaged_backup' });
    const [record = ''] = await readdir(join(backup, 'objects', 'keys'));
    await writeFile(join(backup, 'objects', 'keys', record), 'no sum');
    expect((await restoreTo(backup, to)).json()).toMatchObject({ error: 'damaged_backup' });
    const database = join(backup, 'store.db');
    await chmod(database, 0o600);
    const bytes = await readFile(database);
    await writeFile(database, bytes.with(bytes.length - 100, 7));
    const { json, code } = await restoreTo(backup, to);
    expect(code).toBe(1);
    expect(json().faults[0].path).toContain('store.db');
    await expect(readdir(to)).rejects.toThrow('ENOENT');
  });
});

describe('refusals of backup and restore', () => {
  test('a backup into DATA_DIR is refused, even through a link', async () => {
    const before = await storeEntries(source);
    for (const into of [source, join(source, 'backups'), join(source, '..', 'source', 'x')]) {
      const { code, json } = await backUp(into);
      expect([code, json().error]).toEqual([1, 'folder_in_data_dir']);
    }
    expect((await readdir(source)).sort()).not.toContain('backups');
    expect(await storeEntries(source)).toEqual(before);
  });

  test('a backup of a missing store is refused and creates nothing', async () => {
    const nowhere = join(folder, 'nowhere');
    const into = join(folder, 'unused');
    const { code, stderr } = await backUp(into, nowhere);
    expect([code, stderr]).toEqual([1, expect.stringContaining('There is no store')]);
    for (const made of [nowhere, into]) await expect(readdir(made)).rejects.toThrow('ENOENT');
  });

  test('a backup of a store on AWS says what AWS offers', async () => {
    const env = { STORE: 'dynamodb', TABLE_NAME: 'shop', OBJECTS: 's3', BUCKET_NAME: 'shop-files' };
    const { code, stderr } = await cli(['backup', join(folder, 'unused')], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining('migrate --from "dynamodb:shop,s3:shop-files"')]);
  });

  test('a restore says how to find the accounts that must be erased again', { timeout: 60_000 }, async () => {
    const dataDir = await aStore();
    const { backup } = (await backUp(await backups(), dataDir)).json();
    const [{ id }] = (await cli(['account', 'list', '--json'], { DATA_DIR: dataDir })).json();
    expect(await cli(['account', 'erase', String(id), '--yes'], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
    const { stdout } = await cli(['restore', backup, '--to', join(await backups(), 'to')]);
    const [, advice = ''] = /^ {2}(audit list .*)$/m.exec(stdout) ?? [];
    const erased = await cli([...advice.split(' '), '--json'], { DATA_DIR: dataDir });
    expect(erased.json()).toEqual([expect.objectContaining({ action: 'account.erased', account_id: id })]);
    expect(stdout).not.toContain('npm');
  });

  test('a restore refuses a folder that is not empty, and names its content', async () => {
    const { backup } = (await backUp(await backups())).json();
    const other = await aStore();
    const before = itemsOf(other);
    expect((await restoreTo(backup, other)).stderr).toContain('holds a store; name a folder that is empty');
    expect(itemsOf(other)).toEqual(before);
    expect((await restoreTo(other, join(folder, 'unused'))).stderr).toContain('is no complete backup');
  });
});
