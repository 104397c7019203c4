import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { ORDERS, type Order } from '../../domain/billing/order.ts';
import { addCount, type DaySums, isNothing } from '../../domain/billing/sales-sums.ts';
import { stretchesOf } from '../../domain/billing/subscription-due.ts';
import type { Device } from '../../domain/devices/seat.ts';
import type { Subscription } from '../../domain/licensing/subscription.ts';
import { compareText } from '../../domain/shared/compare-text.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { Ticket } from '../../domain/support/ticket.ts';
import type { NamedOrder, OrdersFilter, ShopSales, SumsFaults } from '../../ports/outbound/billing.ts';
import type { TableScan } from './account-erasures.ts';
import { addressListing } from './accounts.ts';
import { listingOf } from './devices.ts';
import { billingKeys } from './keys/billing.ts';
import { productOf } from './keys/devices.ts';
import { licensingKeys } from './keys/licensing.ts';
import { SHARDS } from './keys/shared.ts';
import { type CountWalk, isFilled, LISTS, type ListedOrder, type OrderInStatus, sumKeys } from './keys/sums.ts';
import { dueKey, dueWrites, wholeSubscription } from './licenses.ts';
import type { OrderCounts } from './order-counts.ts';
import { allItems, allRecords, everyShard, ifUnchanged, itemOf, listedRecords, merged, recordsOf } from './records.ts';
import type { Item } from './table.ts';
import { MAX_BATCH } from './table-checks.ts';
import { allEntries, type Entry, isCounter } from './table-dump.ts';
import { listWrites } from './tickets.ts';
import type { TypedTable, TypedWrite } from './typed-table.ts';

type Parts = { readonly table: TypedTable; readonly tableScan: TableScan; readonly orderCounts: OrderCounts };

const placeOf = ORDERS.place as (order: Pick<Order, 'ordered_at' | 'id'>) => string;
const newestFirst = (a: OrderInStatus, b: OrderInStatus): number => (placeOf(a) < placeOf(b) ? 1 : -1);

const byDay = (a: DaySums, b: DaySums): number =>
  compareText(a.day, b.day) || compareText(a.currency, b.currency) || compareText(a.provider ?? '', b.provider ?? '');

/** The writes that list a record for the shop, by the first part of its sort key, or of its partition if it is no account's. */
const LISTINGS: Readonly<Record<string, (item: Item) => readonly TypedWrite[]>> = {
  SUBSCRIPTION: ({ data }) => dueWrites(undefined, data as Subscription),
  DEVICE: ({ pk, sk, data }) => [listingOf(Number(pk.slice('ACCOUNT#'.length)), productOf(sk), data as Device)],
  PROFILE: ({ data }) => [addressListing(data as Account)],
  TICKETS: ({ data }) => listWrites(undefined, data as Ticket),
};

/** The shop's lists of orders and subscriptions, and the sums of its sales. */
export class StoredShopSales implements ShopSales {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async sums(from: string, to: string): Promise<DaySums[]> {
    const { table } = this.#parts;
    const shards = await Promise.all(everyShard((shard) => allRecords(table, sumKeys.sums(shard, from, to))));
    return shards.flat().sort(byDay);
  }

