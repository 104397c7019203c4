import type { Order } from '../../domain/billing/order.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import { ifUnchanged } from './if-unchanged.ts';
import { itemOf } from './item-of.ts';
import { billingKeys } from './keys/billing.ts';
import type { Saved } from './records.ts';
import type { KeyOf, Table, Write } from './table.ts';

/** A record as it is to be written, and the checks that the records which shaped it are still as they were read. */
export type Settled<T> = { readonly record: T; readonly checks: readonly Write[] };

/** The account of a record, and the order that it came from. */
type Origin = { readonly account_id: number; readonly order_id: number | null };

/** The record as the refunds of its order leave it. The write holds only while the order is as it was read. */
export const settledUnderRefund = async <T>(
  table: Table,
  { account_id, order_id }: Origin,
  record: T,
  under: (record: T, order: Order) => T,
): Promise<Settled<T>> => {
  if (order_id === null) return { record, checks: [] };
  const key = billingKeys.order(account_id, order_id);
  const order = await table.get(key);
  return {
    record: order ? under(record, order.data) : record,
    checks: [{ check: key, condition: ifUnchanged(order?.version ?? null) }],
  };
};

type Saving<T> = {
  readonly of: Origin;
  readonly under: (record: T, order: Order) => T;
  /** Makes the write of the audit log's entry from the record before and the written one. */
  readonly trace: (before: object | undefined, record: T) => Write;
};

/**
 * Writes a record over whatever is there, as the refunds of its order leave it, unless the same record is there
 * already. The loser of a race decides again.
 */
export const saveUnderRefund = async <T extends object>(
  table: Table,
  key: KeyOf<T>,
  wish: NoInfer<T>,
  saving: NoInfer<Saving<T>>,
): Promise<Saved> => {
  const [before, { record, checks }] = await Promise.all([
    table.get(key),
    settledUnderRefund(table, saving.of, wish, saving.under),
  ]);
  if (before && isSameJson(before.data, record)) return 'unchanged';
  const condition = ifUnchanged(before?.version ?? null);
  const writes = [{ put: itemOf<T>(key, record), condition }, saving.trace(before?.data, record), ...checks];
  if (!(await table.transact(writes))) return saveUnderRefund(table, key, wish, saving);
  return before ? 'updated' : 'created';
};
