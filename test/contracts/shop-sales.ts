import { beforeEach, describe, expect, test } from 'vitest';
import type { TableScan } from '../../adapters/store/account-erasures.ts';
import { AccountMove } from '../../adapters/store/account-move.ts';
import { StoredBillingRecords } from '../../adapters/store/billing.ts';
import { billingKeys } from '../../adapters/store/keys/billing.ts';
import { licensingKeys } from '../../adapters/store/keys/licensing.ts';
import { sumKeys } from '../../adapters/store/keys/sums.ts';
import { supportKeys } from '../../adapters/store/keys/support.ts';
import { StoredLicenses } from '../../adapters/store/licenses.ts';
import { OrderCounts } from '../../adapters/store/order-counts.ts';
import { StoredOrderRecords } from '../../adapters/store/order-records.ts';
import { StoredShopSales } from '../../adapters/store/order-sums.ts';
import { itemOf } from '../../adapters/store/records.ts';
import type { Table } from '../../adapters/store/table.ts';
import { StoredTickets } from '../../adapters/store/tickets.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Order, OrderStatus } from '../../domain/billing/order.ts';
import { refundEffect } from '../../domain/billing/refund.ts';
import { reportOf } from '../../domain/billing/sales-sums.ts';
import { newTicket, placesOf, type Ticket, type TicketList } from '../../domain/support/ticket.ts';
import type { TicketsFilter } from '../../ports/outbound/support.ts';
import { audited } from '../support/audited.ts';
import { beforeCall } from '../support/before-call.ts';
import { aBill, anOrder, aSubscription } from '../support/builders.ts';
import { aReport } from '../support/report-builders.ts';
import { type ContractOptions, TIMEOUT } from './clean.ts';

const PERMIT = grantPermit();
const WIDE = ['2000-01-01', '2100-01-01'] as const;
const soldOn = (day: number, more: Partial<Order> = {}): Order =>
  anOrder({ ordered_at: `2026-11-${String(day).padStart(2, '0')}T23:30:00.000Z`, ...more });

