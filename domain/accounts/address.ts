import { type Outcome, ok, type Refused, refuse } from '../shared/outcome.ts';

/** The maximum length of an email address, and of its part before the `@` (RFC 5321, section 4.5.3.1). */
export const LONGEST_EMAIL = 254;
const LONGEST_LOCAL = 64;

/** Invisible characters, such as the soft hyphen and the zero-width space. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/u;

/** The part before the `@` that any mail server accepts without quotes (RFC 5321, `Dot-string`). */
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;

/**
 * Letters, digits, hyphens and dots of any script. The URL parser alone would also accept ports, escapes and the like.
 */
const TYPED_DOMAIN = /^[\p{L}\p{M}\p{N}.．。｡－-]+$/u;

/** At least two labels; the last one is not a number, as in an IP address. */
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/**
 * The canonical form of an email address, by which accounts are found and unique, attempts and mails are counted, and
 * mail is sent. Null for a text without one, which is refused wherever an address is accepted. Spellings of a mailbox
 * that the standards treat as equal have one form: full-width letters become plain ones (NFKC), capitals lower case,
 * and an international domain its ASCII form (UTS 46, as in the URL standard). Nothing else is normalized: invisible
 * characters, quotes, comments, display names, IP addresses and hosts without a domain are refused. A look-alike letter
 * of another script is refused before the `@`, and makes a different domain after it.
 */
export const canonicalAddress = (text: string): string | null => {
  const typed = text.trim();
  if (typed.length > LONGEST_EMAIL || UNSEEN.test(typed)) return null;
  const [part = '', domain = '', ...more] = typed.split(/[@＠]/);
  const local = part.normalize('NFKC');
  if (more.length > 0 || !LOCAL.test(local) || local.length > LONGEST_LOCAL || !TYPED_DOMAIN.test(domain)) return null;
  const host = URL.parse(`http://${domain}`)?.hostname ?? '';
  const address = `${local.toLowerCase()}@${host}`;
  return DOMAIN.test(host) && address.length <= LONGEST_EMAIL ? address : null;
};

const MALFORMED: Refused<'email_malformed'> = refuse('email_malformed', {
  message: 'This is not a valid email address; write it as name@example.com.',
});

/** The canonical form of a typed address. */
export const typedAddress = (text: string): Outcome<string, 'email_malformed'> => {
  const address = canonicalAddress(text);
  return address === null ? MALFORMED : ok(address);
};

/** The form in which an earlier version stored an address: only ASCII letters were lower-cased. */
export const formerAddress = (text: string): string =>
  text.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/**
 * The form by which addresses are compared. An account of an earlier version may have an address without a canonical
 * form, such as `a@b`: it keeps its former form.
 */
export const addressKey = (text: string): string => canonicalAddress(text) ?? formerAddress(text);

/** True if two texts are the same address. */
export const isSameAddress = (a: string, b: string): boolean => addressKey(a) === addressKey(b);
