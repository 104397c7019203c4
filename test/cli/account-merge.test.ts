import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anAccount } from '../support/account-builders.ts';
import { anEntitlement, anOrder } from '../support/builders.ts';
import { aShopFolder, MEMO } from './shop.ts';

let shop: Awaited<ReturnType<typeof aShopFolder>>;
const merge = (...args: string[]) => shop.run('account', 'merge', ...args);

beforeAll(async () => {
  shop = await aShopFolder({
    ...MEMO,
    accounts: [anAccount(), anAccount({ id: 2 })],
    entitlements: [anEntitlement({ id: 1, device_limit: 1 }), anEntitlement({ id: 2, account_id: 2, device_limit: 1 })],
    orders: [anOrder()],
  });
  await shop.seat('laptop');
});
afterAll(() => shop.remove());

describe('the account merge command', () => {
  test('a dry run shows what would move, and a script needs --yes', async () => {
    const tried = await merge('1', 'buyer-2@example.com', '--dry-run', '--json');
    expect(tried.json()).toMatchObject({ from: 1, into: 2, moves: { grants: 1, orders: 1, devices: 1 } });
    const asked = await merge('buyer-1@example.com', '2');
    expect([asked.code, asked.stdout, asked.stderr]).toEqual([
      1,
      '',
      'Account 1 ends permanently, with its password, passkeys, browsers and applications; --dry-run shows what moves. Nothing has changed yet; add --yes to continue.\n',
    ]);
  });

  test('account merge moves everything, can be repeated safely, and the former address finds the other account', async () => {
    for (const from of ['1', '1']) {
      const merged = await merge(from, '2', '--yes');
      expect([merged.code, merged.stdout]).toEqual([
        0,
        expect.stringMatching(/^Account 1 is merged into account 2, and its address leads there\./),
      ]);
    }
    expect((await shop.run('account', 'show', 'buyer-1@example.com', '--json')).json()).toMatchObject({
      id: 2,
      counts: { grants: 2, orders: 1, devices: 1 },
    });
    expect((await shop.run('account', 'show', '1')).stderr).toMatch(/^Account 1 was merged into account 2 at /);
    const erased = await shop.run('account', 'erase', '1', '--yes');
    expect([erased.code, erased.stdout, erased.stderr]).toEqual([
      1,
      '',
      expect.stringMatching(
        /^Account 1 was merged into account 2 at \S+Z; erase that one; if the merge broke off, run "account merge 1 2"\.\n$/,
      ),
    ]);
    expect((await merge('2', '2', '--yes')).stderr).toBe("Account 2 can't be merged into account 2: they are one.\n");
  });
});
