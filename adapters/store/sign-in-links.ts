import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import type { SignInLink } from '../../domain/sign-in/sign-in-link.ts';
import type { SignInLinks } from '../../ports/outbound/sign-in-links.ts';
import type { Audited, AuditTrail } from './audit-trail.ts';
import { expiryAt } from './expiry.ts';
import { itemOf } from './item-of.ts';
import { signInKeys } from './keys/sign-in.ts';
import { notErased } from './not-erased.ts';
import type { Table } from './table.ts';

/** Keeps each one-time link until it is used or expires. */
export class StoredSignInLinks implements SignInLinks {
  readonly #table: Table;
  readonly #trail: AuditTrail;

  constructor({ table, auditTrail }: Audited) {
    this.#table = table;
    this.#trail = auditTrail;
  }

  async find(hash: string): Promise<SignInLink | undefined> {
    return (await this.#table.get(signInKeys.link(hash)))?.data;
  }

  async save(permit: Permit, link: SignInLink): Promise<void> {
    const { account_id, hash, expires_at } = link;
    const event = auditEvent({ kind: 'account', id: account_id, account_id }, 'link_created');
    const written = await this.#table.transact([
      { put: itemOf(signInKeys.link(hash), link, expiryAt(expires_at)), condition: { absent: true } },
      notErased(account_id),
      this.#trail.entry(permit, event),
    ]);
    if (!written)
      throw new Error(
        `The sign-in link of account ${account_id} is there already, or the account was erased meanwhile.`,
      );
  }

  async use({ hash }: SignInLink): Promise<boolean> {
    const item = await this.#table.get(signInKeys.link(hash));
    return item !== undefined && this.#table.remove(signInKeys.link(hash), { version: item.version });
  }
}
