import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { isSameAddress, typedAddress } from '../../domain/accounts/address.ts';
import { messageAbout } from '../../domain/mail/message.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { Language } from '../../domain/shared/language.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { linkLimits, mailedLinkLimits } from '../../domain/sign-in/attempts.ts';
import { isKnownTo, type Place } from '../../domain/sign-in/session.ts';
import {
  addressText,
  isSentAgain,
  isUsableLink,
  type MailedLink,
  type MarkedAccount,
  markedText,
  mayMailLink,
  newSignInLink,
  type SignInLink,
  signsIn,
  type UndoLink,
} from '../../domain/sign-in/sign-in-link.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { Digest } from '../../ports/outbound/system.ts';
import { accountSuspended, withPerson } from '../accounts/accounts.ts';
import type { CountAttempts } from './count-attempts.ts';
import { isSecret, type OpenedSession, type OpenSession, type Sender, SUSPENDED } from './sessions.ts';

export const markOf = (digest: Digest, account: MarkedAccount): string => digest.sha256(markedText(account));

/** The link with this code, if it can be used and is one that `accepts` accepts. The link stays unused. */
export const findLink = async <L extends SignInLink>(
  { signInLinks, digest, clock }: Needs<'clock' | 'digest' | 'signInLinks'>,
  code: string,
  accepts: (link: SignInLink) => link is L,
): Promise<L | undefined> => {
  const link = isSecret(code) ? await signInLinks.find(digest.sha256(code)) : undefined;
  return link && accepts(link) && isUsableLink(link, clock.now()) ? link : undefined;
};

type AskForLinkPorts = Needs<'accounts' | 'clock' | 'digest' | 'knownBrowsers' | 'messages'> & {
  countAttempts: CountAttempts;
};

export type LinkInput = {
  /** The email address, as typed. */
  readonly email: string;
  /** The IP address of the request. */
  readonly address: string;
  readonly locale: Language;
  /** The value of the known browser's cookie; null for none. */
  readonly known: string | null;
  /** The path on this host to which the link continues; absent for the default. */
  readonly next?: string;
  /** The site that the link opens. Only a member gets a link to the console. */
  readonly place?: Place;
};

/**
 * Requests a sign-in link by mail. Whether an account has the address is looked up when the mail is due, so neither the
 * response nor its timing reveals it. The limits apply to the requester. A browser that has signed in to the account
 * before has its own limits and mails.
 */
export const askForLink = ({ accounts, clock, digest, knownBrowsers, messages, countAttempts }: AskForLinkPorts) => {
  /**
   * The hash of the browser's cookie, if the browser signed in to the account with this address. Only a known browser
   * costs reads.
   */
  const findKnown = async (value: string | null, email: string): Promise<string | null> => {
    const hash = isSecret(value) ? digest.sha256(value) : null;
    const browser = hash === null ? undefined : await knownBrowsers.find(hash);
    const account = browser && (await accounts.get(browser.account_id));
    const isOwn = account !== undefined && isSameAddress(account.email, email);
    return isOwn && isKnownTo(browser, account.id, clock.now()) ? hash : null;
  };

  return async function askForLink(
    permit: Permit,
    { email: typed, address, locale, known, next, place }: LinkInput,
  ): Promise<Outcome<null, 'email_malformed' | 'too_many_attempts'>> {
    const canonical = typedAddress(typed);
    if (!canonical.ok) return canonical;
    const email = canonical.value;
    const browser = await findKnown(known, email);
    const counted = await countAttempts(mailedLinkLimits(digest.sha256(email), address, browser));
    if (!counted.ok) return counted;
    await messages.add(permit, {
      ...messageAbout(place ? 'console_sign_in' : 'sign_in', { account_id: null }),
      email,
      locale,
      ...(browser !== null && { known: true }),
      ...(next !== undefined && { next }),
    });
    return ok(null);
  };
};

export type AskForLink = ReturnType<typeof askForLink>;

