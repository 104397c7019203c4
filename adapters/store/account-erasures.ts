import { memberWith } from '../../domain/access/member.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { type Account, formerEmails, isWithoutPerson } from '../../domain/accounts/account.ts';
import { addressKey } from '../../domain/accounts/address.ts';
import {
  type Erasure,
  type ErasureCounts,
  type ErasureWalk,
  NEVER,
  type UnfinishedErasure,
  WALK_RESTS_SECONDS,
} from '../../domain/accounts/erasure.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import { awaits, type Instant, millis, toInstant } from '../../domain/shared/instant.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import { movedPlaces } from '../../domain/teams/team.ts';
import type { AccountErasures } from '../../ports/outbound/accounts.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { Clock } from '../../ports/outbound/system.ts';
import { AccountMove } from './account-move.ts';
import { leavesAddress } from './accounts.ts';
import type { AuditedParts } from './audit-trail.ts';
import { ErasureSweep, ErasureSweeps } from './erasure-sweep.ts';
import { accessKeys } from './keys/access.ts';
import { accountKeys } from './keys/accounts.ts';
import { supportKeys } from './keys/support.ts';
import { allItems, firstItems, ifUnchanged, itemOf } from './records.ts';
import type { TableDump } from './table-dump.ts';
import type { KeyOf, TypedWrite } from './typed-table.ts';

/** Reads the whole table, page by page. */
export type TableScan = Pick<TableDump, 'dump'>;

export type Parts = AuditedParts & {
  readonly clock: Clock;
  readonly objects: ObjectStore;
  readonly tableScan: TableScan;
};

/** The maximum number of accounts that one scan erases. */
const MOST_TOGETHER = 100;

type WalkInput = {
  readonly key: KeyOf<ErasureWalk>;
  /** The accounts that a new scan erases. */
  readonly accounts: () => Promise<number[]>;
  readonly goOn: (walk: ErasureWalk) => boolean;
  readonly isAlone?: boolean;
};