  async isComplete(): Promise<boolean> {
    return (await this.#walk()).is_complete;
  }

  async #walk(): Promise<CountWalk> {
    return (await this.#parts.table.get(sumKeys.walk))?.data ?? { after: null, is_complete: false };
  }

  async newest({ status, since, after, limit }: OrdersFilter): Promise<Order[]> {
    const { table } = this.#parts;
    const list = status !== null && isFilled(await this.#walk()) ? status : null;
    const shards = everyShard((shard) =>
      recordsOf(table, {
        ...sumKeys.orders(shard, since, after, list),
        descending: true,
        limit: Math.min(limit + 1, MAX_BATCH),
      }),
    );
    async function* listed() {
      for await (const one of merged(shards, newestFirst)) {
        if ((status === null || one.status === status) && (after === null || placeOf(one) < after)) yield one;
      }
    }
    // A process of a former version changes orders and not the lists of a status.
    const passes = (order: Order) => status === null || order.status === status;
    const keyOf = ({ account_id, id }: OrderInStatus) => billingKeys.order(account_id, id);
    return listedRecords(table, listed(), keyOf, passes, limit, (one) => this.orderOf(one));
  }

  async *counted(after: string | null): AsyncGenerator<ListedOrder> {
    const { table } = this.#parts;
    const shards = everyShard((shard) =>
      recordsOf(table, { ...sumKeys.counted(shard, after), descending: true, limit: MAX_BATCH }),
    );
    for await (const one of merged(shards, newestFirst)) if (after === null || placeOf(one) < after) yield one;
  }

  async orderOf({ account_id, ...one }: NamedOrder): Promise<Order | undefined> {
    const { table } = this.#parts;
    const item = await table.get(billingKeys.order(account_id, one.id));
    if (item) return item.data;
    const moved = (await table.get(sumKeys.order(one)))?.data;
    return moved && moved.account_id !== account_id ? this.orderOf(moved) : undefined;
  }

  async *due(state: Parameters<ShopSales['due']>[0], now: string, from: string): AsyncGenerator<Subscription> {
    const { table } = this.#parts;
    const lists = stretchesOf(state, now).map((one) =>
      allItems(table, sumKeys.dues(one.list, one.from > from ? one.from : from, one.to)),
    );
    const byMoment = (a: { readonly sk: string }, b: { readonly sk: string }) =>
      a.sk.slice(a.sk.indexOf('#')) < b.sk.slice(b.sk.indexOf('#')) ? -1 : 1;
    for await (const { sk, data } of merged(lists, byMoment)) {
      const found = await table.get(licensingKeys.subscription(data.account_id, data.id));
      // A process of a former version changes subscriptions and not the list.
      if (found && dueKey(found.data)?.sk === sk) yield wholeSubscription(found.data);
    }
  }

  async complete(_permit: Permit, goOn: () => boolean): Promise<boolean> {
    const { table, tableScan } = this.#parts;
    for (;;) {
      const item = await table.get(sumKeys.walk);
      if (item && isFilled(item.data)) return true;
      const page = await tableScan.dump(0, (item?.data.lists === LISTS && item.data.after) || undefined);
      for (const entry of page.entries) await this.#follow(entry, true, false);
      const is_complete = page.next === undefined || (item?.data.is_complete ?? false);
      const walk = { after: page.next ?? null, is_complete, lists: LISTS };
      await table.put(itemOf(sumKeys.walk, walk), ifUnchanged(item?.version ?? null));
      if (!goOn()) return isFilled(walk);
    }
  }

  async examine(permit: Permit | null): Promise<SumsFaults> {
    const { table, tableScan } = this.#parts;
    const writes = permit !== null;
    const faults = { orders: 0, sums: 0 };
    for await (const entry of allEntries(tableScan, 0)) faults.orders += await this.#follow(entry, writes, writes);
    for (let shard = 0; shard < SHARDS; shard++) faults.sums += await this.#examineShard(shard, writes);
    if (writes) await table.put(itemOf(sumKeys.walk, { after: null, is_complete: true, lists: LISTS }));
    return faults;
  }

  /**
   * Lists and counts an order, or lists another record, in its state at one moment. Returns 1 for an order that was not
   * counted so. Without `writes` it only compares.
   */
  async #follow(entry: Entry, writes: boolean, anew: boolean): Promise<0 | 1> {
    const { table, orderCounts } = this.#parts;
    const { pk, sk } = entry;
    const ofAccount = pk.startsWith('ACCOUNT#');
    const isOrder = ofAccount && sk.startsWith('ORDER#');
    const lists = LISTINGS[(ofAccount ? sk : pk).split('#', 1)[0] ?? ''];
    if (isCounter(entry) || !(isOrder || (writes && lists))) return 0;
    for (;;) {
      const item = await table.get<Order>({ pk, sk });
      if (!item) return 0;
      const changes = lists ? lists(item) : await orderCounts.writes(item.data, item.data, anew);
      if (changes.length === 0) return 0;
      const unchanged = { check: { pk, sk }, condition: { version: item.version } };
      if (await table.transact([unchanged, ...(writes ? changes : changes.flatMap(checkOf))])) return isOrder ? 1 : 0;
    }
  }

  /**
   * Compares the sums of a shard with its listed orders. Each write of a listed order that matters to a sum also writes
   * that sum: where the sum is unchanged since before the orders were read, they were read as it counts them. Returns
   * the number of wrong sums.
   */
  async #examineShard(shard: number, writes: boolean): Promise<number> {
    const { table } = this.#parts;
    for (const wrong = new Set<string>(); ; ) {
      const stored = new Map<string, Item<DaySums>>();
      for await (const item of allItems(table, sumKeys.sums(shard))) stored.set(item.sk, item);
      const counted = new Map<string, DaySums>();
      for await (const one of recordsOf(table, sumKeys.counted(shard))) addCount(counted, one);
      const right = new Map([...counted.values()].map((one) => [sumKeys.sum(shard, one).sk, one]));
      let isMoved = false;
      for (const sk of new Set([...stored.keys(), ...right.keys()])) {
        const is = stored.get(sk);
        const sums = right.get(sk) ?? { ...(is?.data as DaySums), orders: 0, products: [] };
        if (is ? isSameJson(is.data, sums) : isNothing(sums)) continue;
        const put = { put: itemOf(sumKeys.sum(shard, sums), sums), condition: ifUnchanged(is?.version ?? null) };
        if (await table.transact(writes ? [put] : checkOf(put))) wrong.add(sk);
        else isMoved = true;
      }
      if (!isMoved) return wrong.size;
    }
  }
}

/** The condition of a write, without the write. */
const checkOf = (write: TypedWrite): TypedWrite[] =>
  'put' in write && write.condition
    ? [{ check: { pk: write.put.pk, sk: write.put.sk }, condition: write.condition }]
    : [];
