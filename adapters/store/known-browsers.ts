import type { KnownBrowser } from '../../domain/sign-in/known-browser.ts';
import type { KnownBrowsers } from '../../ports/outbound/known-browsers.ts';
import { expiryAt } from './expiry.ts';
import { itemOf } from './item-of.ts';
import { signInKeys } from './keys/sign-in.ts';
import { notErased } from './not-erased.ts';
import { allRecords } from './records.ts';
import type { Table } from './table.ts';

/**
 * Keeps each known browser until it is forgotten: an item under its hash, and one in its account's partition, for the
 * list.
 */
export class StoredKnownBrowsers implements KnownBrowsers {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async find(hash: string): Promise<KnownBrowser | undefined> {
    return (await this.#table.get(signInKeys.knownBrowser(hash)))?.data;
  }

  of(accountId: number): Promise<KnownBrowser[]> {
    return allRecords(this.#table, signInKeys.knownBrowsers(accountId));
  }

  async save(browser: KnownBrowser): Promise<void> {
    const { hash, account_id, expires_at } = browser;
    await this.#table.transact([
      notErased(account_id),
      { put: itemOf(signInKeys.knownBrowser(hash), browser, expiryAt(expires_at)) },
      { put: itemOf(signInKeys.knownBrowserOfAccount(account_id, hash), browser, expiryAt(expires_at)) },
    ]);
  }

  async forget({ hash, account_id }: KnownBrowser): Promise<void> {
    await this.#table.transact([
      { remove: signInKeys.knownBrowser(hash) },
      { remove: signInKeys.knownBrowserOfAccount(account_id, hash) },
    ]);
  }
}