/**
 * Erases accounts. The tombstone comes first: sign-in methods, sessions and keys are written only while there is none.
 * Then the sweep deletes everything, starting with those.
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
    const members = await table.get(accessKeys.members);
    const read = heir && (await table.get(accountKeys.account(heir.id)));
    if (!profile || !isSameJson(profile.data, account) || (heir && !read)) return false;
    const free = isWithoutPerson(account) ? [id] : [id, heir?.id];
    if (free.some((one) => one && memberWith(members?.data.members ?? [], one))) return false;
    // This check follows the read of the account: a merge into it that begins later writes the account again.
    if (heir && (await this.#mergingInto(id))) return false;
    const merged = read && { merged_into: read.data.id };
    const begun = { account_id: id, erased_at: clock.now(), ...merged };
    const auditEntry = (of: number): TypedWrite =>
      auditTrail.entry(
        permit,
        auditEvent({ kind: 'account', id, account_id: of }, merged ? 'merged' : 'erased', undefined, merged),
      );
    // The heir is rewritten even unchanged, so that of two merges that involve it, the second one reads again.
    const inherits: TypedWrite[] = read
      ? [
          { put: itemOf(read, this.#inheriting(account, read.data)), condition: { version: read.version } },
          auditEntry(read.data.id),
        ]
      : [];
    const mark: Erasure = { ...begun, finished_at: null };
    return table.transact([
      { remove: accountKeys.account(id), condition: { version: profile.version } },
      ...(await leavesAddress(table, account, merged?.merged_into)),
      { remove: accountKeys.listing(id) },
      { put: itemOf(accountKeys.erasure(id), mark), condition: { absent: true } },
      {
        put: itemOf(accountKeys.unfinishedErasure(id), {
          ...begun,
          free_at: merged ? NEVER : freeAt,
          ...(merged && { moves_at: freeAt }),
          ...(!merged && { emails: [addressKey(account.email), ...(await this.#formerly(account))] }),
        }),
      },
      { check: accessKeys.members, condition: ifUnchanged(members?.version ?? null) },
      auditEntry(id),
      ...inherits,
    ]);
  }

  /** The heir with the places in teams and the former addresses of the account that is merged into it. */
  #inheriting(account: Account, heir: Account): Account {
    const { id, memberships = [] } = account;
    const places = [...(heir.memberships ?? []), ...memberships];
    return {
      ...heir,
      ...(!isWithoutPerson(account) && { former_emails: formerEmails(account, heir) }),
      ...(memberships.length > 0 && { memberships: movedPlaces(heir.id, places, { from: id, into: heir.id }) }),
    };
  }

  /** The account's former addresses that no other account has taken since. */
  async #formerly({ id, former_emails = [] }: Account): Promise<string[]> {
    const owners = await this.#parts.table.getMany(former_emails.map(accountKeys.byEmail));
    return former_emails.filter((_, n) => (owners[n]?.data.account_id ?? id) === id);
  }

  async moveOwn(_permit: Permit, account_id: number): Promise<void> {
    await (await this.#moveOf(account_id))?.own();
  }

  close(permit: Permit, account_id: number): Promise<void> {
    return new ErasureSweep(this.#parts, account_id, permit).close();
  }

  async unmergeable(account: Account, heir: Account): Promise<string | null> {
    const merging = await this.#mergingInto(account.id);
    // An account's address leads to its heir as soon as the merge begins.
    const goesOn =
      merging && `; "account merge ${merging.account_id} ${account.id}" goes on with a merge that broke off`;
    if (account.id === heir.id) return `they are one${goesOn ?? ''}`;
    if (account.suspended_at ?? heir.suspended_at) return 'one is suspended; "account reinstate" opens it';
    if (merging) return `another one is being merged into it${goesOn}`;
    const clash = await new AccountMove(this.#parts, account.id, heir.id).clash();
    return clash === undefined ? null : `both have a record ${clash}`;
  }

  /** An unfinished merge of another account into this one. */
  async #mergingInto(account_id: number): Promise<UnfinishedErasure | undefined> {
    return (await this.unfinished(Number.POSITIVE_INFINITY)).find((one) => one.merged_into === account_id);
  }

  async survey(account_id: number, of: 'all' | 'own' = 'all'): Promise<ErasureCounts> {
    const sweeps = new ErasureSweeps(this.#parts, null);
    await sweeps.begin(account_id);
    for (let after: string | undefined, more = of === 'all'; more; more = after !== undefined) {
      const page = await this.#parts.tableScan.dump(0, after);
      await sweeps.page(page.entries);
      after = page.next;
    }
    return sweeps.finish(account_id);
  }

  async sweep(permit: Permit, account_id: number): Promise<ErasureCounts> {
    for (;;) {
      const walk = { key: accountKeys.erasureWalk(account_id), accounts: async () => [account_id], goOn: () => true };
      const counts = (await this.#walk(permit, walk)).get(account_id);
      if (counts) return counts;
    }
  }

  async complete(permit: Permit, goOn: (walk: ErasureWalk) => boolean): Promise<number[]> {
    const { table, clock } = this.#parts;
    const [key, now] = [accountKeys.erasureWalk(), clock.now()];
    const taken = (await table.get(key))?.data.taken_until;
    if (taken !== undefined && awaits(taken, now)) return [];
    const accounts = async () => {
      const free: number[] = [];
      for await (const { data } of allItems(table, { ...accountKeys.unfinishedErasures(), consistent: true })) {
        const due = data.moves_at ?? data.free_at;
        const isFree = due !== NEVER && !awaits(due, now);
        if (isFree && free.push(data.account_id) === MOST_TOGETHER) break;
      }
      return free;
    };
    return [...(await this.#walk(permit, { key, accounts, goOn, isAlone: true })).keys()];
  }

  async walk(): Promise<ErasureWalk | undefined> {
    return (await this.#parts.table.get(accountKeys.erasureWalk()))?.data;
  }

  async unfinished(limit: number): Promise<UnfinishedErasure[]> {
    const items = await firstItems(this.#parts.table, { ...accountKeys.unfinishedErasures(), consistent: true }, limit);
    return items.map(({ data }) => data);
  }

  /**
   * Continues or starts a scan, and returns the accounts that it erased. Each page is finished before its end is
   * stored, and the tombstone keeps deleted records from coming back. With `isAlone`, the scan ends if another process
   * takes over.
   */
  async #walk(
    permit: Permit,
    { key, accounts, goOn, isAlone = false }: WalkInput,
  ): Promise<Map<number, ErasureCounts>> {
    const { table, clock, tableScan } = this.#parts;
    const erased = new Map<number, ErasureCounts>();
    const item = await table.get(key);
    const began_at = clock.now();
    const begun = { accounts: [], after: null, entries: 0, began_at };
    let walk: ErasureWalk = { ...begun, ...item?.data, walked_at: began_at, taken_until: began_at };
    if (walk.accounts.length === 0) walk = { ...walk, ...begun, accounts: await accounts() };
    if (walk.accounts.length === 0) return erased;
    let version = item?.version ?? null;
    const isKept = async (change: Partial<ErasureWalk>, seconds = WALK_RESTS_SECONDS): Promise<boolean> => {
      const now = clock.now();
      walk = { ...walk, ...change, walked_at: now, taken_until: toInstant(millis(now) + seconds * 1000) };
      const isWritten = await table.put(itemOf(key, walk), ifUnchanged(version));
      if (isWritten) version = (await table.get(key))?.version ?? null;
      return isWritten || !isAlone;
    };
    if (!(await isKept({}))) return erased;
    const sweeps = new ErasureSweeps(this.#parts, permit);
    for (const id of walk.accounts) await sweeps.begin(id, await this.#moveOf(id));
    for (let next: string | undefined, more = true; more; more = next !== undefined) {
      const page = await tableScan.dump(0, walk.after ?? undefined);
      const lacking = await sweeps.page(page.entries);
      next = page.next;
      // An account whose tickets were not known waits for the next walk, which compares their files with all others.
      const ready = walk.accounts.filter((id) => !lacking.some(({ account_id }) => account_id === id));
      const entries = walk.entries + page.entries.length;
      if (!(await isKept({ accounts: ready, after: next ?? walk.after, entries }))) return erased;
      for (const { account_id, id } of lacking) {
        await table.put(itemOf(supportKeys.ticketOf(account_id, id), { ticket_id: id, has_files: true }));
      }
      if (next !== undefined && !goOn(walk)) {
        await isKept({}, 0);
        return erased;
      }
    }
    if (walk.accounts.length > 0) await sweeps.events();
    for (const id of walk.accounts) erased.set(id, await this.#finish(id, sweeps));
    await table.remove(key);
    return erased;
  }

  async #moveOf(account_id: number): Promise<AccountMove | undefined> {
    const heir = (await this.#parts.table.get(accountKeys.erasure(account_id)))?.data.merged_into;
    return heir === undefined ? undefined : new AccountMove(this.#parts, account_id, heir);
  }

  async #finish(account_id: number, sweeps: ErasureSweeps): Promise<ErasureCounts> {
    const { table, clock } = this.#parts;
    const counts = await sweeps.finish(account_id);
    const mark = await table.get(accountKeys.erasure(account_id));
    if (mark) await table.put(itemOf(accountKeys.erasure(account_id), { ...mark.data, finished_at: clock.now() }));
    await table.remove(accountKeys.unfinishedErasure(account_id));
    await table.remove(accountKeys.erasureWalk(account_id));
    return counts;
  }
}
