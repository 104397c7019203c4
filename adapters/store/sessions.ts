import { type Session, sessionEnd } from '../../domain/sign-in/session.ts';
import type { Sessions } from '../../ports/outbound/sessions.ts';
import { expiryAt } from './expiry.ts';
import { itemOf } from './item-of.ts';
import { signInKeys } from './keys/sign-in.ts';
import { notErased } from './not-erased.ts';
import { allRecords } from './records.ts';
import type { Table } from './table.ts';

/** A session has an item under its hash, which a request reads, and one in its account's partition, for the list. */
const itemsOf = (session: Session) => {
  const expiry = expiryAt(sessionEnd(session));
  return {
    own: itemOf(signInKeys.session(session.hash), session, expiry),
    listed: itemOf(signInKeys.sessionOfAccount(session.account_id, session.id), session, expiry),
  };
};

/** Keeps each session until it ends. */
export class StoredSessions implements Sessions {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async find(hash: string): Promise<Session | undefined> {
    return (await this.#table.get(signInKeys.session(hash)))?.data;
  }

  of(accountId: number): Promise<Session[]> {
    return allRecords(this.#table, signInKeys.sessions(accountId));
  }

  async add(session: Session): Promise<void> {
    const { own, listed } = itemsOf(session);
    await this.#table.transact([notErased(session.account_id), { put: own }, { put: listed }]);
  }

  async touch(session: Session): Promise<void> {
    const { own, listed } = itemsOf(session);
    const there = await this.#table.get(signInKeys.session(session.hash));
    if (there) await this.#table.transact([{ put: own, condition: { version: there.version } }, { put: listed }]);
  }

  async end({ hash, account_id, id }: Session): Promise<void> {
    await this.#table.transact([
      { remove: signInKeys.session(hash) },
      { remove: signInKeys.sessionOfAccount(account_id, id) },
    ]);
  }
}
