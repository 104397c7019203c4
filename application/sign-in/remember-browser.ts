import { browsersToForget, isKnownTo, newKnownBrowser } from '../../domain/sign-in/known-browser.ts';
import type { Session } from '../../domain/sign-in/session.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { isSecret } from './is-secret.ts';

export type Ports = Needs<'clock' | 'digest' | 'knownBrowsers' | 'secrets' | 'sessions'>;

/**
 * Remembers a browser that has just signed in, and returns the value of the cookie that it is known by. The value
 * replaces the browser's former one for the same account, if `former` names one. An account has `MOST_KNOWN_BROWSERS`.
 */
export const rememberBrowser =
  ({ knownBrowsers, sessions, secrets, digest, clock }: Ports) =>
  async ({ hash, account_id }: Pick<Session, 'hash' | 'account_id'>, former: string | null = null): Promise<string> => {
    const now = clock.now();
    const value = secrets.value();
    const browser = newKnownBrowser(digest.sha256(value), account_id, now);
    await knownBrowsers.save(browser);
    const replaced = isSecret(former) ? await knownBrowsers.find(digest.sha256(former)) : undefined;
    if (replaced && isKnownTo(replaced, account_id, now)) await knownBrowsers.forget(replaced);
    const beyond = browsersToForget(await knownBrowsers.of(account_id));
    // A change of the password ends the sessions first and then forgets the browsers that it finds, so a browser that
    // was remembered meanwhile is forgotten here.
    const hasEnded = (await sessions.find(hash)) === undefined;
    await Promise.all([...beyond, ...(hasEnded ? [browser] : [])].map((one) => knownBrowsers.forget(one)));
    return value;
  };

export type RememberBrowser = ReturnType<typeof rememberBrowser>;
