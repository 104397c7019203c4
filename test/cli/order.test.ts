import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moneyText } from '../../runtimes/cli/print.ts';
import { item, order, WHOLE } from '../support/billing-entries.ts';
import { cli, type Ran } from '../support/cli.ts';
import { accountEntry, addFiles, productEntry } from '../support/store-folder.ts';

let folder: string;

const run = (...args: string[]): Promise<Ran> => cli(args, { DATA_DIR: join(folder, 'data') });
const json = async (...args: string[]) => (await run(...args, '--json')).json();

const LATER = { ordered_at: '2026-03-01T00:00:00Z', paid_at: '2026-03-01T00:00:00Z' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-order-'));
  const others = [
    order({ id: 15, number: 'O-15', currency: 'KRW', ...LATER, items: [item(), item({ id: 2 })] }),
    order({ id: 16, number: 'O-16', status: 'pending', paid_at: null }),
  ];
  const [two = {}] = others;
  const sums = { subtotal_cents: 2000, discount_total_cents: 200, total_cents: 1800 };
  const document = {
    format: 1,
    products: [productEntry({ id: 1, slug: 'memo' })],
    accounts: [
      accountEntry({ id: 1, ...WHOLE }),
      accountEntry({ id: 2, email: 'two@example.com', orders: [{ ...two, ...sums }, others[1]] }),
    ],
  };
  await addFiles(folder, { 'store.json': JSON.stringify(document) });
  expect(await run('import', join(folder, 'store.json'))).toMatchObject({ code: 0, stderr: '' });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the order list command', () => {
  test('order list shows the orders of all accounts, newest first, with amounts in their currencies', async () => {
    expect((await json('order', 'list')).map(({ id }: { id: number }) => id)).toEqual([15, 16, 5]);
    const { stdout } = await run('order', 'list');
    expect(stdout).toMatch(/^15 +O-15 +2 .* paid +1,800 KRW +1, 1 +two@example.com +-$/m);
    expect(stdout).toMatch(/^ *5 +O-5 +1 .* paid +9\.00 USD +1 +buyer-1@example.com +-$/m);
  });

  test.each([
    [['--account', '1'], [5]],
    [['--status', 'pending'], [16]],
    [['--since', '2026-02-01'], [15]],
    [['--limit', '1'], [15]],
  ])('order list %j lists orders %j', async (args, ids) => {
    expect((await json('order', 'list', ...args)).map(({ id }: { id: number }) => id)).toEqual(ids);
  });

  test.each([
    [['--account', '9'], 1, 'There is no account 9; "account list" lists them.'],
    [['--status', 'new'], 2, 'Allowed choices are pending, paid'],
    [['--limit', '0'], 2, 'It takes a whole number from 1 to 1000.'],
  ])('order list %j is refused', async (args, code, why) => {
    const ran = await run('order', 'list', ...args);
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([code, '', expect.stringContaining(why)]);
  });
});

test('amounts have the decimal places of their currencies and commas between thousands', () => {
  expect([moneyText(1_234_567, 'KRW'), moneyText(1_234_567, 'USD'), moneyText(5, 'KWD'), moneyText(0, 'USD')]).toEqual([
    '1,234,567 KRW',
    '12,345.67 USD',
    '0.005 KWD',
    '0.00 USD',
  ]);
});

describe('the order show command', () => {
  test('order show prints an order by its number with all its records', async () => {
    const { stdout } = await run('order', 'show', 'O-5');
    expect(stdout).toMatch(/^account email +.+@example\.com$/m);
    expect(stdout).toMatch(/^total +9\.00 USD$/m);
    expect(stdout).toMatch(/^withdrawal bar +not_offered$/m);
    for (const heading of ['entitlements', 'subscriptions', 'invoices']) expect(stdout).toContain(`\n${heading}\n`);
    expect(await json('order', 'show', '5')).toMatchObject({
      order: { number: 'O-5' },
      entitlements: [{ id: 8, status: 'active' }],
      subscriptions: [{ id: 9, standing: { status: 'active' } }],
      invoices: [{ id: 6, status: 'paid' }],
      withdrawal_bar: 'not_offered',
    });
  });
});

