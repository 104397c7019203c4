import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { cli } from '../support/cli.ts';
import { answersAsThen } from './answers-as-then.ts';
import { backThen, DAYS, expectSound, knownOf, unpackBackup } from './old-stores.ts';

describe.each(DAYS)('a backup made by version %s', (day) => {
  const known = knownOf(day);
  let folder: string;
  const at = (name: string) => join(folder, name);
  const here = () => ({ ...known.ports, DATA_DIR: at('data') });
  const doctor = async () => expectSound(await cli(['doctor', '--json'], here()));

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'old-store-'));
    unpackBackup(day, at('backup'));
    backThen(known);
  });
  afterAll(() => {
    vi.useRealTimers();
    rmSync(folder, { recursive: true, force: true });
  });

  test('the backup is restored, and the doctor finds nothing wrong before any start', async () => {
    expect(await cli(['restore', at('backup'), '--to', at('data')])).toMatchObject({ code: 0, stderr: '' });
    await doctor();
  });

  describe('once it is restored, on one machine', () => answersAsThen(here, known));

  test('a key recovery restores the keys that the store has lost', async () => {
    const keys = readdirSync(at('data/keys')).filter((name) => name.includes('-signing.'));
    for (const name of keys) rmSync(at(`data/keys/${name}`));
    const { code, stdout } = await cli(['restore', at('backup'), '--files'], here());
    expect([code, keys.filter((name) => !stdout.includes(`key file ${name}`))]).toEqual([0, []]);
    await doctor();
  });

  test('the store is exported and imported into a new one', async () => {
    expect(await cli(['export', at('document')], here())).toMatchObject({ code: 0 });
    const fresh = { ...here(), DATA_DIR: at('fresh') };
    expect(await cli(['import', at('document/store.json')], fresh)).toMatchObject({ code: 0, stderr: '' });
    expect((await cli(['product', 'list', '--json'], fresh)).json()).toEqual(
      (await cli(['product', 'list', '--json'], here())).json(),
    );
  });
});
