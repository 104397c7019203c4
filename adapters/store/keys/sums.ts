import type { Order, OrderStatus } from '../../../domain/billing/order.ts';
import type { DaySums, OrderCount } from '../../../domain/billing/sales-sums.ts';
import type { DuePlace } from '../../../domain/billing/subscription-due.ts';
import type { Instant } from '../../../domain/shared/instant.ts';
import type { KeyOf, Partition } from './families.ts';
import { keyIn, padded, SHARDS } from './shared.ts';

/** An order in the shop's list, with what the sums contain of it. */
export type ListedOrder = OrderCount & Pick<Order, 'account_id' | 'id' | 'ordered_at' | 'status'>;

/** An order in the shop's list of a status. */
export type OrderInStatus = Pick<ListedOrder, 'account_id' | 'id' | 'ordered_at' | 'status'>;

/** The number of the lists that `CountWalk` fills. A walk for fewer lists starts again. */
export const LISTS = 3;

/**
 * The progress of the scan that lists and counts the records of an older store. `is_complete`: every order is listed
 * and counted. The other lists also are, if `lists` is the present number and `after` is null.
 */
export type CountWalk = { readonly after: string | null; readonly is_complete: boolean; readonly lists?: number };

/** True if the walk has filled all lists. */
export const isFilled = (walk: CountWalk | undefined): boolean =>
  walk?.is_complete === true && walk.lists === LISTS && walk.after === null;

export type ListedSubscription = { readonly account_id: number; readonly id: number };

/** Orders are listed, and sums are kept, in eight shards by the order's id, so that sales at one time seldom meet. */
export const sumKeys = {
  shardOf: (order_id: number): number => order_id % SHARDS,
  order: ({ id, ordered_at }: Pick<Order, 'id' | 'ordered_at'>) =>
    keyIn<ListedOrder>(`ORDERS#${id % SHARDS}`, `${ordered_at}#${padded(id)}`),
  inStatus: ({ id, ordered_at, status }: Pick<Order, 'id' | 'ordered_at' | 'status'>) =>
    keyIn<OrderInStatus>(`ORDERS#${id % SHARDS}#${status}`, `${ordered_at}#${padded(id)}`),
  /** The orders of a shard, from a moment on and up to a place, which is a moment and an id; all, or those of a status. */
  orders: (
    shard: number,
    since: Instant | null = null,
    place: string | null = null,
    status: OrderStatus | null = null,
  ): Partition<OrderInStatus> => ({
    pk: `ORDERS#${shard}${status === null ? '' : `#${status}`}`,
    ...(since !== null && { from: since }),
    ...(place !== null && { to: place.replace(' ', '#') }),
  }),
  /** The orders of a shard with what the sums contain of them. */
  counted: (shard: number, place: string | null = null): Partition<ListedOrder> => ({
    pk: `ORDERS#${shard}`,
    ...(place !== null && { to: place.replace(' ', '#') }),
  }),
  sum: (shard: number, { day, currency, provider }: Pick<DaySums, 'day' | 'currency' | 'provider'>) =>
    keyIn<DaySums>(`SUMS#${shard}`, `${day}#${currency}#${provider ?? ''}`),
  sums: (shard: number, from?: string, to?: string): Partition<DaySums> => ({
    pk: `SUMS#${shard}`,
    from,
    ...(to !== undefined && { to: `${to}#~` }),
  }),
  walk: keyIn<CountWalk>('SUMS#WALK', 'WALK'),
  due: ({ list, at }: DuePlace, { account_id, id }: ListedSubscription): KeyOf<ListedSubscription> => ({
    pk: 'SUBSCRIPTIONS',
    sk: `${list}#${at}#${padded(account_id)}#${padded(id)}`,
  }),
  dues: (list: DuePlace['list'], from: Instant, to: Instant): Partition<ListedSubscription> => ({
    pk: 'SUBSCRIPTIONS',
    from: `${list}#${from}`,
    to: `${list}#${to}#~`,
  }),
};
