import type { Permit } from '../../domain/access/permit.ts';
import type { SignInLink } from '../../domain/sign-in/sign-in-link.ts';
import type { SignInLinks } from '../../ports/outbound/sign-in-links.ts';
import { expiryAt } from './expiry.ts';
import { itemOf } from './item-of.ts';
import { signInKeys } from './keys/sign-in.ts';
import type { Table } from './table.ts';

/** Keeps each one-time link until it is used or expires. */
export class StoredSignInLinks implements SignInLinks {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async find(hash: string): Promise<SignInLink | undefined> {
    return (await this.#table.get(signInKeys.link(hash)))?.data;
  }

  async save(_permit: Permit, link: SignInLink): Promise<void> {
    await this.#table.put(itemOf(signInKeys.link(link.hash), link, expiryAt(link.expires_at)));
  }

  async use({ hash }: SignInLink): Promise<boolean> {
    const item = await this.#table.get(signInKeys.link(hash));
    return item !== undefined && this.#table.remove(signInKeys.link(hash), { version: item.version });
  }
}
