import type { KnownBrowser } from '../../domain/sign-in/known-browser.ts';
import type { KnownBrowsers } from '../../ports/outbound/known-browsers.ts';
import { expiryAt } from './expiry.ts';
import { itemOf } from './item-of.ts';
import { signInKeys } from './keys/sign-in.ts';
import type { Table } from './table.ts';

/** Keeps each known browser until it is forgotten. */
export class StoredKnownBrowsers implements KnownBrowsers {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async find(hash: string): Promise<KnownBrowser | undefined> {
    return (await this.#table.get(signInKeys.knownBrowser(hash)))?.data;
  }

  async save(browser: KnownBrowser): Promise<void> {
    await this.#table.put(itemOf(signInKeys.knownBrowser(browser.hash), browser, expiryAt(browser.expires_at)));
  }

  async forget(hash: string): Promise<void> {
    await this.#table.remove(signInKeys.knownBrowser(hash));
  }
}
