import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { anAccount } from '../../support/account-builders.ts';
import { anOrder, NOW } from '../../support/builders.ts';
import { aStore } from '../../support/memory-store.ts';
import { done } from '../../support/outcomes.ts';
import { shopRecords } from '../../support/shop-records.ts';

const LAST_WEEK = { from: addDays(NOW, -7).slice(0, 10), to: NOW.slice(0, 10), days: null };

const shop = async (isCounted = true) => {
  const back = { item_ids: null, keeps_access: false, reason: null };
  const store = await aStore([shopRecords], {
    accounts: [anAccount({ id: 1 })],
    orders: [
      anOrder({ id: 1, ordered_at: addDays(NOW, -300), refunds: [{ ...back, refunded_at: addDays(NOW, -2) }] }),
      anOrder({ id: 2, ordered_at: addDays(NOW, -30) }),
      anOrder({ id: 3, ordered_at: addDays(NOW, -3), test: true }),
      anOrder({ id: 4, ordered_at: addDays(NOW, -1) }),
      anOrder({ id: 5, ordered_at: addDays(NOW, -1), status: 'pending' }),
    ],
  });
  if (isCounted) await store.get('completeSums')(grantPermit());
  return store;
};

test('the transactions of days have the refund of an old order, and no test and unpaid order', async () => {
  const { get } = await shop();
  const { data, next_after } = done(await get('listTransactions')({ ...LAST_WEEK, limit: 100, after: null }));
  expect(data.map(({ kind, order_id }) => [kind, order_id])).toEqual([
    ['sale', 4],
    ['refund', 1],
  ]);
  expect(next_after).toBeNull();
});

test('pages of one entry have all transactions once', async () => {
  const { get } = await shop();
  const found: number[] = [];
  let after: string | null = null;
  do {
    const page: { data: { order_id: number }[]; next_after: string | null } = done(
      await get('listTransactions')({ ...LAST_WEEK, limit: 1, after }),
    );
    found.push(...page.data.map(({ order_id }) => order_id));
    after = page.next_after;
  } while (after !== null);
  expect(found).toEqual([4, 1]);
});

test('a page ends before its entries exceed a megabyte, and an order is never split', async () => {
  const store = await aStore([shopRecords], {
    accounts: [anAccount({ id: 1 })],
    orders: [1, 2, 3, 4].map((id) =>
      anOrder({
        id,
        ordered_at: addDays(NOW, -id),
        source: { provider: 'stripe', payment: 'p'.repeat(300_000), subscription: null },
      }),
    ),
  });
  await store.get('completeSums')(grantPermit());
  const pageAfter = async (after: string | null) =>
    done(await store.get('listTransactions')({ ...LAST_WEEK, limit: 100, after }));
  const first = await pageAfter(null);
  expect(first.data.map(({ order_id }) => order_id)).toEqual([1, 2, 3]);
  const second = await pageAfter(first.next_after);
  expect([second.data.map(({ order_id }) => order_id), second.next_after]).toEqual([[4], null]);
});

test('more than 366 days of transactions are refused', async () => {
  const { get } = await shop();
  expect(
    await get('listTransactions')({ from: '2024-01-01', to: '2026-01-01', days: null, limit: 1, after: null }),
  ).toMatchObject({ code: 'stretch_invalid' });
});

test('a store whose orders are not all counted gives no incomplete list', async () => {
  const { get } = await shop(false);
  expect(await get('listTransactions')({ ...LAST_WEEK, limit: 9, after: null })).toMatchObject({
    code: 'sums_incomplete',
  });
});
