import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { emptyDays, shownSum, withAccount } from '../../../domain/devices/usage.ts';
import { anAccount } from '../../support/account-builders.ts';
import { aProduct, NOW } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';
import { done } from '../../support/outcomes.ts';
import { shopRecords } from '../../support/shop-records.ts';

const TODAY = NOW.slice(0, 10);

const row = (product_id: number, usage_date: string, launches: number, commands?: Record<string, unknown>) => ({
  product_id,
  usage_date,
  launches,
  ...(commands && { commands }),
});

const shop = async () => {
  const store = await aStore([shopRecords], {
    products: [aProduct({ id: 1, slug: 'memo' }), aProduct({ id: 2 }), aProduct({ id: 11 })],
    accounts: [1, 2].map((id) => anAccount({ id, email: `${id}@example.com` })),
  });
  const usage = store.get('usage');
  await usage.save(grantPermit(), 1, 10, [
    row(1, TODAY, 3, { verify: 9, export: 2 }),
    row(2, TODAY, 50),
    row(1, '2026-11-20', 0),
  ]);
  await usage.save(grantPermit(), 1, 11, [
    row(1, TODAY, 4, { export: 3, '': 1, note: 'x', half: 0.5, minus: -1 }),
    row(11, TODAY, 7),
    row(1, '2026-10-01', 9),
  ]);
  await usage.save(grantPermit(), 2, 12, [row(1, TODAY, 1, { verify: 1 }), row(1, '2026-11-22', 100)]);
  const show = (product: string | null, account_id: number | null, days = 2) =>
    store.get('showUsage')({ product, account_id, days });
  return { show };
};

describe('the use of products', () => {
  test('the daily use of a product adds up launches, commands, accounts and keys of all accounts, until today', async () => {
    const { show } = await shop();
    expect(done(await show('memo', null))).toEqual({
      product_id: 1,
      account_id: null,
      days: [
        { date: '2026-11-20', launches: 0, accounts: 0, keys: 1, commands: {} },
        { date: TODAY, launches: 8, accounts: 2, keys: 3, commands: { verify: 10, export: 5, '': 1 } },
      ],
    });
  });

  test('the daily use of an account adds up its products, or shows one of them', async () => {
    const { show } = await shop();
    expect(done(await show(null, 1)).days.at(-1)).toEqual({
      date: TODAY,
      launches: 64,
      accounts: 1,
      keys: 2,
      commands: { verify: 9, export: 5, '': 1 },
    });
    expect(done(await show('memo', 1)).days.at(-1)).toEqual(
      expect.objectContaining({ date: TODAY, launches: 7, accounts: 1, keys: 2 }),
    );
  });

  test('a daily sum has the hundred most called commands, including those called a little at a time', () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`command-${n}`, 10]));
    const little = Array.from({ length: 10 }, () => ({ late: 2 }));
    const rows = [many, ...little].map((each, key_id) => ({ ...row(1, TODAY, 1, each), key_id }));
    const [shown] = withAccount(emptyDays(NOW, 1), rows).map(shownSum);
    expect(Object.entries(shown?.commands ?? {})).toHaveLength(100);
    expect(shown?.commands).toMatchObject({ late: 20, 'command-0': 10 });
  });

  test('a longer period shows older days', async () => {
    const { show } = await shop();
    const { days } = done(await show('1', 1, 60));
    expect(days).toHaveLength(60);
    expect(days.find(({ date }) => date === '2026-10-01')).toMatchObject({ launches: 9 });
  });

  test('an unknown product and an unknown account are refused', async () => {
    const { show } = await shop();
    expect(await show('other', null)).toMatchObject({ code: 'product_not_found' });
    expect(await show(null, 9)).toMatchObject({ code: 'account_not_found' });
  });
});