/** Registers the tests of the shop's sums and lists. `open` returns an empty table; it is called before each test. */
export const shopSalesContract = (
  name: string,
  open: () => Promise<Table & TableScan> | (Table & TableScan),
  { timeout = TIMEOUT }: ContractOptions = {},
): void => {
  describe(`the shop's sales on ${name}`, { timeout }, () => {
    let table: Table & TableScan;
    let zone: string;
    beforeEach(async () => {
      table = await open();
      zone = 'UTC';
    }, timeout);

    const partsOn = (on: Table) => ({
      ...audited(on),
      orderCounts: new OrderCounts({ table: on, zone: async () => zone }),
    });
    const salesOn = (on: Table = table) => new StoredShopSales({ ...partsOn(on), tableScan: table });
    const save = (order: Order, on: Table = table) => new StoredBillingRecords(partsOn(on)).saveOrder(PERMIT, order);
    const totals = async () => reportOf(await salesOn().sums(...WIDE)).totals;
    const days = async () => reportOf(await salesOn().sums(...WIDE)).days;
    const isRight = async () => expect(await salesOn().examine(null)).toEqual({ orders: 0, sums: 0 });
    /** Stores an order as a version without sums did. */
    const saveOld = (order: Order) => table.put(itemOf(billingKeys.order(order.account_id, order.id), order));
    const refund = async (on: Table = table) => {
      const records = new StoredOrderRecords(partsOn(on));
      const read = await records.read(1, 1);
      const input = { item_ids: [], keeps_access: false, reason: null };
      const effect = read && refundEffect(read, input, '2026-11-20T10:00:00.000Z');
      if (!read || !effect?.ok) throw new Error('The order is not refundable.');
      return records.refund(PERMIT, effect.value.changed, read, []);
    };

    test('twenty simultaneous sales are all counted, each once', async () => {
      await Promise.all(Array.from({ length: 20 }, (_, n) => save(soldOn(2, { id: n * 8 + 1, account_id: n + 1 }))));
      expect(await totals()).toMatchObject([{ orders: 20, gross_cents: 20 * 1900 }]);
      await isRight();
    });

    test('an order that is saved again unchanged adds nothing, and a changed one adds the difference', async () => {
      const order = soldOn(2);
      await Promise.all(Array.from({ length: 5 }, () => save(order)));
      await save({ ...order, receipt_url: 'https://example.com/receipt' });
      expect(await totals()).toMatchObject([{ orders: 1, gross_cents: 1900 }]);
      await save({ ...order, ordered_at: '2026-11-05T10:00:00.000Z', paid_at: '2026-11-05T10:00:00.000Z' });
      expect((await days()).filter(({ orders }) => orders > 0)).toMatchObject([{ day: '2026-11-05', orders: 1 }]);
      await save({ ...order, status: 'cancelled' });
      expect(await totals()).toMatchObject([{ orders: 0, gross_cents: 0 }]);
      await isRight();
    });

    test('a refund that meets another write of the order is counted once', async () => {
      const order = soldOn(2);
      await save(order);
      const between = beforeCall(table, ['transact'], () => save({ ...order, vat_cents: 300 }));
      expect([await refund(between), await refund()]).toEqual([false, true]);
      expect(await days()).toMatchObject([
        { day: '2026-11-02', gross_cents: 1900, tax_cents: 300, refunded_cents: 0 },
        { day: '2026-11-20', refunded_cents: 1900, refunded_tax_cents: 300 },
      ]);
      await isRight();
    });

    test('a change of the time zone moves no counted day', async () => {
      await save(soldOn(2));
      zone = 'Asia/Seoul';
      expect(await refund()).toBe(true);
      await save(soldOn(2, { id: 2 }));
      expect((await days()).map(({ day, orders }) => [day, orders])).toEqual([
        ['2026-11-02', 1],
        ['2026-11-03', 1],
        ['2026-11-20', 0],
      ]);
      await isRight();
      await salesOn().examine(PERMIT);
      expect((await days()).filter(({ orders }) => orders > 0)).toMatchObject([{ day: '2026-11-03', orders: 2 }]);
    });

    test('the orders of an older store are listed and counted once, beside the day’s sales', async () => {
      for (let id = 1; id <= 6; id++) await saveOld(soldOn(id, { id, account_id: id }));
      expect([await salesOn().isComplete(), await totals()]).toEqual([false, []]);
      await save(soldOn(2, { id: 2, account_id: 2, vat_cents: 100 }));
      const meanwhile = () =>
        Promise.all([
          save(soldOn(1, { id: 1, account_id: 1, vat_cents: 50 })),
          save(soldOn(9, { id: 9 })),
          salesOn().complete(PERMIT, () => true),
        ]);
      expect(await salesOn(beforeCall(table, ['transact'], meanwhile)).complete(PERMIT, () => true)).toBe(true);
      expect(await totals()).toMatchObject([{ orders: 7, gross_cents: 7 * 1900, tax_cents: 150 }]);
      const input = { status: null, since: null, after: null, limit: 3 };
      const newest = await salesOn().newest(input);
      const after = `${newest[2]?.ordered_at} ${String(newest[2]?.id).padStart(16, '0')}`;
      const older = await salesOn().newest({ ...input, after });
      expect([...newest, ...older].map(({ id }) => id)).toEqual([9, 6, 5, 4, 3, 2]);
      await isRight();
    });

    test('the counted orders of all shards are listed newest first, after any of them', async () => {
      for (let id = 1; id <= 9; id++) await save(soldOn(id, { id, account_id: id, vat_cents: id }));
      const all = await Array.fromAsync(salesOn().counted(null));
      expect(all.map(({ id, moments }) => [id, moments.length])).toEqual(
        [9, 8, 7, 6, 5, 4, 3, 2, 1].map((id) => [id, 1]),
      );
      const after = `${all[3]?.ordered_at} ${String(all[3]?.id).padStart(16, '0')}`;
      expect((await Array.fromAsync(salesOn().counted(after))).map(({ id }) => id)).toEqual([5, 4, 3, 2, 1]);
    });

    test('an order that a merge of accounts moves while its list is read is found, and one that is gone is not', async () => {
      await save(soldOn(1));
      const merge = () => new AccountMove(partsOn(table), 1, 2).own();
      const [counted] = await Array.fromAsync(salesOn().counted(null));
      const filter = { status: null, since: null, after: null, limit: 9 };
      const moved = { id: 1, account_id: 2 };
      expect(await salesOn(beforeCall(table, ['getMany'], merge)).newest(filter)).toMatchObject([moved]);
      expect(counted && (await salesOn().orderOf(counted))).toMatchObject(moved);
      await table.remove(billingKeys.order(2, 1));
      expect(counted && (await salesOn().orderOf(counted))).toBeUndefined();
    });

    const inStatus = async (status: OrderStatus, more = {}) =>
      (await salesOn().newest({ status, since: null, after: null, limit: 10, ...more })).map(({ id }) => id);

    test('orders are listed by status, even after it changes', async () => {
      for (let id = 1; id <= 5; id++) await save(soldOn(id, { id, status: id % 2 ? 'disputed' : 'paid' }));
      await salesOn().complete(PERMIT, () => true);
      expect([await inStatus('disputed'), await inStatus('paid')]).toEqual([
        [5, 3, 1],
        [4, 2],
      ]);
      await save(soldOn(3, { id: 3, status: 'refunded' }));
      await save(soldOn(9, { id: 1, status: 'disputed' }));
      expect([await inStatus('disputed'), await inStatus('refunded')]).toEqual([[1, 5], [3]]);
      expect(await inStatus('disputed', { since: '2026-11-06T00:00:00.000Z' })).toEqual([1]);
      expect(await inStatus('disputed', { limit: 1 })).toEqual([1]);
      await isRight();
    });

    test('the status lists of a store counted by an older version are filled page by page', async () => {
      for (let id = 1; id <= 3; id++) await save(soldOn(id, { id, status: 'disputed' }));
      for (let id = 1; id <= 3; id++) await table.remove(sumKeys.inStatus(soldOn(id, { id, status: 'disputed' })));
      await table.put(itemOf(sumKeys.walk, { after: null, is_complete: true }));
      expect([await salesOn().isComplete(), await inStatus('disputed')]).toEqual([true, [3, 2, 1]]);
      expect(await salesOn().complete(PERMIT, () => true)).toBe(true);
      expect(await table.get(sumKeys.inStatus(soldOn(2, { id: 2, status: 'disputed' })))).toBeDefined();
      expect(await inStatus('disputed')).toEqual([3, 2, 1]);
      await isRight();
    });

    test('an order whose status an older process changed is not listed under the old one', async () => {
      await save(soldOn(1, { id: 1, status: 'disputed' }));
      await salesOn().complete(PERMIT, () => true);
      await saveOld(soldOn(1, { id: 1, status: 'refunded' }));
      expect(await inStatus('disputed')).toEqual([]);
      expect(await salesOn().examine(PERMIT)).toMatchObject({ orders: 1 });
      expect(await inStatus('refunded')).toEqual([1]);
    });

    test('lost sums and lists are detected and rebuilt', async () => {
      await save(soldOn(2));
      await save(soldOn(3, { id: 2 }));
      await table.remove(sumKeys.order(soldOn(2)));
      const key = sumKeys.sum(2, { day: '2026-11-03', currency: 'USD', provider: null });
      await table.put(itemOf(key, { day: '2026-11-03', currency: 'USD', provider: null, orders: 7, products: [] }));
      await table.put(
        itemOf(sumKeys.sum(5, { day: '1999-01-01', currency: 'USD', provider: null }), {
          day: '1999-01-01',
          currency: 'USD',
          provider: null,
          orders: 1,
          products: [],
        }),
      );
      const found = await salesOn().examine(null);
      expect(found.orders).toBe(1);
      expect(found.sums).toBeGreaterThan(1);
      await salesOn().examine(PERMIT);
      await isRight();
      expect(await totals()).toMatchObject([{ orders: 2, gross_cents: 3800 }]);
    });

    test('a sale during the rebuild of the sums is counted once', async () => {
      for (let id = 1; id <= 3; id++) await save(soldOn(2, { id: id * 8 }));
      const key = sumKeys.sum(0, { day: '2026-11-02', currency: 'USD', provider: null });
      await table.put(itemOf(key, { day: '2026-11-02', currency: 'USD', provider: null, orders: 9, products: [] }));
      const meanwhile = () => save(soldOn(2, { id: 800 }));
      await salesOn(beforeCall(table, ['transact'], meanwhile)).examine(PERMIT);
      expect(await totals()).toMatchObject([{ orders: 4, gross_cents: 4 * 1900 }]);
      await isRight();
    });

    test('the tickets of an older store are listed, and each follows answers, replies and closing', async () => {
      const at = (minute: number) => `2026-11-27T10:${String(minute).padStart(2, '0')}:00.000Z`;
      const ticketOf = (id: number) => newTicket(aReport(), { id, account_id: id }, at(id));
      const stored = new StoredTickets(partsOn(table));
      const all = (lists: readonly TicketList[], more: Partial<TicketsFilter> = {}) =>
        stored.listed({ lists, since: null, after: null, limit: 10, passes: () => true, ...more });
      const ids = async (...input: Parameters<typeof all>) => (await all(...input))?.map(({ id }) => id);
      for (const id of [1, 2, 3]) await table.put(itemOf(supportKeys.ticket(id), ticketOf(id)));
      const opening = await stored.opening(4, 'report');
      await stored.open(PERMIT, ticketOf(4), 'report', opening, undefined);
      expect(await ids(['open'])).toBeUndefined();
      expect(await salesOn().complete(PERMIT, () => true)).toBe(true);
      expect([await ids(['open']), await ids(['waiting']), await ids(['closed'])]).toEqual([
        [4, 3, 2, 1],
        [1, 2, 3, 4],
        [],
      ]);
      const say = (id: number, number: number, minute: number, from?: 'buyer') =>
        stored.answer(PERMIT, ticketOf(id), {
          ...{ number, answered_at: at(minute), by: null, text: 'Hello.' },
          ...(from && { from }),
        });
      await say(1, 1, 20);
      await say(2, 1, 21);
      await say(2, 2, 30, 'buyer');
      await stored.mark(PERMIT, 3, 'closed');
      expect([await ids(['open']), await ids(['waiting']), await ids(['closed'])]).toEqual([[2, 4, 1], [4, 2, 1], [3]]);
      await stored.mark(PERMIT, 3, 'open');
      await stored.mark(PERMIT, 4, 'closed');
      const [first] = (await all(['open', 'closed'], { limit: 1 })) ?? [];
      const after = placesOf(first as Ticket)[0]?.place ?? '';
      const passes = ({ id }: Ticket) => id !== first?.id;
      expect(await ids(['open', 'closed'], { after, passes })).toEqual([4, 3, 1]);
      expect(await ids(['open', 'closed'], { since: at(4) })).toEqual([2, 4]);
      // A process of a former version closed a ticket without moving it in the lists.
      const former = await stored.get(1);
      await table.put(itemOf(supportKeys.ticket(1), { ...(former as Ticket), status: 'closed' }));
      expect([await ids(['open']), await ids(['closed'])]).toEqual([[2, 3], [4]]);
      await salesOn().examine(PERMIT);
      expect(await ids(['closed'])).toEqual([4, 1]);
    });

    test('a subscription is listed once, by its next change', async () => {
      const licenses = new StoredLicenses(partsOn(table));
      const now = '2026-11-27T00:00:00.000Z';
      const listed = async (state: Parameters<StoredShopSales['due']>[0]) =>
        (await Array.fromAsync(salesOn().due(state, now, ''))).map(({ id }) => id);
      const one = aSubscription({ id: 1, ends_at: '2026-12-05T00:00:00.000Z' });
      const old = aSubscription({
        id: 2,
        account_id: 2,
        billing: aBill({ next_charge_at: '2026-12-01T00:00:00.000Z' }),
      });
      await licenses.saveSubscription(PERMIT, one);
      await table.put(itemOf(licensingKeys.subscription(2, 2), old));
      expect(await listed('renewing')).toEqual([1]);
      await salesOn().complete(PERMIT, () => true);
      expect(await listed('renewing')).toEqual([2, 1]);
      await licenses.saveSubscription(PERMIT, { ...one, cancelled_at: now });
      await licenses.saveSubscription(PERMIT, { ...old, status: 'past_due' });
      expect([await listed('renewing'), await listed('failing'), await listed('ending')]).toEqual([[], [2], [1]]);
    });
  });
};