/** The code of a one-time link, which is stored nowhere, and its expiry. */
export type CreatedSignInLink = { readonly code: string; readonly expires_at: Instant };

type MakePorts = Needs<'clock' | 'digest' | 'secrets' | 'signInLinks'>;

/** Creates and stores a link for an account in its current state. */
const makeLink = async (
  { signInLinks, secrets, digest, clock }: MakePorts,
  permit: Permit,
  account: Account,
  input: Pick<SignInLink, 'email' | 'lasting' | 'mailed' | 'place' | 'undoes'>,
): Promise<CreatedSignInLink> => {
  const code = secrets.value();
  const marks = { password_mark: markOf(digest, account), address_mark: digest.sha256(addressText(code, account)) };
  const named = { account_id: account.id, ...marks };
  const link = newSignInLink({ hash: digest.sha256(code), ...named, ...input }, clock.now());
  await signInLinks.save(permit, link);
  return { code, expires_at: link.expires_at };
};

type NotLinked = 'account_not_found' | 'account_suspended' | 'account_without_person';

/** The account of a link, unless nobody may sign in to it. */
const linkedAccount = async (
  { accounts }: Needs<'accounts'>,
  account_id: number,
): Promise<Outcome<Account, NotLinked>> => {
  const account = await accounts.get(account_id);
  if (!account) return refuse('account_not_found', { message: `There is no account ${account_id}.` });
  return account.suspended_at ? accountSuspended(account_id) : withPerson(account);
};

/** Creates a link that signs an account in once, within an hour. A change of the password or address ends it. */
export const createSignInLink = (ports: MakePorts & Needs<'accounts'>) =>
  async function createSignInLink(
    permit: Permit,
    account_id: number,
    place?: Place,
  ): Promise<Outcome<CreatedSignInLink, NotLinked>> {
    const account = await linkedAccount(ports, account_id);
    return account.ok ? ok(await makeLink(ports, permit, account.value, place ? { place } : {})) : account;
  };

/**
 * Mails an account's owner a sign-in link, for a caller who must not see the link. Returns the address. A mailbox with
 * unused links gets no other one (`mayMailLink`).
 */
export const mailSignInLink = (ports: Needs<'accounts' | 'signInLinks'>) =>
  async function mailSignInLink(
    permit: Permit,
    account_id: number,
    place?: Place,
  ): Promise<Outcome<string, NotLinked>> {
    const account = await linkedAccount(ports, account_id);
    if (!account.ok) return account;
    await ports.signInLinks.mail(permit, account_id, place);
    return ok(account.value.email);
  };

export type MailSignInLink = ReturnType<typeof mailSignInLink>;

/**
 * The code of a mailed link that signs in, or that changes the account's address to `email`; undefined if earlier mails
 * still have unused links (`mayMailLink`), or the account is suspended.
 */
export const mailLink = (ports: MakePorts) =>
  async function mailLink(
    permit: Permit,
    account: Account,
    input: Pick<SignInLink, 'email' | 'place'> & { readonly mailed: MailedLink },
  ): Promise<string | undefined> {
    const { signInLinks, digest, clock } = ports;
    const waiting = await signInLinks.of(account.id);
    const may = mayMailLink(waiting, { ...input, password_mark: markOf(digest, account) }, clock.now());
    return may && !account.suspended_at ? (await makeLink(ports, permit, account, input)).code : undefined;
  };

export type MailLink = ReturnType<typeof mailLink>;

/** The code of the link in an order's mail; undefined for a suspended account. */
export const mailOrderLink = (ports: MakePorts) =>
  async function mailOrderLink(permit: Permit, account: Account): Promise<string | undefined> {
    return account.suspended_at ? undefined : (await makeLink(ports, permit, account, { lasting: true })).code;
  };

export type MailOrderLink = ReturnType<typeof mailOrderLink>;

