import { isDeepStrictEqual } from 'node:util';
import { type Account, normalizedEmail } from '../../domain/accounts/account.ts';
import type { Accounts } from '../../ports/outbound/accounts.ts';
import { keys, SHARDS } from './keys.ts';
import { allItems } from './records.ts';
import type { Table, Write } from './table.ts';

/** Accounts, with an item per e-mail address that makes it unique, and one that lists the account. */
export class StoredAccounts implements Accounts {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async get(id: number): Promise<Account | undefined> {
    return (await this.#table.get(keys.account(id)))?.data;
  }

  async findByEmail(email: string): Promise<Account | undefined> {
    const owner = await this.#table.get(keys.accountByEmail(normalizedEmail(email)));
    return owner && this.get(owner.data.account_id);
  }

  async save(account: Account): Promise<'created' | 'updated' | 'unchanged' | 'email_taken'> {
    const email = normalizedEmail(account.email);
    const [profile, owner] = await this.#table.getMany([keys.account(account.id), keys.accountByEmail(email)]);
    if (profile && isDeepStrictEqual(profile.data, { ...account })) return 'unchanged';
    if (owner && owner.data.account_id !== account.id) return 'email_taken';
    const formerEmail = profile && normalizedEmail(profile.data.email);
    const writes: Write[] = [
      {
        put: { ...keys.account(account.id), data: account },
        condition: profile ? { version: profile.version } : { absent: true },
      },
      { put: { ...keys.accountListing(account.id), data: { account_id: account.id } } },
    ];
    if (!owner) {
      writes.push({
        put: { ...keys.accountByEmail(email), data: { account_id: account.id } },
        condition: { absent: true },
      });
    }
    if (formerEmail !== undefined && formerEmail !== email) writes.push({ remove: keys.accountByEmail(formerEmail) });
    if (await this.#table.transact(writes)) return profile ? 'updated' : 'created';
    return this.save(account);
  }

  async *list(): AsyncGenerator<Account> {
    const ids: number[] = [];
    for (let shard = 0; shard < SHARDS; shard++) {
      for await (const item of allItems(this.#table, keys.accountShard(shard))) ids.push(item.data.account_id);
    }
    ids.sort((a, b) => a - b);
    for (let at = 0; at < ids.length; at += 100) {
      const page = await this.#table.getMany(ids.slice(at, at + 100).map(keys.account));
      for (const item of page) if (item) yield item.data;
    }
  }
}
