import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { answersAsThen } from '../formats/answers-as-then.ts';
import { backThen, DAYS, expectSound, knownOf, unpackBackup } from '../formats/old-stores.ts';
import { cli } from '../support/cli.ts';
import { inDatabase, newDatabase } from './databases.ts';

let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'operator-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The tests' server does not wait for the disk, of which the doctor correctly warns. */
const withoutSync = (ran: { code: number; stdout: string; stderr: string }) => {
  const found = JSON.parse(ran.stdout || '[]') as { kind: string; message: string }[];
  const rest = found.filter(({ message }) => !message.includes('fsync=on'));
  expect(found.length - rest.length).toBe(1);
  return { ...ran, stdout: JSON.stringify(rest), code: rest.some(({ kind }) => kind === 'wrong') ? 1 : 0 };
};

describe.each(DAYS)('a backup made by version %s', (day) => {
  const known = knownOf(day);
  let DATABASE_URL: string;
  const there = () => ({
    ...known.ports,
    STORE: 'postgres',
    DATABASE_URL,
    OBJECTS: 'filesystem',
    DATA_DIR: at(`${day}-files`),
  });
  const doctor = async () => expectSound(withoutSync(await cli(['doctor', '--json'], there())));

  beforeAll(async () => {
    DATABASE_URL = await newDatabase();
    unpackBackup(day, at(`${day}-backup`));
    backThen(known);
  });
  afterAll(() => void vi.useRealTimers());

  test('the backup is restored and moved to PostgreSQL, and the doctor finds nothing wrong', async () => {
    expect(await cli(['restore', at(`${day}-backup`), '--to', at(`${day}-data`)])).toMatchObject({ code: 0 });
    const to = `${DATABASE_URL},filesystem:${at(`${day}-files`)}`;
    expect(await cli(['migrate', '--from', at(`${day}-data`), '--to', to], there())).toMatchObject({ code: 0 });
    await doctor();
  });

  describe('once it is on PostgreSQL', () => answersAsThen(there, known));

  test('the store is still sound afterwards', doctor);

  test('the store moves back to a folder, and both sides are the same', async () => {
    const from = `${DATABASE_URL},filesystem:${at(`${day}-files`)}`;
    const moved = await cli(['migrate', '--from', from, '--to', at(`${day}-back`)], there());
    expect(moved).toMatchObject({ code: 0, stderr: '' });
    expectSound(await cli(['doctor', '--json'], { ...known.ports, DATA_DIR: at(`${day}-back`) }));
  });
});

describe('messages to an operator', () => {
  const secret = 'pass%2Fword';
  let env: Record<string, string>;
  beforeAll(async () => {
    const url = (await newDatabase()).replace('store@', `store:${secret}@`);
    env = { STORE: 'postgres', DATABASE_URL: url, DATA_DIR: at('words'), PGHOST: inject('postgres').PGHOST };
  });
  const said: string[] = [];
  const run = async (...args: string[]) => {
    const ran = await cli(args, env);
    said.push(ran.stdout, ran.stderr);
    return ran;
  };

  afterEach(() => {
    expect(said.join('\n')).not.toMatch(/pass%2Fword|pass\/word|dynamodb|AWS/i);
  });

  test('backup names PostgreSQL’s tools and the copy to a folder, without the password', async () => {
    await run('account', 'add', '--email', 'buyer@example.com');
    const { code, stderr } = await run('backup', at('backups'));
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/pg_dump .*docs\/machines\.md.*--from "postgres:\$DATABASE_URL,/),
    ]);
    expect(existsSync(at('backups'))).toBe(false);
  });

  test('the record of a copy contains no password', async () => {
    const target = await newDatabase();
    // Its probe is the first object of the store.
    await run('doctor');
    const to = `${target},filesystem:${at('copied')}`;
    const ran = await run('migrate', '--from', `${env['DATABASE_URL']},filesystem:${at('words')}`, '--to', to);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const kept = await inDatabase(target, "SELECT data FROM store_items WHERE pk = 'MIGRATION'");
    expect(JSON.stringify(kept)).toContain('…@');
    expect(JSON.stringify(kept)).not.toContain('pass');
  });

  test('doctor names settings that lose acknowledged writes, and exhausted connections', async () => {
    await inDatabase(env['DATABASE_URL'] ?? '', 'SELECT 1');
    const found = (await run('doctor', '--json')).json() as { kind: string; message: string }[];
    const wrong = found.filter(({ kind }) => kind === 'wrong').map(({ message }) => message);
    expect(wrong).toEqual([expect.stringMatching(/may lose what it has acknowledged; set fsync=on/)]);
  });

  test('a missing database is reported in one sentence', async () => {
    const away = { ...env, DATABASE_URL: (env['DATABASE_URL'] ?? '').replace(/\/shop_\w+/, '/nowhere') };
    const { code, stderr } = await cli(['product', 'list'], away);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^[^\n]*"nowhere" does not exist[^\n]*\n$/)]);
  });
});
