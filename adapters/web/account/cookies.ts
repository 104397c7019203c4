import { parseCookie, stringifySetCookie } from 'cookie';
import { KNOWN_BROWSER_DAYS, SESSION_DAYS } from '../../../domain/sign-in/session.ts';

const DAY_SECONDS = 86_400;

/**
 * The cookies of the pages, with the seconds for which a browser keeps each; undefined keeps it until the browser ends.
 * `session`: the sign-in. `form`: the secret behind the forms of visitors. `once`: the secret that lets a form create a
 * key once. `known`: tells that the browser signed in before. `upstream`: a sign-in at the upstream provider. `asked`:
 * the address that asked for a sign-in link, and the path to continue to.
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

/** The cookies that a browser sent; a cookie of another name or too long is left out. */
export type SentCookies = Readonly<Partial<Record<CookieName, string>>>;

/** The most characters of a cookie. Only `asked` may have as many. */
export const LONGEST_COOKIE = 1024;

/** Reads and writes the cookies of a host. `isSecure` is true if the host is reached by https. */
export class Cookies {
  readonly #isSecure: boolean;

  constructor(isSecure: boolean) {
    this.#isSecure = isSecure;
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

  /** The Set-Cookie header that gives the cookie a value. */
  set(name: CookieName, value: string): string {
    return this.#stringify(name, value, COOKIES[name]);
  }

  /** The Set-Cookie header that removes the cookie. */
  clear(name: CookieName): string {
    return this.#stringify(name, '', 0);
  }

  /** A browser takes a cookie with `__Host-` from this very host only, never from a sibling, and over https only. */
  #nameOf(name: CookieName): string {
    return `${this.#isSecure ? '__Host-' : ''}account-${name}`;
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
