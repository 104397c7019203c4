import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aDeviceKey } from '../support/account-builders.ts';
import { anOrder } from '../support/builders.ts';
import { cli } from '../support/cli.ts';
import { aShopFolder, MEMO } from './shop.ts';

let shop: Awaited<ReturnType<typeof aShopFolder>>;
const erase = (...args: string[]) => shop.run('account', 'erase', ...args);

beforeAll(async () => {
  shop = await aShopFolder({ ...MEMO, keys: [aDeviceKey()], orders: [anOrder()] });
  await shop.seat('laptop');
});
afterAll(() => shop.remove());

describe('the account erase command', () => {
  test('a dry run shows what would be erased, and what would stay and why', async () => {
    const tried = await erase('1', '--dry-run');
    expect([tried.code, tried.stderr]).toEqual([0, '']);
    expect(tried.stdout).toMatch(/^Nothing has changed\. Account 1 would be erased\.\n\ncount +goes\n/);
    expect(tried.stdout).toMatch(/\n +1 +devices\n/);
    expect(tried.stdout).toMatch(/\n +1 +orders +tax and trade law keep sales for five years\n/);
  });

  test('account erase needs --yes in a script, and can be repeated safely', async () => {
    const asked = await erase('1');
    expect([asked.code, asked.stdout, asked.stderr]).toEqual([
      1,
      '',
      'Account 1 is erased permanently, with its keys, devices, grants and tickets; --dry-run shows what is deleted and what stays. Nothing has changed yet; add --yes to continue.\n',
    ]);
    const erased = await erase('1', '--yes', '--json');
    expect([erased.code, erased.json()]).toMatchObject([
      0,
      {
        account_id: 1,
        result: 'erased',
        goes: { profile: 1, keys: 1, devices: 1, grants: 1 },
        stays: { orders: 1, mark: 1 },
      },
    ]);
    const again = await erase('1', '--yes');
    expect(again.stdout).not.toContain('tomorrow');
    expect([again.code, again.stdout]).toMatchObject([0, expect.stringMatching(/^Account 1 was erased before; /)]);
    expect((await shop.run('account', 'list', '--json')).json()).toEqual([]);
    expect((await shop.run('device', 'list', '--account', '1')).stderr).toMatch(/^There is no account 1;/);
  });

  test('account erase advises another run a day later, with the reason', async () => {
    const other = await aShopFolder(MEMO);
    const erased = await other.run('account', 'erase', '1', '--yes');
    await other.remove();
    expect(erased.stdout).toContain(
      '\n\nRun the same command once more tomorrow: a request that was under way may have',
    );
    expect(erased.stdout).toMatch(
      /audit log +they prove who changed what; they hold ids of devices and IP addresses, /,
    );
  });

  test('the help of account erase names the law and the page about backups', async () => {
    const help = await cli(['account', 'erase', '--help']);
    expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('docs/commands.md')]);
  });
});
