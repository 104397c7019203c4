import type { Account } from '../accounts/account.ts';
import { addressKey, isSameAddress } from '../accounts/address.ts';
import { addDays, hasPassed, type Instant, MINUTE_MS, millis, toInstant } from '../shared/instant.ts';

export const LINK_MINUTES = 60;
/** Days for which the link of an order's mail signs in. */
export const ORDER_LINK_DAYS = 7;
/** Days after a change of the address in which its former owner may undo it. */
export const UNDO_DAYS = 7;

/** A message that brings a link. `known`: a browser asked for it that had signed in to the account before. */
export type MailedLink = { readonly message_id: number; readonly known: boolean };

/** A link that signs its account in once, changes its address once, or undoes such a change once. Only the SHA-256 hash of its code is kept. */
export type SignInLink = {
  readonly hash: string;
  readonly account_id: number;
  /**
   * Names the password and the e-mail address that the account had (`markedText`). Another one of either ends the link.
   * It is a SHA-256, lower-case hex.
   */
  readonly password_mark: string;
  /** The address that the link gives to its account; absent for a link that signs in. */
  readonly email?: string;
  /** The moment of the change that the link undoes; absent for any other link. */
  readonly undoes?: Instant;
  /** The own path to go on to, in links of the former version; the address of a newer link names it. */
  readonly next?: string;
  /** True for the link of an order's mail, which lasts for `ORDER_LINK_DAYS`. */
  readonly lasting?: true;
  /**
   * Names the address that the link was made for, together with the link's code (`addressText`). It is a SHA-256,
   * lower-case hex; absent in links of the former version.
   */
  readonly address_mark?: string;
  /** The message that brings the link; absent for a link of the operator. */
  readonly mailed?: MailedLink;
  readonly created_at: Instant;
  readonly expires_at: Instant;
};

export type MarkedAccount = Pick<Account, 'email' | 'password_hash' | 'ways_in_ended'>;

/** The text whose hash is the mark of a link. */
export const markedText = ({ email, password_hash, ways_in_ended }: MarkedAccount): string =>
  `${addressKey(email)} ${password_hash ?? ''}${ways_in_ended ? ` ${ways_in_ended.at}` : ''}`;

/** The text whose hash is the mark of the address that a link was made for. The code keeps the hash from being guessed. */
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

/** Days for which a link of an order, or another one, is known after its end: its page still fills in the address. */
const KEPT_DAYS = { lasting: 365, other: 1 } as const;

/** The moment until which a link is kept. */
export const keptUntil = ({ email, lasting, expires_at }: SignInLink): Instant =>
  email === undefined ? addDays(expires_at, KEPT_DAYS[lasting ? 'lasting' : 'other']) : expires_at;

/** A link that was used, which signs nobody in; null for one that is not kept, because it changes an address. */
export const usedLink = (link: SignInLink): SignInLink | null =>
  link.email === undefined ? { ...link, expires_at: link.created_at } : null;

export const isUsableLink = ({ expires_at }: SignInLink, now: Instant): boolean => !hasPassed(expires_at, now);

/**
 * Minutes after a mail before another one brings the same, by the number of mailed links that wait unused. The last is
 * well below the life of a link, so that a mailbox whose owner is kept from another mail has a link that works.
 */
const MAIL_PAUSES = [0, 2, 10, 30] as const;

/**
 * True if a further mail may bring a link. It has a code of its own, because codes are stored as hashes, and those of
 * earlier mails keep working. Links of the operator, of another try of the same message, and of the other lane do not
 * count: strangers can't use up the mails of a known browser.
 */
export const mayMailLink = (
  waiting: readonly SignInLink[],
  { email, password_mark, mailed }: Pick<SignInLink, 'email' | 'password_mark'> & { readonly mailed: MailedLink },
  now: Instant,
): boolean => {
  const like = waiting.filter(
    (link) =>
      link.email === email &&
      link.password_mark === password_mark &&
      link.mailed?.known === mailed.known &&
      link.mailed.message_id !== mailed.message_id &&
      isUsableLink(link, now),
  );
  const newest = Math.max(0, ...like.map(({ created_at }) => millis(created_at)));
  const pause = MAIL_PAUSES[Math.min(like.length, MAIL_PAUSES.length - 1)] ?? 0;
  return newest + pause * MINUTE_MS <= millis(now);
};

/** True for a link that signs its account in. */
export const signsIn = (link: SignInLink): link is SignInLink => link.email === undefined;

/** A link that gives its account the address `email`. */
export type EmailLink = SignInLink & Required<Pick<SignInLink, 'email'>>;

export const changesAddress = (link: SignInLink): link is EmailLink =>
  link.email !== undefined && link.undoes === undefined;

/** A link that undoes a change of the address: `email` is the former one. */
export type UndoLink = SignInLink & Required<Pick<SignInLink, 'email' | 'undoes'>>;

export const undoesChange = (link: SignInLink): link is UndoLink =>
  link.email !== undefined && link.undoes !== undefined;

/** True if the link has done its work already, so that the call only completes what broke off. */
export const hasUndone = ({ email, undoes }: UndoLink, account: Account): boolean =>
  account.ways_in_ended?.from === undoes && isSameAddress(account.email, email);

/**
 * The account as it was before a change of its address, without a password, because nobody knows who set it since. Null
 * if another link undid the change with an earlier one, or all ways in ended since: a thief who moved an account on
 * must not take it back from its owner.
 */
export const undone = (account: Account, { email, undoes }: UndoLink, now: Instant): Account | null => {
  const { ways_in_ended: ended } = account;
  if (ended && ended.from <= undoes && undoes <= ended.at) return null;
  return { ...account, email, password_hash: null, ways_in_ended: { from: undoes, at: now } };
};
