import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSqliteTable } from '../../adapters/sqlite/sqlite-table.ts';
import { presentFormat } from '../../adapters/store/formats.ts';
import { storeFormatKey } from '../../adapters/store/keys/store.ts';
import type { TypedTable } from '../../adapters/store/typed-table.ts';
import { fillRows, rowsOf } from '../support/a-step.ts';

const PROGRAM = 'test/processes/bring-forward.ts';
const ROWS = 400;
const KILLS = 6;

const anOldStore = async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'bring-forward-'));
  const table = openSqliteTable(join(DATA_DIR, 'store.db'));
  onTestFinished(async () => {
    await table.close();
    rmSync(DATA_DIR, { recursive: true });
  });
  await fillRows(table, ROWS);
  const open = () => {
    const child = spawn(process.execPath, [PROGRAM], {
      env: { ...process.env, DATA_DIR },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (text) => {
      errors += text;
    });
    return { child, ended: once(child, 'exit'), told: () => errors };
  };
  return { table: table as TypedTable, open };
};

const expectForward = async (table: TypedTable): Promise<void> => {
  expect(await rowsOf(table)).toEqual(Array.from({ length: ROWS }, (_, n) => ({ n, doubled: n * 2 })));
  expect((await table.get(storeFormatKey))?.data.format).toBe(presentFormat() + 1);
};

test('eight processes that start together on data of an older format migrate the data once', async () => {
  const { table, open } = await anOldStore();
  const ended = await Promise.all(Array.from({ length: 8 }, () => open().ended));
  expect(ended).toEqual(Array(8).fill([0, null]));
  await expectForward(table);
});

test('processes that are killed during a migration leave data that the next one continues with', async () => {
  const { table, open } = await anOldStore();
  const places: (string | null | undefined)[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const { child, ended, told } = open();
    await vi.waitFor(() => expect(told()).toContain('Each row gets its double.'), { timeout: 30_000, interval: 2 });
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
    child.kill('SIGKILL');
    await ended;
    places.push((await table.get(storeFormatKey))?.data.after);
  }
  expect(new Set(places).size).toBeGreaterThan(1);
  expect(await open().ended).toEqual([0, null]);
  await expectForward(table);
});
