import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli } from '../support/cli.ts';
import { accountEntry, aFolder, productEntry } from '../support/store-folder.ts';

const REVOKED_EARLY = {
  id: 1,
  product_id: 1,
  granted_at: '2026-01-02T00:00:00Z',
  revoked_at: '2026-01-01T00:00:00Z',
};

test('import prints each warning below the table and exits with 0', async () => {
  const folder = await aFolder();
  const file = join(folder, 'odd.json');
  const accounts = [accountEntry({ id: 1, entitlements: [REVOKED_EARLY] })];
  await writeFile(file, JSON.stringify({ format: 1, products: [productEntry({ id: 1 })], accounts }));
  const run = (...more: string[]) => cli(['import', file, ...more], { DATA_DIR: join(folder, 'data') });
  const { code, stdout, stderr } = await run();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.trimEnd().split('\n').slice(-3)).toEqual([
    '',
    'The document was imported, with 1 warning:',
    'accounts.0.entitlements.0.revoked_at: lies before granted_at, so the grant was never in force; check both dates',
  ]);
  expect((await run('--json')).json()).toMatchObject({
    entitlements: { unchanged: 1 },
    warnings: [{ path: 'accounts.0.entitlements.0.revoked_at' }],
  });
});

test.each([
  ['missing', undefined, 'does not exist'],
  ['malformed', '{', 'is not JSON'],
  ['misshapen', '{"format":1,"colour":1}', 'colour: is not a known member'],
  [
    'contradictory',
    '{"format":1,"policy":{"min_client_version":"1","ttl_days":1,"recheck_hours":1,"revoked":[{"product_id":9,"device_id":"a"}]}}',
    'there is no product 9',
  ],
])('the import of a %s document into a new folder creates no store', async (_, text, fault) => {
  const folder = await aFolder(text === undefined ? {} : { 'odd.json': text });
  const DATA_DIR = join(folder, 'typo');
  const refused = await cli(['import', join(folder, 'odd.json')], { DATA_DIR });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(fault)]);
  expect(existsSync(DATA_DIR)).toBe(false);
  expect((await cli(['account', 'list'], { DATA_DIR })).stderr).toContain('holds no store');
});

test('every pattern of the schema works in the regular expressions of other languages', async () => {
  const { stdout } = await cli(['import', '--schema']);
  expect(stdout).toContain('[^\\\\u0000-');
  expect(stdout).not.toMatch(/\\\\p\{/);
});
