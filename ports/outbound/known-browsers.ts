import type { KnownBrowser } from '../../domain/sign-in/known-browser.ts';

/** Browsers that signed in before. What signs somebody in comes before every gate, so that it needs no permit. */
export interface KnownBrowsers {
  find(hash: string): Promise<KnownBrowser | undefined>;
  save(browser: KnownBrowser): Promise<void>;
  /** Forgets the browser with this hash; does nothing where there is none. */
  forget(hash: string): Promise<void>;
}