describe('the subscription commands', () => {
  test('subscription list and show print the state and its reason', async () => {
    expect(await json('subscription', 'list', '--account', '1')).toMatchObject([
      { id: 9, standing: { status: 'active' } },
    ]);
    const { stdout } = await run('subscription', 'show', '9', '--account', '1');
    expect(stdout).toMatch(/^because +in_force$/m);
    expect(stdout).toMatch(/^order number +O-5$/m);
    expect(stdout).toMatch(/^covers\nproduct +slug\n +1 +memo$/m);
    expect((await run('subscription', 'list', '--account', '1')).stdout).toMatch(/^ *9 +1 +- +active/m);
  });
});

describe('the order refund command', () => {
  test('the help of order refund says what is revoked and that no money moves', async () => {
    const { stdout } = await run('order', 'refund', '--help');
    expect(stdout).toContain('The command moves no money: give it back at the payment provider.');
    expect(stdout).toContain('"refunds": []');
  });

  test.each([
    [['O-16', '--yes'], 1, 'Order O-16 is pending: nobody has paid for it, so there is nothing to refund.'],
    [['O-15', '--item', '3', '--yes'], 1, 'Order O-15 has no item 3; its items are 1 (product 1), 2 (product 1).'],
  ])('order refund %j is refused', async (args, code, why) => {
    const ran = await run('order', 'refund', ...args);
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([code, '', expect.stringContaining(why)]);
  });

  test('order refund needs --yes in a script, and says what would be lost', async () => {
    const would =
      'Order O-5 would be refunded, 1 entitlement would be revoked, 1 subscription would be ended, 1 invoice would be refunded. The amount is 9.00 USD. This moves no money; refund the payment at the provider.';
    const dry = await run('order', 'refund', 'O-5', '--dry-run');
    expect([dry.code, dry.stdout]).toEqual([0, `Nothing has changed. ${would}\n`]);
    const asked = await run('order', 'refund', 'O-5');
    expect([asked.code, asked.stdout, asked.stderr]).toEqual([
      1,
      '',
      `${would} Nothing has changed yet; add --yes to continue.\n`,
    ]);
    expect(await json('order', 'show', 'O-5')).toMatchObject({ order: { status: 'paid' } });
    const done = await run('order', 'refund', 'O-5', '--reason', 'Double charge', '--yes');
    expect(done.stdout).toBe(
      'Order O-5 is refunded, 1 entitlement is revoked, 1 subscription is ended, 1 invoice is refunded. The amount is 9.00 USD. This moves no money; refund the payment at the provider.\n',
    );
    const again = await run('order', 'refund', 'O-5');
    expect([again.code, again.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^Nothing has changed: order O-5 is refunded since .+, and this refund was already recorded\.\n$/,
      ),
    ]);
    expect((await run('order', 'show', 'O-5')).stdout).toMatch(/no +Double charge/);
  });

  test('one item can be refunded, and its access can be kept', async () => {
    const refunded = await json('order', 'refund', 'O-15', '--item', '2', '--keep-access', '--yes');
    expect(refunded).toMatchObject({ result: 'changed', amount_cents: 900, order: { status: 'partially_refunded' } });
    const dry = await run('order', 'refund', 'O-15', '--item', '1', '--keep-access', '--dry-run');
    expect(dry.stdout).toContain('Order O-15 would be refunded. The buyer keeps the access.');
  });

  test('doctor finds no contradiction after refunds, and an import of the old document warns', async () => {
    const ran = await run('doctor');
    expect(ran.stdout).not.toContain('may be mistaken');
    const imported = await run('import', join(folder, 'store.json'));
    expect([imported.code, imported.stdout]).toEqual([0, expect.stringContaining('and stays refunded')]);
    expect(await json('order', 'show', 'O-5')).toMatchObject({ order: { status: 'refunded' } });
  });
});
