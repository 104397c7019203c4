import { domainToUnicode } from 'node:url';
import type { Permit } from '../../domain/access/permit.ts';
import { type Account, formerEmails } from '../../domain/accounts/account.ts';
import { addressKey, canonicalAddress, formerAddress, isSameAddress } from '../../domain/accounts/address.ts';
import type { Erasure } from '../../domain/accounts/erasure.ts';
import { type Subject, savedEvent } from '../../domain/audit/event.ts';
import type { NewMessages } from '../../domain/mail/message.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { Accounts, Revised } from '../../ports/outbound/accounts.ts';
import { type AccountPointer, accountKeys } from './keys/accounts.ts';
import {
  everyShard,
  firstItems,
  ifUnchanged,
  itemOf,
  merged,
  notErased,
  recordsOf,
  recordsOfShards,
} from './records.ts';
import { Audited } from './repository.ts';
import type { Item } from './table.ts';
import { MAX_BATCH } from './table-checks.ts';
import type { TypedTable, TypedWrite } from './typed-table.ts';

/** An account's records as read before a write. */
type AccountItems = {
  readonly profile: Item<Account> | undefined;
  /** The pointer under the new address in its current form. */
  readonly owner: Item<AccountPointer> | undefined;
  /** True if any form of the new address leads to another account. */
  readonly isTaken: boolean;
  readonly erasure: Item | undefined;
};

/** ASCII in the full-width characters of East Asian keyboards. */
const wide = (text: string): string =>
  text.replace(/[!-~]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0));

/**
 * The keys under which an account with this address may be stored; the current form and its original spelling come
 * first. The previous version kept internationalized domains in Unicode, and full-width letters.
 */
const addressKeys = (email: string): string[] => {
  const canonical = canonicalAddress(email);
  if (canonical === null) return [formerAddress(email)];
  const [local = '', domain = ''] = canonical.split('@');
  const domains = [domain, domainToUnicode(domain)];
  const formed = [local, wide(local)].flatMap((part) => domains.map((one) => `${part}@${one}`));
  return [...new Set([formerAddress(email), canonical, ...formed])];
};

/** The write that lists an account for searches by the beginning of its address. */
export const addressListing = ({ id, email }: Pick<Account, 'id' | 'email'>): TypedWrite => ({
  put: itemOf(accountKeys.addressed(addressKey(email), id), { account_id: id }),
});

/** The writes that free each form of an account's address, or point it to an heir. */
export const leavesAddress = async (
  table: TypedTable,
  { id, email }: Account,
  heir?: number,
): Promise<TypedWrite[]> => {
  const keys = addressKeys(email).map(accountKeys.byEmail);
  const items = await table.getMany(keys);
  return [
    { remove: accountKeys.addressed(addressKey(email), id) },
    ...(heir === undefined ? [] : [addressListing({ id: heir, email })]),
    ...keys.flatMap((key, n): TypedWrite[] => {
      const item = items[n];
      if (item?.data.account_id !== id) return [];
      const write = heir === undefined ? { remove: key } : { put: itemOf(key, { account_id: heir }) };
      return [{ ...write, condition: { version: item.version } }];
    }),
  ];
};

const subjectOf = (id: number): Subject => ({ kind: 'account', id, account_id: id });

/**
 * Each account has an item under its email address, which makes the address unique, and one in the list of accounts.
 * The key is the address in canonical form. The previous version used another form, which look-ups also try: its
 * original spelling first, so that two accounts that now count as one mailbox are both found until they are merged. A
 * new address is refused if either form leads to another account, and the next write of an account adds the current
 * key. Until then, an old spelling that mixes widths, or has non-Latin capitals, finds the account only if it is exact;
 * "doctor" lists those.
 */
export class StoredAccounts extends Audited implements Accounts {
  async get(id: number): Promise<Account | undefined> {
    return (await this.table.get(accountKeys.account(id)))?.data;
  }

  async findByEmail(email: string): Promise<Account | undefined> {
    const owners = await this.table.getMany(addressKeys(email).map(accountKeys.byEmail));
    const owner = owners.find((one) => one !== undefined);
    return owner && this.get(owner.data.account_id);
  }

  async beginningWith(text: string, limit: number): Promise<Account[]> {
    const beginning = text.trim().normalize('NFKC').toLowerCase();
    const found = await firstItems(this.table, accountKeys.addressedFrom(beginning), limit);
    const ids = [...new Set(found.map(({ data }) => data.account_id))];
    return Array.fromAsync(this.#named(ids));
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

  /** The stored account, and the owner of its new address. */
  async #read(account: Account): Promise<AccountItems> {
    const { id, email } = account;
    const keys = addressKeys(email);
    const [[profile, erasure], owners] = await Promise.all([
      this.table.getMany([accountKeys.account(id), accountKeys.erasure(id)]),
      this.table.getMany(keys.map(accountKeys.byEmail)),
    ]);
    const isTaken = owners.some((one) => one && one.data.account_id !== id);
    return { profile, erasure, owner: owners[keys.indexOf(addressKey(email))], isTaken };
  }

  async #write(permit: Permit, account: Account, read: AccountItems, messages: NewMessages = []) {
    const { profile, owner, isTaken } = read;
    const isMoved = !profile || !isSameAddress(profile.data.email, account.email);
    // Two accounts of the previous version may now count as one mailbox; each keeps its records.
    if (isMoved && isTaken) return 'email_taken';
    const kept = profile && isMoved ? { ...account, former_emails: formerEmails(profile.data, account) } : account;
    const writes: TypedWrite[] = [
      { put: itemOf(accountKeys.account(account.id), kept), condition: ifUnchanged(profile?.version ?? null) },
      notErased(account.id),
      { put: itemOf(accountKeys.listing(account.id), { account_id: account.id }) },
      addressListing(account),
      this.trail.entry(permit, savedEvent(subjectOf(account.id), profile?.data, account)),
      ...this.messageWrites(permit, messages),
    ];
    if (!owner) {
      const put = itemOf(accountKeys.byEmail(addressKey(account.email)), { account_id: account.id });
      writes.push({ put, condition: { absent: true } });
    }
    if (profile && isMoved) writes.push(...(await leavesAddress(this.table, profile.data)));
    return (await this.table.transact(writes)) ? 'written' : 'changed';
  }

  async any(): Promise<Account | undefined> {
    for await (const { account_id } of recordsOfShards(this.table, accountKeys.listed, 1)) return this.get(account_id);
    return undefined;
  }

  async *list(after = 0, newestFirst = false): AsyncGenerator<Account> {
    const id = Number.isSafeInteger(after) ? after : Number.MAX_SAFE_INTEGER;
    const shards = everyShard((shard) =>
      recordsOf(this.table, { ...accountKeys.listed(shard, id, newestFirst), limit: MAX_BATCH }),
    );
    let ids: number[] = [];
    for await (const { account_id } of merged(shards, (a, b) =>
      newestFirst ? b.account_id - a.account_id : a.account_id - b.account_id,
    )) {
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
