import type { Claim, OwnedKind, RecordOwner } from '../../domain/operations/record-owner.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { RecordOwners, SavedRecord } from '../../ports/outbound/record-owners.ts';
import { chunksOf } from './chunks.ts';
import { ifUnchanged } from './if-unchanged.ts';
import { itemOf } from './item-of.ts';
import { ownerKey } from './keys/owners.ts';
import type { KeyOf, Table, Write } from './table.ts';
import { MAX_BATCH } from './table-checks.ts';
import type { Settled } from './under-refund.ts';

/** Reads the owners of ids and numbers. */
export class StoredRecordOwners implements RecordOwners {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async of(claims: readonly Claim[]): Promise<(RecordOwner | undefined)[]> {
    const keys = new Map(claims.map(ownerKey).map((key) => [key.pk, key]));
    const owners = new Map<string, RecordOwner>();
    for (const chunk of chunksOf([...keys.values()], MAX_BATCH)) {
      for (const item of await this.#table.getMany(chunk)) {
        if (item) owners.set(item.pk, item.data);
      }
    }
    return claims.map((claim) => owners.get(ownerKey(claim).pk));
  }
}

/** A record of an account whose id and number no other record of its kind in the store may have. */
type OwnedRecord = { readonly id: number; readonly account_id: number; readonly number: string };

type Saving<T> = {
  /** Makes the record to write from the wished one and from the one that was there before. */
  readonly settle: (wish: T, before: T | undefined) => Settled<T> | Promise<Settled<T>>;
  /** Makes the write of the audit log's entry from the record before and the written one. */
  readonly trace: (before: T | undefined, record: T) => Write;
};

/**
 * Writes a record together with the items that name its account under its id and its number. A record from before those
 * items were stored gets them here, even where it is unchanged. The loser of a race decides again.
 */
export const saveOwned = async <T extends OwnedRecord>(
  table: Table,
  kind: OwnedKind,
  key: KeyOf<T>,
  wish: NoInfer<T>,
  saving: NoInfer<Saving<T>>,
): Promise<SavedRecord> => {
  const claims: readonly Claim[] = [
    { kind, id: wish.id },
    { kind, number: wish.number },
  ];
  const [before, ...owners] = await Promise.all([table.get(key), ...claims.map((claim) => table.get(ownerKey(claim)))]);
  const { record, checks } = await saving.settle(wish, before?.data);
  const owner: RecordOwner = { account_id: record.account_id, id: record.id };
  if (owners.some((found) => found && !isSameJson(found.data, owner))) return 'taken';
  const isSame = before !== undefined && isSameJson(before.data, record);
  const missing = claims.filter((_, n) => owners[n] === undefined);
  if (isSame && missing.length === 0) return 'unchanged';
  const condition = ifUnchanged(before?.version ?? null);
  const former = before && before.data.number !== record.number ? before.data.number : undefined;
  const writes: Write[] = [
    ...(isSame
      ? [{ check: key, condition }]
      : [{ put: itemOf<T>(key, record), condition }, saving.trace(before?.data, record)]),
    ...checks,
    ...missing.map((claim) => ({ put: itemOf(ownerKey(claim), owner), condition: { absent: true } as const })),
    ...(former === undefined ? [] : await freed(table, kind, former, owner)),
  ];
  if (!(await table.transact(writes))) return saveOwned(table, kind, key, wish, saving);
  return isSame ? 'unchanged' : before ? 'updated' : 'created';
};

/** Frees the number that a record had until now, unless another record has it. */
const freed = async (table: Table, kind: OwnedKind, number: string, owner: RecordOwner): Promise<Write[]> => {
  const key = ownerKey({ kind, number });
  const item = await table.get(key);
  return item && isSameJson(item.data, owner) ? [{ remove: key, condition: { version: item.version } }] : [];
};
