import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSqliteTable } from '../../adapters/sqlite/sqlite-table.ts';
import { cli } from '../support/cli.ts';
import { generateAccounts } from '../support/generate-accounts.ts';
import { finishMigration, killMigration } from '../support/kill-migration.ts';

const SAMPLE = fileURLToPath(new URL('../../examples/store/store.json', import.meta.url));

/** `MIGRATE_ACCOUNTS=10000` tests a store of realistic size. The smaller default takes the same code paths. */
const ACCOUNTS = Number(process.env['MIGRATE_ACCOUNTS'] ?? 300);
const KILLS = 2;
const TIMEOUT = 30_000 + ACCOUNTS * 20;

let folder: string;
let source: string;
let entries: number;

const at = (name: string): string => join(folder, name);
const migrate = (...args: string[]) => cli(['migrate', ...args]);

const rowsOf = (dataDir: string, table: 'items' | 'counters', columns: string): unknown[] => {
  const db = new DatabaseSync(join(dataDir, 'store.db'), { readOnly: true });
  const rows = db.prepare(`SELECT ${columns} FROM ${table} WHERE pk <> 'MIGRATION' ORDER BY pk, sk`).all();
  db.close();
  return rows;
};
const itemsOf = (dataDir: string) => rowsOf(dataDir, 'items', 'pk, sk, expires_at, data');
const countersOf = (dataDir: string) => rowsOf(dataDir, 'counters', 'pk, sk, expires_at, value');

const filesOf = async (dataDir: string, part: string): Promise<Record<string, Buffer>> => {
  const names = await readdir(join(dataDir, part));
  const files = names.sort().map(async (name) => [name, await readFile(join(dataDir, part, name))] as const);
  return Object.fromEntries(await Promise.all(files));
};

const expectSame = async (target: string): Promise<void> => {
  expect(itemsOf(target)).toEqual(itemsOf(source));
  expect(countersOf(target)).toEqual(countersOf(source));
  for (const part of ['objects/bytes', 'objects/keys', 'keys']) {
    expect(await filesOf(target, part), part).toEqual(await filesOf(source, part));
  }
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrate-'));
  source = at('source');
  const imported = await cli(['import', SAMPLE], { DATA_DIR: source });
  if (imported.code !== 0) throw new Error(imported.stderr);
  // Reading the license keys creates the first one.
  const listed = await cli(['signing-key', 'list', '--use', 'license'], { DATA_DIR: source });
  if (listed.code !== 0) throw new Error(listed.stderr);
  const table = openSqliteTable(join(source, 'store.db'));
  await generateAccounts(table, { accounts: ACCOUNTS });
  entries = await table.countEntries();
  await table.close();
}, TIMEOUT);
afterAll(() => rmSync(folder, { recursive: true }));

const hasRows = (dataDir: string, rows: number): boolean => {
  try {
    const db = new DatabaseSync(join(dataDir, 'store.db'), { readOnly: true });
    const { found } = db.prepare('SELECT count(*) AS found FROM items').get() as { found: number };
    db.close();
    return found >= rows;
  } catch {
    return false; // The table does not exist yet.
  }
};

/** Kills a migration `KILLS` times at random moments. False if it ended before a kill, as on a busy machine. */
const killedOnTheWay = async (target: string): Promise<boolean> => {
  let rows = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    rows += Math.ceil(Math.random() * entries * 0.4);
    if (!(await killMigration(source, target, () => hasRows(target, rows)))) return false;
    expect(itemsOf(target).length).toBeLessThan(itemsOf(source).length);
  }
  return true;
};

const ATTEMPTS = 5;

describe(`a migration of a store of ${ACCOUNTS} accounts`, () => {
  test(
    'a migration that was killed twice and run again ends with every item equal',
    { timeout: TIMEOUT * 2 },
    async () => {
      let target = at('killed-1');
      let killed = await killedOnTheWay(target);
      for (let n = 2; n <= ATTEMPTS && !killed; n++) {
        target = at(`killed-${n}`);
        killed = await killedOnTheWay(target);
      }
      expect(killed).toBe(true);
      expect(await finishMigration(source, target)).toBe(0);
      await expectSame(target);
    },
  );

  test(
    'a migration copies a store with its objects and keys, and a second run changes nothing',
    { timeout: TIMEOUT },
    async () => {
      const target = at('copy');
      const first = await migrate('--from', `sqlite:${source}`, '--to', target, '--json');
      expect(first).toMatchObject({ code: 0, stderr: '' });
      expect(first.json()).toMatchObject({
        changed: true,
        copied: { entries },
        table: { entries },
        keys: { copied: 3 },
      });
      await expectSame(target);
      for (const name of await readdir(join(target, 'keys'))) {
        expect((await stat(join(target, 'keys', name))).mode & 0o777).toBe(0o600);
      }
      const items = rowsOf(target, 'items', 'pk, sk, version');
      const again = await migrate('--from', source, '--to', `folder:${target}`);
      expect(again).toMatchObject({ code: 0, stderr: '' });
      expect(again.stdout).toMatch(/^Nothing to do: both sides are the same\.\n/);
      expect(rowsOf(target, 'items', 'pk, sk, version')).toEqual(items);
      const found = await cli(['account', 'list', '--json'], { DATA_DIR: target });
      expect(found.json().length).toBe(ACCOUNTS + 2);
    },
  );
});

describe('the refusals of a migration', () => {
  const refused = async (args: string[], message: string): Promise<void> => {
    const { code, stdout, stderr } = await migrate(...args);
    expect([code, stdout, stderr.trimEnd().split('\n').length]).toEqual([1, '', 1]);
    expect(stderr).toContain(message);
  };

  test('a migration is refused in one line and changes nothing when the target holds other data', async () => {
    const other = at('other');
    await cli(['account', 'add', '--email', 'other@example.com'], { DATA_DIR: other });
    const before = itemsOf(other);
    await refused(
      ['--from', source, '--to', other],
      'holds other data; name a place that is empty. Nothing was copied.',
    );
    expect(itemsOf(other)).toEqual(before);
  });

  test('a migration is refused in one line and creates nothing when there is no source', async () => {
    await refused(['--from', at('nowhere'), '--to', at('neither')], 'There is no store in');
    expect([existsSync(at('nowhere')), existsSync(at('neither'))]).toEqual([false, false]);
  });

  test('a migration is refused in one line when both sides are the same location', async () => {
    await refused(['--from', source, '--to', `filesystem:${source},sqlite:${source}/.`], 'share a table or objects');
  });

  test('a migration is refused in one line when the target has another signing key', async () => {
    const target = at('other-key');
    await mkdir(join(target, 'keys'), { recursive: true });
    await writeFile(join(target, 'keys', 'license-signing.1.json'), 'another', { mode: 0o600 });
    await refused(['--from', source, '--to', target], 'another signing key or secret in');
  });
});
