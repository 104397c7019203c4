import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aShopFolder } from './shop.ts';

let shop: Awaited<ReturnType<typeof aShopFolder>>;
const account = (...args: string[]) => shop.run('account', ...args);

beforeAll(async () => {
  shop = await aShopFolder();
});
afterAll(() => shop.remove());

describe('account show and account rename', () => {
  test('account show has the profile, the counts and the products on one screen', async () => {
    const shown = await account('show', 'buyer-1@example.com');
    expect([shown.code, shown.stderr]).toEqual([0, '']);
    expect(shown.stdout).toMatch(/^id +1\nemail +buyer-1@example\.com\nname +Buyer\n/);
    expect(shown.stdout).toMatch(/\nproduct +slug +state +devices +device limit\n +1 +memo +direct +0 +2$/m);
    expect(shown.stdout.split('\n').length).toBeLessThan(30);
    expect((await account('show', '1', '--json')).json()).toMatchObject({ id: 1, counts: { grants: 1 } });
  });

  test('account rename changes the address by which the account is found', async () => {
    const renamed = await account('rename', '1', '--email', 'ann@example.com', '--json');
    expect([renamed.code, renamed.json()]).toMatchObject([0, { email: 'ann@example.com', result: 'renamed' }]);
    const again = await account('rename', '1', '--email', 'ann@example.com');
    const named = await account('rename', 'ann@example.com', '--name', 'Ann', '--json');
    expect([named.code, named.json()]).toMatchObject([0, { id: 1, name: 'Ann' }]);
    expect(again.stdout).toMatch(/^Nothing changed: the account already has this address and name\./);
    expect((await account('add', '--email', 'bob@example.com')).code).toBe(0);
    const taken = await account('rename', '1', '--email', 'bob@example.com');
    expect([taken.code, taken.stderr]).toEqual([1, 'Another account has the address bob@example.com.\n']);
  });

  test('an account is found by its address for a link and for erasure, and an unknown one is refused', async () => {
    expect((await account('add', '--email', 'cid@example.com')).code).toBe(0);
    const link = await account('link', '--account', 'CID@example.com');
    expect([link.code, link.stderr, link.stdout]).toEqual([0, '', expect.stringMatching(/signs account \d+ in once/)]);
    const erased = await account('erase', 'cid@example.com', '--dry-run');
    expect([erased.code, erased.stdout]).toEqual([0, expect.stringMatching(/Account \d+ would be erased/)]);
    for (const args of [
      ['rename', 'dan@example.com', '--name', 'Dan'],
      ['erase', 'dan@example.com', '--yes'],
      ['link', '--account', 'dan@example.com'],
    ]) {
      const refused = await account(...args);
      expect([refused.code, refused.stdout, refused.stderr]).toEqual([
        1,
        '',
        'There is no account dan@example.com; "account list" lists them.\n',
      ]);
    }
  });
});