/** The code of a link by which an account's former address undoes the change made at a moment. */
export const mailUndoLink = (ports: MakePorts) =>
  async function mailUndoLink(
    permit: Permit,
    account: Account,
    input: Pick<UndoLink, 'email' | 'undoes'>,
  ): Promise<string> {
    return (await makeLink(ports, permit, account, input)).code;
  };

export type MailUndoLink = ReturnType<typeof mailUndoLink>;

/** A one-time link as its page shows it. */
export type SeenLink = {
  readonly account_id: number;
  /** False for a link that was used, has expired, or ended with a change of the password or the address. */
  readonly is_usable: boolean;
  readonly is_lasting: boolean;
  /**
   * The account's address if the link was created for it; otherwise null, so that a former address does not learn the
   * new one.
   */
  readonly email: string | null;
  readonly next: string | undefined;
};

type Ports = Needs<'accounts' | 'clock' | 'digest' | 'signInLinks'>;

/**
 * The sign-in link with this code; undefined if it is unknown or no longer stored. The link stays unused, because mail
 * scanners open links.
 */
export const peekSignInLink = ({ accounts, signInLinks, digest, clock }: Ports) =>
  async function peekSignInLink(code: string, place?: Place): Promise<SeenLink | undefined> {
    const link = isSecret(code) ? await signInLinks.find(digest.sha256(code)) : undefined;
    const account = link && signsIn(link, place) ? await accounts.get(link.account_id) : undefined;
    if (!link || !account) return undefined;
    return {
      account_id: account.id,
      is_usable: isUsableLink(link, clock.now()) && markOf(digest, account) === link.password_mark,
      is_lasting: link.lasting ?? false,
      email: digest.sha256(addressText(code, account)) === link.address_mark ? account.email : null,
      next: link.next,
    };
  };

const UNUSABLE = refuse('link_not_usable', {
  message:
    'This link was already used, has expired, or ended with a change of the password or the email address; ask for a new one.',
});

/** The link that the same browser used a moment ago; undefined for any other. */
const sentAgain = async (
  { signInLinks, digest }: Ports,
  { code, place }: { readonly code: string; readonly place?: Place },
  { by, at }: Required<SignInLink>['used'],
) => {
  const link = isSecret(code) ? await signInLinks.find(digest.sha256(code)) : undefined;
  return link && signsIn(link, place) && isSentAgain(link, by, at) ? link : undefined;
};

/**
 * Signs a browser in with a one-time link; `next` is the path to continue to. Of concurrent browsers, exactly one succeeds.
 */
export const useSignInLink = (ports: Ports & { countAttempts: CountAttempts; openSession: OpenSession }) =>
  async function useSignInLink(
    input: Sender & {
      readonly code: string;
      /** The secret of the browser's forms, by which it may send the form again. */
      readonly secret?: string | undefined;
    },
  ): Promise<
    Outcome<
      OpenedSession & { readonly next: string | undefined },
      'link_not_usable' | 'account_suspended' | 'too_many_attempts'
    >
  > {
    const { accounts, clock, signInLinks, digest, countAttempts, openSession } = ports;
    const counted = await countAttempts(linkLimits(input.address));
    if (!counted.ok) return counted;
    const found = await findLink(ports, input.code, (link): link is SignInLink => signsIn(link, input.place));
    if (found && (await accounts.get(found.account_id))?.suspended_at) return SUSPENDED;
    const { code, secret } = input;
    const used = isSecret(secret) ? { by: digest.sha256(`${code} ${secret}`), at: clock.now() } : undefined;
    const link = found && (await signInLinks.use(found, used)) ? found : used && (await sentAgain(ports, input, used));
    if (!link) return UNUSABLE;
    await counted.value.forgive();
    const holds = (account: Account) => markOf(digest, account) === link.password_mark;
    const opened = await openSession(link.account_id, 'link', input, {
      holds,
      otherwise: UNUSABLE,
      ...(link.lasting && { proved_at: link.created_at }),
    });
    return opened.ok ? ok({ ...opened.value, next: link.next }) : opened;
  };
