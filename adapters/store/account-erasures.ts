import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import type { Erasure, ErasureCounts, UnfinishedErasure } from '../../domain/accounts/erasure.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { AccountErasures } from '../../ports/outbound/accounts.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { Clock } from '../../ports/outbound/system.ts';
import { AccountMove } from './account-move.ts';
import { leavesAddress } from './accounts.ts';
import type { AuditedParts } from './audit-trail.ts';
import { ErasureSweep } from './erasure-sweep.ts';
import { accountKeys } from './keys/accounts.ts';
import { firstItems, itemOf } from './records.ts';
import type { TableDump } from './table-dump.ts';
import type { TypedWrite } from './typed-table.ts';

/** Reads the whole table, page after page. */
export type TableScan = Pick<TableDump, 'dump'>;

export type Parts = AuditedParts & {
  readonly clock: Clock;
  readonly objects: ObjectStore;
  readonly tableScan: TableScan;
};

/** The most unfinished erasures among which a worker looks for one that is free. */
const MOST_UNFINISHED = 100;

/**
 * Erases accounts. The mark comes first: everything that makes a way into an account is written only while there is no
 * mark. Then the sweep removes what there is, the ways in before all else.
 */
export class StoredAccountErasures implements AccountErasures {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async begin(permit: Permit, account: Account, freeAt: Instant, heir?: Account): Promise<boolean> {
    const { table, auditTrail, clock } = this.#parts;
    const { id } = account;
    const profile = await table.get(accountKeys.account(id));
    const read = heir && (await table.get(accountKeys.account(heir.id)));
    if (!profile || !isSameJson(profile.data, account) || (heir && !read)) return false;
    // Looked at after the account was read: a merge into it that begins later writes the account again.
    if (heir && (await this.#mergingInto(id))) return false;
    const merged = read && { merged_into: read.data.id };
    const begun = { account_id: id, erased_at: clock.now(), ...merged };
    const told = (of: number): TypedWrite =>
      auditTrail.entry(
        permit,
        auditEvent({ kind: 'account', id, account_id: of }, merged ? 'merged' : 'erased', undefined, merged),
      );
    // The heir is written as it was, so that of two merges that it has a part in, the second reads again.
    const inherits: TypedWrite[] = read
      ? [{ put: itemOf(read, read.data), condition: { version: read.version } }, told(read.data.id)]
      : [];
    const mark: Erasure = { ...begun, finished_at: null };
    return table.transact([
      { remove: accountKeys.account(id), condition: { version: profile.version } },
      ...(await leavesAddress(table, account, merged?.merged_into)),
      { remove: accountKeys.listing(id) },
      { put: itemOf(accountKeys.erasure(id), mark), condition: { absent: true } },
      { put: itemOf(accountKeys.unfinishedErasure(id), { ...begun, free_at: freeAt }) },
      told(id),
      ...inherits,
    ]);
  }

  close(permit: Permit, accountId: number): Promise<void> {
    return new ErasureSweep(this.#parts, accountId).close(permit);
  }

  async unmergeable(account: Account, heir: Account): Promise<string | null> {
    const merging = await this.#mergingInto(account.id);
    // The address of an account leads to its heir from the beginning of the merge on.
    const goesOn =
      merging && `; "account merge ${merging.account_id} ${account.id}" goes on with a merge that broke off`;
    if (account.id === heir.id) return `they are one${goesOn ?? ''}`;
    if (account.suspended_at ?? heir.suspended_at) return 'one is suspended; "account reinstate" opens it';
    if (merging) return `another one is being merged into it${goesOn}`;
    const clash = await new AccountMove(this.#parts, account.id, heir.id).clash();
    return clash === undefined ? null : `both have a record ${clash}`;
  }

  /** A merge of another account into one that has not ended. */
  async #mergingInto(accountId: number): Promise<UnfinishedErasure | undefined> {
    return (await this.unfinished(Number.POSITIVE_INFINITY)).find((one) => one.merged_into === accountId);
  }

  survey(accountId: number): Promise<ErasureCounts> {
    return new ErasureSweep(this.#parts, accountId).run(null);
  }

  async sweep(permit: Permit, accountId: number): Promise<ErasureCounts> {
    const { table, clock } = this.#parts;
    const mark = await table.get(accountKeys.erasure(accountId));
    const heir = mark?.data.merged_into;
    if (heir !== undefined) await new AccountMove(this.#parts, accountId, heir).run();
    const counts = await new ErasureSweep(this.#parts, accountId).run(permit);
    if (mark) await table.put(itemOf(accountKeys.erasure(accountId), { ...mark.data, finished_at: clock.now() }));
    await table.remove(accountKeys.unfinishedErasure(accountId));
    return counts;
  }

  async unfinished(limit: number): Promise<UnfinishedErasure[]> {
    const items = await firstItems(this.#parts.table, { ...accountKeys.unfinishedErasures(), consistent: true }, limit);
    return items.map(({ data }) => data);
  }

  async take(_permit: Permit, now: Instant, until: Instant): Promise<number | undefined> {
    const { table } = this.#parts;
    const items = await firstItems(table, { ...accountKeys.unfinishedErasures(), consistent: true }, MOST_UNFINISHED);
    const free = items.find(({ data }) => data.free_at <= now);
    if (!free) return undefined;
    const { account_id } = free.data;
    const taken = itemOf(accountKeys.unfinishedErasure(account_id), { ...free.data, free_at: until });
    return (await table.put(taken, { version: free.version })) ? account_id : undefined;
  }
}
