import type { Order } from '../../domain/billing/order.ts';
import type { Claim, OwnedKind, RecordOwner } from '../../domain/billing/record-owner.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { RecordOwners, SavedRecord } from '../../ports/outbound/billing.ts';
import { billingKeys } from './keys/billing.ts';
import { ownerKey } from './keys/store.ts';
import { chunksOf, ifUnchanged, itemOf, type SaveEffect } from './records.ts';
import { OnTable } from './repository.ts';
import { MAX_BATCH } from './table-checks.ts';
import type { KeyOf, TypedTable, TypedWrite } from './typed-table.ts';

/** A record to write, and the checks that its sources are unchanged since they were read. */
type CheckedRecord<T> = { readonly record: T; readonly checks: readonly TypedWrite[] };

/** The account of a record, and the order from which it came. `isElsewhere`: the order is another account's. */
type Origin = { readonly account_id: number; readonly order_id: number | null; readonly isElsewhere?: boolean };

/** The record after its order's refunds. The write requires the order to be unchanged since the read. */
export const settledUnderRefund = async <T>(
  table: TypedTable,
  { account_id, order_id, isElsewhere = false }: Origin,
  record: T,
  under: (record: T, order: Order) => T,
): Promise<CheckedRecord<T>> => {
  if (order_id === null) return { record, checks: [] };
  const owner = isElsewhere ? (await table.get(ownerKey({ kind: 'order', id: order_id })))?.data : undefined;
  const key = billingKeys.order(owner?.account_id ?? account_id, order_id);
  const order = await table.get(key);
  return {
    record: order ? under(record, order.data) : record,
    checks: [{ check: key, condition: ifUnchanged(order?.version ?? null) }],
  };
};

type RefundSaving<T> = {
  readonly of: Origin;
  readonly under: (record: T, order: Order) => T;
  /** Creates the writes of the audit entry and of events from the previous and the new record. */
  readonly trace: (before: T | undefined, record: T) => Promise<TypedWrite[]>;
};

/**
 * Writes a record, adjusted by its order's refunds, over the existing one, unless both are equal. The loser of a race
 * decides again.
 */
export const saveUnderRefund = async <T extends object>(
  table: TypedTable,
  key: KeyOf<T>,
  input: NoInfer<T>,
  saving: NoInfer<RefundSaving<T>>,
): Promise<SaveEffect> => {
  const [before, { record, checks }] = await Promise.all([
    table.get(key),
    settledUnderRefund(table, saving.of, input, saving.under),
  ]);
  if (before && isSameJson(before.data, record)) return 'unchanged';
  const condition = ifUnchanged(before?.version ?? null);
  const traces = await saving.trace(before?.data, record);
  const writes = [{ put: itemOf<T>(key, record), condition }, ...traces, ...checks];
  if (!(await table.transact(writes))) return saveUnderRefund(table, key, input, saving);
  return before ? 'updated' : 'created';
};

/** Reads the owners of ids and numbers. */
export class StoredRecordOwners extends OnTable implements RecordOwners {
  async of(claims: readonly Claim[]): Promise<(RecordOwner | undefined)[]> {
    const keys = new Map(claims.map(ownerKey).map((key) => [key.pk, key]));
    const owners = new Map<string, RecordOwner>();
    for (const chunk of chunksOf([...keys.values()], MAX_BATCH)) {
      for (const item of await this.table.getMany(chunk)) {
        if (item) owners.set(item.pk, item.data);
      }
    }
    return claims.map((claim) => owners.get(ownerKey(claim).pk));
  }
}

/** A record whose id and number are unique among the records of its kind in the store. */
type OwnedRecord = { readonly id: number; readonly account_id: number; readonly number: string };

type OwnedSaving<T> = {
  readonly settle: (input: T, before: T | undefined) => CheckedRecord<T> | Promise<CheckedRecord<T>>;
  /** Creates the writes of the audit entry and of events from the previous and the new record. */
  readonly trace: (before: T | undefined, record: T) => Promise<TypedWrite[]>;
};

/**
 * Writes a record together with the items that name its account under its id and its number. A record stored before
 * those items existed gets them here, even if it is unchanged. The loser of a race decides again.
 */
export const saveOwned = async <T extends OwnedRecord>(
  table: TypedTable,
  kind: OwnedKind,
  key: KeyOf<T>,
  input: NoInfer<T>,
  saving: NoInfer<OwnedSaving<T>>,
): Promise<SavedRecord> => {
  const claims: readonly Claim[] = [
    { kind, id: input.id },
    { kind, number: input.number },
  ];
  const [before, ...owners] = await Promise.all([table.get(key), ...claims.map((claim) => table.get(ownerKey(claim)))]);
  const { record, checks } = await saving.settle(input, before?.data);
  const owner: RecordOwner = { account_id: record.account_id, id: record.id };
  if (owners.some((found) => found && !isSameJson(found.data, owner))) return 'taken';
  const isSame = before !== undefined && isSameJson(before.data, record);
  const missing = claims.filter((_, n) => owners[n] === undefined);
  if (isSame && missing.length === 0) return 'unchanged';
  const condition = ifUnchanged(before?.version ?? null);
  const former = before && before.data.number !== record.number ? before.data.number : undefined;
  const writes: TypedWrite[] = [
    ...(isSame
      ? [{ check: key, condition }]
      : [{ put: itemOf<T>(key, record), condition }, ...(await saving.trace(before?.data, record))]),
    ...checks,
    ...missing.map((claim) => ({ put: itemOf(ownerKey(claim), owner), condition: { absent: true } as const })),
    ...(former === undefined ? [] : await freed(table, kind, former, owner)),
  ];
  if (!(await table.transact(writes))) return saveOwned(table, kind, key, input, saving);
  return isSame ? 'unchanged' : before ? 'updated' : 'created';
};

/** Frees the number that a record had until now, unless another record has taken it. */
const freed = async (table: TypedTable, kind: OwnedKind, number: string, owner: RecordOwner): Promise<TypedWrite[]> => {
  const key = ownerKey({ kind, number });
  const item = await table.get(key);
  return item && isSameJson(item.data, owner) ? [{ remove: key, condition: { version: item.version } }] : [];
};
