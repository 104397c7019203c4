import { isKnownTo, newKnownBrowser } from '../../domain/sign-in/known-browser.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Digest } from '../../ports/outbound/digest.ts';
import type { KnownBrowsers } from '../../ports/outbound/known-browsers.ts';
import type { Secrets } from '../../ports/outbound/secrets.ts';
import { isSecret } from './is-secret.ts';

type Ports = { knownBrowsers: KnownBrowsers; secrets: Secrets; digest: Digest; clock: Clock };

/**
 * Remembers a browser that has just signed in to an account, and returns the value of the cookie that it is known by.
 * The value replaces the browser's former one for the same account, if `former` names one.
 */
export class RememberBrowser {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(accountId: number, former: string | null = null): Promise<string> {
    const { knownBrowsers, secrets, digest, clock } = this.#ports;
    const now = clock.now();
    const value = secrets.value();
    await knownBrowsers.save(newKnownBrowser(digest.sha256(value), accountId, now));
    if (isSecret(former)) {
      const hash = digest.sha256(former);
      if (isKnownTo(await knownBrowsers.find(hash), accountId, now)) await knownBrowsers.forget(hash);
    }
    return value;
  }
}
