import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cli } from '../support/cli.ts';
import { aShopFolder } from './shop.ts';

let shop: Awaited<ReturnType<typeof aShopFolder>>;
const grant = (...args: string[]) => shop.run('grant', ...args);

beforeAll(async () => {
  shop = await aShopFolder();
});
afterAll(() => shop.remove());

describe('the grant commands', () => {
  test('grant without a subcommand entitles an account, as grant add does', async () => {
    const one = await grant('--account', '1', '--product', 'memo', '--access-expires', '2999-01-31', '--json');
    expect([one.code, one.json()]).toMatchObject([0, { account_id: 1, product_id: 1, grant_type: 'grant' }]);
    const more = await grant('add', '--account', '1', '--product', 'memo');
    expect([more.code, more.stdout]).toMatchObject([0, expect.stringContaining('access expires           -\n')]);
    expect((await grant('list', '--account', '1', '--json')).json()).toHaveLength(3);
  });

  test('grant list shows the states of grants and their sources', async () => {
    const listed = await grant('list', '--account', '1');
    expect(listed.stdout).toMatch(
      /^ *id +kind +product +state +because of +edition +units +since +until +updates until\n/,
    );
    expect(listed.stdout).toMatch(/\n +1 +entitlement +memo +active +purchase +- +1 +2025-11-21T/);
  });

  test('grant extend sets later terms and refuses earlier ones', async () => {
    const [{ id }] = (await grant('list', '--account', '1', '--json'))
      .json()
      .filter((one: { access_expires_at: string | null }) => one.access_expires_at !== null);
    const of = ['extend', String(id), '--account', '1'];
    const longer = await grant(...of, '--access-expires', 'never', '--json');
    expect(longer.json()).toMatchObject({ id, access_expires_at: null, result: 'extended' });
    const shorter = await grant(...of, '--access-expires', '2999-01-31');
    expect([shorter.code, shorter.stdout, shorter.stderr]).toEqual([
      1,
      '',
      'This would take something away: access lasts for good. Only later or higher terms are accepted; to take rights away, revoke the entitlement and grant another one.\n',
    ]);
    const same = await grant(...of, '--device-limit', 'product');
    expect([same.code, same.stdout]).toMatchObject([
      0,
      expect.stringMatching(/^Nothing changed: the entitlement already has/),
    ]);
  });

  test('grant revoke needs --yes in a script, and says what the account may use afterwards', async () => {
    const asked = await grant('revoke', '1', '--account', '1');
    expect([asked.code, asked.stderr]).toEqual([
      1,
      'Entitlement 1 ends permanently. Other grants still include memo. Nothing has changed yet; add --yes to continue.\n',
    ]);
    const revoked = await grant('revoke', '1', '--account', '1', '--yes');
    expect([revoked.code, revoked.stdout]).toEqual([0, 'Entitlement 1 is revoked. Other grants still include memo.\n']);
    const again = await grant('revoke', '1', '--account', '1', '--json');
    expect([again.code, again.json()]).toMatchObject([0, { id: 1, result: 'unchanged' }]);
    const refused = await grant('revoke', '404', '--account', '1', '--yes');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      'Account 1 has no entitlement 404; "grant list --account 1" shows those that it has.\n',
    ]);
    const extended = await grant('extend', '1', '--account', '1', '--updates-until', 'never', '--json');
    expect([extended.code, extended.json()]).toMatchObject([1, { error: 'grant_is_revoked' }]);
  });
});

describe('the help of the grant commands', () => {
  test('the help of grant names the option that works without a subcommand', async () => {
    const help = await cli(['grant', '--help']);
    expect([help.code, help.stdout]).toEqual([
      0,
      expect.stringContaining('"grant --account <id-or-email> --product <product>"'),
    ]);
  });
});
