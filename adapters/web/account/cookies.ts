import { parseCookie, stringifySetCookie } from 'cookie';
import { KNOWN_BROWSER_DAYS, SESSION_DAYS } from '../../../domain/sign-in/session.ts';
import type { Site } from './site.ts';

const DAY_SECONDS = 86_400;

/**
 * The cookies of the pages, with their lifetimes in seconds; undefined means until the browser closes. `session`: the
 * sign-in. `form`: the secret that binds the forms of visitors. `once`: the secret with which a form creates a key only
 * once. `known`: marks a browser that signed in before. `upstream`: a sign-in at the upstream provider. `asked`: the
 * email address that requested a sign-in link, and the path to continue to.
 */
const COOKIES = {
  session: SESSION_DAYS * DAY_SECONDS,
  form: undefined,
  once: undefined,
  known: KNOWN_BROWSER_DAYS * DAY_SECONDS,
  upstream: 900,
  asked: 3600,
  language: 365 * DAY_SECONDS,
} as const;
export type CookieName = keyof typeof COOKIES;

/** The cookies that a browser sent. Unknown or oversized cookies are dropped. */
export type SentCookies = Readonly<Partial<Record<CookieName, string>>>;

/** The maximum length of a cookie. Only `asked` may be that long. */
export const LONGEST_COOKIE = 1024;

/** Reads and writes the cookies of a site. */
export class Cookies {
  readonly #isSecure: boolean;
  readonly #prefix: string;

  constructor({ url, cookies }: Pick<Site, 'url' | 'cookies'>) {
    this.#isSecure = url.startsWith('https:');
    this.#prefix = `${this.#isSecure ? '__Host-' : ''}${cookies}`;
  }

  read(header: string | undefined): SentCookies {
    if (header === undefined) return {};
    const sent = parseCookie(header);
    return Object.fromEntries(
      Object.keys(COOKIES).flatMap((name) => {
        const value = sent[this.#nameOf(name as CookieName)];
        return value === undefined || value === '' || value.length > LONGEST_COOKIE ? [] : [[name, value]];
      }),
    );
  }

  set(name: CookieName, value: string): string {
    return this.#stringify(name, value, COOKIES[name]);
  }

  clear(name: CookieName): string {
    return this.#stringify(name, '', 0);
  }

  /** A browser accepts a cookie with `__Host-` only from this very host, never from a sibling, and only over https. */
  #nameOf(name: CookieName): string {
    return `${this.#prefix}-${name}`;
  }

  #stringify(name: CookieName, value: string, maxAge: number | undefined): string {
    return stringifySetCookie({
      name: this.#nameOf(name),
      value,
      httpOnly: true,
      sameSite: 'lax',
      path: '/',
      secure: this.#isSecure,
      ...(maxAge === undefined ? {} : { maxAge }),
    });
  }
}
