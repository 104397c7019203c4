import type { Permit } from '../../domain/access/permit.ts';
import { type Account, normalizedEmail } from '../../domain/accounts/account.ts';
import type { Erasure } from '../../domain/accounts/erasure.ts';
import { type Subject, savedEvent } from '../../domain/audit/event.ts';
import type { NewMessages } from '../../domain/mail/message.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { Accounts, Revised } from '../../ports/outbound/accounts.ts';
import { type AccountPointer, accountKeys } from './keys/accounts.ts';
import { everyShard, ifUnchanged, itemOf, merged, notErased, recordsOf, recordsOfShards } from './records.ts';
import { Audited } from './repository.ts';
import type { Item } from './table.ts';
import { MAX_BATCH } from './table-checks.ts';
import type { TypedWrite } from './typed-table.ts';

/** An account's records as they were read before a write. */
type AccountItems = {
  readonly profile: Item<Account> | undefined;
  readonly owner: Item<AccountPointer> | undefined;
  readonly erasure: Item | undefined;
};

const subjectOf = (id: number): Subject => ({ kind: 'account', id, account_id: id });

/**
 * Each account has an item under its e-mail address, which makes the address unique, and one in the list of accounts.
 */
export class StoredAccounts extends Audited implements Accounts {
  async get(id: number): Promise<Account | undefined> {
    return (await this.table.get(accountKeys.account(id)))?.data;
  }

  async findByEmail(email: string): Promise<Account | undefined> {
    const owner = await this.table.get(accountKeys.byEmail(normalizedEmail(email)));
    return owner && this.get(owner.data.account_id);
  }

  async erasure(id: number): Promise<Erasure | undefined> {
    return (await this.table.get(accountKeys.erasure(id)))?.data;
  }

  async save(
    permit: Permit,
    account: Account,
  ): Promise<'created' | 'updated' | 'unchanged' | 'email_taken' | 'erased'> {
    const read = await this.#read(account);
    if (read.erasure) return 'erased';
    if (read.profile && isSameJson(read.profile.data, account)) return 'unchanged';
    const written = await this.#write(permit, account, read);
    if (written === 'email_taken') return written;
    if (written === 'written') return read.profile ? 'updated' : 'created';
    return this.save(permit, account);
  }

  async revise(permit: Permit, before: Account, after: Account, messages: NewMessages): Promise<Revised> {
    const read = await this.#read(after);
    if (!read.profile || !isSameJson(read.profile.data, before)) return 'changed';
    const written = await this.#write(permit, after, read, messages);
    return written === 'written' ? 'updated' : written;
  }

  /** The account as it is stored, and the owner of its new address. */
  async #read(account: Account): Promise<AccountItems> {
    const [profile, owner, erasure] = await this.table.getMany([
      accountKeys.account(account.id),
      accountKeys.byEmail(normalizedEmail(account.email)),
      accountKeys.erasure(account.id),
    ]);
    return { profile, owner, erasure };
  }

  async #write(permit: Permit, account: Account, { profile, owner }: AccountItems, messages: NewMessages = []) {
    if (owner && owner.data.account_id !== account.id) return 'email_taken';
    const email = normalizedEmail(account.email);
    const formerEmail = profile && normalizedEmail(profile.data.email);
    const writes: TypedWrite[] = [
      { put: itemOf(accountKeys.account(account.id), account), condition: ifUnchanged(profile?.version ?? null) },
      notErased(account.id),
      { put: itemOf(accountKeys.listing(account.id), { account_id: account.id }) },
      this.trail.entry(permit, savedEvent(subjectOf(account.id), profile?.data, account)),
      ...this.messageWrites(permit, messages),
    ];
    if (!owner) {
      const put = itemOf(accountKeys.byEmail(email), { account_id: account.id });
      writes.push({ put, condition: { absent: true } });
    }
    if (formerEmail !== undefined && formerEmail !== email) writes.push({ remove: accountKeys.byEmail(formerEmail) });
    return (await this.table.transact(writes)) ? 'written' : 'changed';
  }

  async any(): Promise<Account | undefined> {
    for await (const { account_id } of recordsOfShards(this.table, accountKeys.listed, 1)) return this.get(account_id);
    return undefined;
  }

  async *list(after = 0): AsyncGenerator<Account> {
    const from = Number.isSafeInteger(after) ? after + 1 : Number.MAX_SAFE_INTEGER;
    const shards = everyShard((shard) =>
      recordsOf(this.table, { ...accountKeys.listed(shard, from), limit: MAX_BATCH }),
    );
    let ids: number[] = [];
    for await (const { account_id } of merged(shards, (a, b) => a.account_id - b.account_id)) {
      ids.push(account_id);
      if (ids.length === MAX_BATCH) {
        yield* this.#named(ids);
        ids = [];
      }
    }
    yield* this.#named(ids);
  }

  async *#named(ids: readonly number[]): AsyncGenerator<Account> {
    const items = ids.length === 0 ? [] : await this.table.getMany(ids.map(accountKeys.account));
    for (const item of items) if (item) yield item.data;
  }
}
