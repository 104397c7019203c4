import type { KnownBrowser } from '../../domain/sign-in/known-browser.ts';

/** Browsers that signed in before. What signs somebody in comes before every gate, so that it needs no permit. */
export interface KnownBrowsers {
  find(hash: string): Promise<KnownBrowser | undefined>;
  /** The known browsers of an account, in no order. */
  of(accountId: number): Promise<KnownBrowser[]>;
  save(browser: KnownBrowser): Promise<void>;
  /** Forgets the browser; does nothing where it is forgotten already. */
  forget(browser: KnownBrowser): Promise<void>;
}
