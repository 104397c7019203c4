import type { Account } from '../accounts/account.ts';
import { addressKey, isSameAddress } from '../accounts/address.ts';
import { addDays, hasPassed, type Instant, isTooFar, MINUTE_MS, millis, toInstant } from '../shared/instant.ts';
import type { Place } from './session.ts';

export const LINK_MINUTES = 60;
/** The number of days for which the sign-in link in an order's mail is valid. */
export const ORDER_LINK_DAYS = 7;
/** Days after a change of the address in which its former owner may undo it. */
export const UNDO_DAYS = 7;

/** A message that contains a link. `known`: the requesting browser had signed in to the account before. */
export type MailedLink = { readonly message_id: number; readonly known: boolean };

/**
 * A link that signs its account in once, changes its address once, or undoes such a change once. Only the SHA-256 hash
 * of its code is stored.
 */
export type SignInLink = {
  readonly hash: string;
  readonly account_id: number;
  readonly place?: Place;
  /**
   * Fingerprint of the account's password and email address (`markedText`). If either changes, the link stops working.
   * SHA-256, lower-case hex.
   */
  readonly password_mark: string;
  /** The address that the link gives to its account; absent for a link that signs in. */
  readonly email?: string;
  /** The moment of the change that the link undoes; absent for any other link. */
  readonly undoes?: Instant;
  /** The path to continue to, in links of the previous version; newer links contain it in their URL. */
  readonly next?: string;
  /** True for the link in an order's mail, which lasts for `ORDER_LINK_DAYS`. */
  readonly lasting?: true;
  /**
   * Identifies the email address that the link was created for, together with the link's code (`addressText`). It is a
   * SHA-256, lower-case hex; absent in links of the previous version.
   */
  readonly address_mark?: string;
  /** The message that contains the link; absent for an operator's link. */
  readonly mailed?: MailedLink;
  readonly created_at: Instant;
  readonly expires_at: Instant;
  /** The use of the link by a browser, named by a hash of the secret of its forms; absent in links of earlier versions. */
  readonly used?: { readonly by: string; readonly at: Instant };
};

export type MarkedAccount = Pick<Account, 'email' | 'password_hash' | 'ways_in_ended'>;

/** The text that is hashed to the mark of a link. */
export const markedText = ({ email, password_hash, ways_in_ended }: MarkedAccount): string =>
  `${addressKey(email)} ${password_hash ?? ''}${ways_in_ended ? ` ${ways_in_ended.at}` : ''}`;

/**
 * The text that is hashed to the mark of the link's email address. The code in it keeps the address from being
 * guessed.
 */
export const addressText = (code: string, { email }: Pick<Account, 'email'>): string => `${code} ${addressKey(email)}`;

const endOf = ({ undoes, lasting }: Pick<SignInLink, 'undoes' | 'lasting'>, now: Instant): Instant => {
  if (undoes !== undefined) return addDays(undoes, UNDO_DAYS);
  return lasting ? addDays(now, ORDER_LINK_DAYS) : toInstant(millis(now) + LINK_MINUTES * MINUTE_MS);
};

export const newSignInLink = (made: Omit<SignInLink, 'created_at' | 'expires_at'>, now: Instant): SignInLink => ({
  ...made,
  created_at: now,
  expires_at: endOf(made, now),
});

/**
 * Days for which an order's link, or another one, stays known after its end, so that its page can still fill in the
 * address.
 */
const RETENTION_DAYS = { lasting: 365, other: 1 } as const;

/** The time until which a link is stored. */
export const keptUntil = ({ email, lasting, expires_at }: SignInLink): Instant =>
  email === undefined ? addDays(expires_at, RETENTION_DAYS[lasting ? 'lasting' : 'other']) : expires_at;

/** A used link, which signs nobody in; null for a link that changes an address, which is not stored any longer. */
export const usedLink = (link: SignInLink, used: SignInLink['used']): SignInLink | null =>
  link.email === undefined ? { ...link, expires_at: link.created_at, ...(used && { used }) } : null;

const SENT_AGAIN_MS = MINUTE_MS;

/** True if the browser that has just used the link sends its form again: a double click shows only the second answer. */
export const isSentAgain = ({ used }: SignInLink, by: string, now: Instant): boolean =>
  used?.by === by && millis(now) - millis(used.at) < SENT_AGAIN_MS;

export const isUsableLink = ({ created_at, expires_at }: SignInLink, now: Instant): boolean =>
  !hasPassed(expires_at, now) && !isTooFar(created_at, now);

/**
 * Minutes before another link is mailed, by the number of unused mailed links. The last is well below the lifetime of a
 * link, so a mailbox that gets no further mail has a working link.
 */
const MAIL_PAUSES = [0, 2, 10, 30] as const;

/**
 * True if another mail may contain a link. It has its own code, because codes are stored as hashes, and the codes of
 * earlier mails keep working. Links of the operator, of another attempt at the same message, and of the other lane do
 * not count: strangers can't use up the mails of a known browser.
 */
export const mayMailLink = (
  waiting: readonly SignInLink[],
  {
    email,
    place,
    password_mark,
    mailed,
  }: Pick<SignInLink, 'email' | 'place' | 'password_mark'> & { readonly mailed: MailedLink },
  now: Instant,
): boolean => {
  const like = waiting.filter(
    (link) =>
      link.email === email &&
      link.place === place &&
      link.password_mark === password_mark &&
      link.mailed?.known === mailed.known &&
      link.mailed.message_id !== mailed.message_id &&
      isUsableLink(link, now),
  );
  const newest = Math.max(0, ...like.map(({ created_at }) => millis(created_at)));
  const pause = MAIL_PAUSES[Math.min(like.length, MAIL_PAUSES.length - 1)] ?? 0;
  return newest + pause * MINUTE_MS <= millis(now);
};

/** True for a link that signs its account in at the place, by default at the account host. */
export const signsIn = (link: SignInLink, place?: Place): link is SignInLink =>
  link.email === undefined && link.place === place;

/** A link that gives its account the address `email`. */
export type EmailLink = SignInLink & Required<Pick<SignInLink, 'email'>>;

export const changesAddress = (link: SignInLink): link is EmailLink =>
  link.email !== undefined && link.undoes === undefined;

/** A link that undoes a change of the address: `email` is the former one. */
export type UndoLink = SignInLink & Required<Pick<SignInLink, 'email' | 'undoes'>>;

export const undoesChange = (link: SignInLink): link is UndoLink =>
  link.email !== undefined && link.undoes !== undefined;

/** True if the link was used already, so the call only completes an interrupted one. */
export const hasUndone = ({ email, undoes }: UndoLink, account: Account): boolean =>
  account.ways_in_ended?.from === undoes && isSameAddress(account.email, email);

/**
 * The account as it was before a change of its address, without a password, because the current one may be a thief's.
 * Null if another link already undid an earlier change, or the account was locked out since: a thief who changed the
 * address must not get the account back.
 */
export const undone = (account: Account, { email, undoes }: UndoLink, now: Instant): Account | null => {
  const { ways_in_ended: ended } = account;
  if (ended && ended.from <= undoes && undoes <= ended.at) return null;
  return { ...account, email, password_hash: null, ways_in_ended: { from: undoes, at: now } };
};
