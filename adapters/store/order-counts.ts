import type { Order } from '../../domain/billing/order.ts';
import { countOfOrder, daysIn, type OrderCount, sumsOf, withAdded } from '../../domain/billing/sales-sums.ts';
import { zoneOf } from '../../domain/catalog/catalog.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { Catalogs } from '../../ports/outbound/catalog.ts';
import { type ListedOrder, sumKeys } from './keys/sums.ts';
import { ifUnchanged, itemOf } from './records.ts';
import type { TypedTable, TypedWrite } from './typed-table.ts';

type Parts = { readonly table: TypedTable; readonly zone: () => Promise<string> };

/**
 * Creates the writes by which the shop's list of orders and the sums follow an order. A repository adds them to each
 * transaction that writes an order, so the sums are exact at every moment. The listed order contains what was counted
 * of it: the difference to the order as it is now is added, and a repeated write adds nothing.
 */
export class OrderCounts {
  readonly #parts: Parts;
  #days: { readonly zone: string; readonly dayOf: (at: string) => string } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * The writes for an order that is stored, or that the same transaction stores. The transaction must require the
   * stored order to be unchanged. A moment that was counted keeps its day if the shop's time zone changes; with
   * `anew`, each day is that of the current zone.
   */
  async writes(before: Order | undefined, after: Order, anew = false): Promise<TypedWrite[]> {
    const { table } = this.#parts;
    const { account_id, id, ordered_at, status } = after;
    const [from, to] = [sumKeys.order(before ?? after), sumKeys.order(after)];
    const inStatus = sumKeys.inStatus(after);
    const [found, there] = await Promise.all([table.get(from), table.get(inStatus)]);
    const count = countOfOrder(after, await this.#dayOf(anew ? undefined : found?.data));
    const listed: ListedOrder = { account_id, id, ordered_at, status, ...count };
    if (found && there && isSameJson(found.data, listed)) return [];
    const left = sumKeys.inStatus(found?.data ?? before ?? after);
    const changes = sumsOf(found?.data, count);
    const keys = changes.map((one) => sumKeys.sum(sumKeys.shardOf(id), one));
    const sums = keys.length === 0 ? [] : await table.getMany(keys);
    const unchanged = ifUnchanged(found?.version ?? null);
    const isMoved = from.sk !== to.sk;
    return [
      ...(isMoved ? [found ? { remove: from, condition: unchanged } : { check: from, condition: unchanged }] : []),
      { put: itemOf(to, listed), condition: isMoved ? { absent: true } : unchanged },
      ...(left.pk === inStatus.pk && left.sk === inStatus.sk ? [] : [{ remove: left }]),
      { put: itemOf(inStatus, { account_id, id, ordered_at, status }) },
      ...keys.map((key, n) => ({
        put: itemOf(key, withAdded(sums[n]?.data, changes[n] as (typeof changes)[number])),
        condition: ifUnchanged(sums[n]?.version ?? null),
      })),
    ];
  }

  async #dayOf(counted: OrderCount | undefined): Promise<(at: string) => string> {
    const zone = await this.#parts.zone();
    if (this.#days?.zone !== zone) this.#days = { zone, dayOf: daysIn(zone) };
    const { dayOf } = this.#days;
    const known = new Map(counted?.moments.map(({ at, day }) => [at, day]));
    return (at) => known.get(at) ?? dayOf(at);
  }
}

/** The counts of a store whose days are those of its shop's zone. */
export const orderCounts = (table: TypedTable, catalogs: Pick<Catalogs, 'current'>): OrderCounts =>
  new OrderCounts({ table, zone: async () => zoneOf((await catalogs.current()).storefront) });
