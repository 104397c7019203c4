import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { bringForward, checkFormat, formatOf, presentFormat } from '../../adapters/store/formats.ts';
import { storeFormatKey } from '../../adapters/store/keys/store.ts';
import { itemOf } from '../../adapters/store/records.ts';
import type { Table } from '../../adapters/store/table.ts';
import { readConfig } from '../../runtimes/configuration/config.ts';
import { openEngines, openOperatorEngines } from '../../runtimes/engines/open-engines.ts';
import { openLambdaEngines } from '../../runtimes/lambda/open.ts';
import { doubling, fillRows, rowsOf, withStep } from '../support/a-step.ts';
import { cli } from '../support/cli.ts';
import { URLS } from '../support/doctored-store.ts';
import { faultyTable } from '../support/faulty-table.ts';

const ROWS = 35;
const DOUBLED = Array.from({ length: ROWS }, (_, n) => ({ n, doubled: n * 2 }));

describe('a store of an older format', () => {
  let table: MemoryTable;
  let told: string[];
  const forward = () => bringForward({ table, tableScan: table }, (line) => told.push(line));
  const kept = async () => (await table.get(storeFormatKey))?.data;
  const present = presentFormat();

  beforeEach(async () => {
    table = new MemoryTable();
    told = [];
    await forward();
    await fillRows(table, ROWS);
  });

  test('a new store has its format, without a message', async () => {
    expect([await kept(), told]).toEqual([{ format: present, open_to: present, after: null }, []]);
  });

  test('a start migrates the data, says so and keeps a way back', async () => {
    using _ = withStep(doubling());
    await expect(checkFormat(table)).resolves.toBeUndefined();
    await forward();
    expect([await rowsOf(table), await kept()]).toEqual([
      DOUBLED,
      { format: present + 1, open_to: present, after: null },
    ]);
    expect(told).toEqual([
      `The data of this store have format ${present}. Each row gets its double.`,
      `The data of this store have format ${present + 1} now.`,
    ]);
  });

  test('the previous version can still use the data, and the one before refuses it and names both numbers', async () => {
    {
      using _ = withStep(doubling());
      await forward();
    }
    await forward();
    expect(await formatOf(table)).toBe(present + 1);
    await table.put(itemOf(storeFormatKey, { format: present + 2, open_to: present + 1, after: null }));
    const sentence = `have format ${present + 2}, and this version knows formats up to ${present}; run the newer`;
    for (const use of [forward, () => formatOf(table), () => checkFormat(table)])
      await expect(use()).rejects.toThrow(sentence);
  });

  test('an interrupted migration continues at the next start', async () => {
    const seen: (string | null)[] = [];
    const failing = (at: number) => (after: string | null) => {
      if (seen.push(after) === at) throw new Error('killed');
    };
    {
      using _ = withStep(doubling(failing(3)));
      await expect(forward()).rejects.toThrow('killed');
    }
    using _ = withStep(doubling(failing(0)));
    await forward();
    expect([seen.length, seen[3], seen.indexOf(null, 1)]).toEqual([5, seen[2], -1]);
    expect(await rowsOf(table)).toEqual(DOUBLED);
  });

  test('simultaneous starts on a store of an older format do no harm', async () => {
    using _ = withStep(doubling(() => new Promise((resolve) => setTimeout(resolve, Math.random() * 5))));
    await Promise.all(Array.from({ length: 8 }, forward));
    expect([await rowsOf(table), await formatOf(table)]).toEqual([DOUBLED, present + 1]);
    expect(told.filter((line) => line.includes('now'))).toHaveLength(1);
  });
});

test('a location with only a format is empty for a move, and the doctor names the format', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'noted-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [from, to] = ['from', 'to'].map((name) => join(folder, name)) as [string, string];
  expect(await cli(['account', 'add', '--email', 'a@example.com'], { DATA_DIR: from })).toMatchObject({ code: 0 });
  {
    using _ = withStep(doubling());
    await (await openOperatorEngines(readConfig({ DATA_DIR: to }), URLS)).close();
    const { stdout } = await cli(['doctor'], { DATA_DIR: from });
    expect(stdout).toContain(
      `its data format is ${presentFormat() - 1}, which the next start brings to ${presentFormat()}.`,
    );
  }
  expect(await cli(['migrate', '--from', from, '--to', to])).toMatchObject({ code: 0, stderr: '' });
  expect((await cli(['doctor'], { DATA_DIR: to })).stdout).toContain(`its data format is ${presentFormat()}.`);
});

describe('a store of a newer format', () => {
  const format = presentFormat() + 2;
  const sentence = `The data of this store have format ${format}, and this version knows formats up to ${format - 2};`;
  const STARTS: Readonly<Record<string, (dataDir: string) => Promise<unknown>>> = {
    'a server': (dataDir) => openEngines(readConfig({ DATA_DIR: dataDir }), URLS),
    'a function': (dataDir) => openLambdaEngines(readConfig({ DATA_DIR: dataDir }), URLS),
  };
  const COMMANDS = ['account list', 'doctor', 'backup OTHERS', 'restore BACKUP --to TO', 'migrate --from DATA --to TO'];

  test.each([
    ...Object.keys(STARTS),
    ...COMMANDS,
  ])('the command %s refuses a store of a newer format in one sentence', async (use) => {
    const folder = mkdtempSync(join(tmpdir(), 'newer-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const at = (name: string) => join(folder, name);
    const env = { DATA_DIR: at('data') };
    const places: Record<string, string> = { DATA: at('data'), TO: at('to'), OTHERS: at('others') };
    {
      using _one = withStep(doubling());
      using _two = withStep(doubling());
      expect(await cli(['account', 'add', '--email', 'a@example.com'], env)).toMatchObject({ code: 0 });
      places['BACKUP'] = (await cli(['backup', at('backups'), '--json'], env)).json().backup;
    }
    const start = STARTS[use];
    if (start) return expect(start(at('data'))).rejects.toThrow(sentence);
    const args = use.split(' ').map((word) => places[word] ?? word);
    const { code, stdout, stderr } = await cli(args, env);
    expect([code, stdout + stderr]).toEqual([1, expect.stringContaining(sentence)]);
  });
});

describe('a function on a table of another machine', () => {
  const start = (table: Table) => {
    const open = async () => ({ table, dump: new MemoryTable() });
    const far = { variable: 'FAR', takes: 'a name', catalogAge: 0, makesKeys: false, open } as const;
    return openLambdaEngines(readConfig({ STORE: 'far', FAR: 'f', OBJECTS: 'memory' }, { tables: { far } }), URLS);
  };

  test('a function uses data of the previous format, and refuses older data that no command has migrated', async () => {
    using _one = withStep(doubling());
    await expect(start(new MemoryTable())).resolves.toBeDefined();
    using _two = withStep(doubling());
    await expect(start(new MemoryTable())).rejects.toThrow('run a command of this version on the store');
  });

  test('a function starts even if the table does not answer, because each request fails by itself', async () => {
    await expect(start(faultyTable(new MemoryTable(), () => true))).resolves.toBeDefined();
  });
});
