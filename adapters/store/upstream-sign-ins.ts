import type { UpstreamIdentity, UpstreamSignIn } from '../../domain/sign-in/upstream-sign-in.ts';
import type { UpstreamLinks, UpstreamSignIns } from '../../ports/outbound/upstream-provider.ts';
import { expiryAt } from './expiry.ts';
import { itemOf } from './item-of.ts';
import { signInKeys } from './keys/sign-in.ts';
import { notErased } from './not-erased.ts';
import type { Table } from './table.ts';

/** Keeps each sign-in at the upstream provider until it is finished or expires. */
export class StoredUpstreamSignIns implements UpstreamSignIns {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async save(signIn: UpstreamSignIn): Promise<void> {
    await this.#table.put(itemOf(signInKeys.upstreamSignIn(signIn.hash), signIn, expiryAt(signIn.expires_at)));
  }

  async take(hash: string): Promise<UpstreamSignIn | undefined> {
    const key = signInKeys.upstreamSignIn(hash);
    const item = await this.#table.get(key);
    return item && (await this.#table.remove(key, { version: item.version })) ? item.data : undefined;
  }
}

/** Keeps the account of each identity, for good. */
export class StoredUpstreamLinks implements UpstreamLinks {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async find({ issuer, subject }: Pick<UpstreamIdentity, 'issuer' | 'subject'>): Promise<number | undefined> {
    return (await this.#table.get(signInKeys.upstreamLink(issuer, subject)))?.data.account_id;
  }

  async isTaken(accountId: number, issuer: string): Promise<boolean> {
    return (await this.#table.get(signInKeys.upstreamOfAccount(accountId, issuer))) !== undefined;
  }

  add({ issuer, subject }: Pick<UpstreamIdentity, 'issuer' | 'subject'>, account_id: number): Promise<boolean> {
    return this.#table.transact([
      notErased(account_id),
      { put: itemOf(signInKeys.upstreamLink(issuer, subject), { account_id }), condition: { absent: true } },
      { put: itemOf(signInKeys.upstreamOfAccount(account_id, issuer), { account_id }), condition: { absent: true } },
    ]);
  }
}
