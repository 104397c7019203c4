import { type AccountPrincipal, type MemberPrincipal, principalOfSession } from '../../../domain/access/principal.ts';
import type { Allowance } from '../../../domain/accounts/account.ts';
import { type Language, languagesOf } from '../../../domain/shared/language.ts';
import type { Locale } from '../../../domain/shared/locale.ts';
import type { Place, Session } from '../../../domain/sign-in/session.ts';
import type { Shop } from './shop.ts';

/** The facts in which the sites that people sign in to differ: the buyers' pages, and the shop's console. */
export type Site = {
  /** The public URL, without a path or a slash at the end. */
  readonly url: string;
  /** The place of its sessions, one-time links and passkeys; absent for the buyers' pages. */
  readonly place?: Place;
  /** The prefix of the cookies' names. Browsers send one host's cookies to all of its ports. */
  readonly cookies: string;
  /** The page after a sign-in that named no other, and after the first sign-in by a link. */
  readonly home: string;
  readonly welcome: string;
  /** The pages in the menu of the signed-in person. */
  readonly menu: readonly ('profile' | 'security')[];
  /** The maximum size of the forms of signed-in people in bytes; 16 KiB if absent. */
  readonly formBytes?: number;
  /** True if the pages link to the shop's own pages for buyers. */
  readonly isPublic: boolean;
  /** The words in which it differs from the buyers' pages. */
  readonly words?: Readonly<Record<Locale, { readonly brand: string; readonly signIn: string }>>;
  readonly languages: (shop: Shop) => readonly Language[];
  /** The caller of a live session; null if the site is closed to its account. */
  readonly principalOf: (session: Session & Allowance) => AccountPrincipal | Promise<MemberPrincipal | null>;
};

/** The buyers' pages. With `password`, a first sign-in by a link continues to the form that sets one. */
export const accountSite = (url: string, password: boolean): Site => ({
  url,
  cookies: 'account',
  home: '/library',
  welcome: password ? '/security/password?first=1' : '/library',
  menu: ['profile', 'security'],
  isPublic: true,
  languages: ({ storefront }) => languagesOf(storefront),
  principalOf: principalOfSession,
});
