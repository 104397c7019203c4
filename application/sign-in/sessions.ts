import { memberWith } from '../../domain/access/member.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { Account, Allowance } from '../../domain/accounts/account.ts';
import { messageAbout } from '../../domain/mail/message.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { type Ok, type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { Passkey } from '../../domain/sign-in/passkey.ts';
import {
  browsersToForget,
  isKnownTo,
  isLiveSession,
  isUnseenSession,
  newKnownBrowser,
  newSession,
  type Place,
  type Session,
  type SignInMethod,
  sessionsToEnd,
} from '../../domain/sign-in/session.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { Sessions } from '../../ports/outbound/sign-in.ts';

/** True for a string in the format of `Secrets`. Any other is refused without a lookup. */
export const isSecret = (text: string | null | undefined): text is string =>
  typeof text === 'string' && /^[\w-]{43}$/.test(text);

export type OpenSessionPorts = Needs<'accounts' | 'clock' | 'digest' | 'ids' | 'members' | 'secrets' | 'sessions'> & {
  /** A session stores its IP address only if the audit log does. */
  auditSettings: { readonly addresses: boolean };
};

/** A new session, and the value of its cookie, which is stored nowhere. */
export type OpenedSession = { readonly value: string; readonly session: Session };

/** A short description of the browser that signs in, its IP address, and the site at which it signs in. */
export type Sender = { readonly browser: string; readonly address: string; readonly place?: Place };

/** The account fact that a sign-in relied on, and the refusal if it no longer holds. */
export type Reliance<R extends string> = {
  readonly holds: (account: Account) => boolean;
  /** The moment of the confirmation, if it is older than the sign-in. */
  readonly proved_at?: Instant;
  readonly otherwise: Refused<R>;
};

export const SUSPENDED = refuse('account_suspended', { message: 'This account is suspended; contact the store.' });

/**
 * Opens a session of an account, always with a new value. An account has at most about `MOST_SESSIONS`. The session
 * ends immediately if the account was suspended or no longer `holds` the fact that the sign-in relied on: a password
 * change ends the sessions that it finds, and this one may have opened meanwhile. The console opens only for members.
 */
export const openSession = ({
  accounts,
  auditSettings,
  clock,
  digest,
  ids,
  members,
  secrets,
  sessions,
}: OpenSessionPorts) =>
  async function openSession<R extends string = never>(
    account_id: number,
    method: SignInMethod,
    { browser, address, place }: Sender,
    reliance?: Reliance<R>,
  ): Promise<Ok<OpenedSession> | Refused<'account_suspended' | R>> {
    const value = secrets.value();
    const session = newSession(
      {
        id: ids.next(),
        hash: digest.sha256(value),
        account_id,
        method,
        ...(place && { place }),
        browser,
        ...(auditSettings.addresses && { address }),
        ...(reliance?.proved_at !== undefined && { proved_at: reliance.proved_at }),
      },
      clock.now(),
    );
    const toEnd = sessionsToEnd(await sessions.of(account_id), session.created_at);
    await sessions.add(session);
    await Promise.all(toEnd.map((ended) => sessions.end(ended)));
    const account = await accounts.get(account_id);
    const isAdmitted = !place || memberWith((await members.read()).members, account_id) !== undefined;
    const isOpen = account !== undefined && !account.suspended_at && isAdmitted;
    if (isOpen && (reliance?.holds(account) ?? true)) return ok({ value, session });
    await sessions.end(session);
    return reliance && !account?.suspended_at ? reliance.otherwise : SUSPENDED;
  };

export type OpenSession = ReturnType<typeof openSession>;

type FindSessionPorts = Needs<'accounts' | 'clock' | 'digest' | 'members' | 'sessions'>;

/**
 * The live session with this cookie value at the place; undefined while its account is suspended, and in the console
 * once the account is no member. The first use of each UTC day is recorded, so that a session in use does not expire.
 */
export const findSession = ({ sessions, accounts, members, digest, clock }: FindSessionPorts) =>
  async function findSession(value: string | undefined, place?: Place): Promise<(Session & Allowance) | undefined> {
    if (!isSecret(value)) return undefined;
    const now = clock.now();
    const session = await sessions.find(digest.sha256(value));
    if (!session || session.place !== place || !isLiveSession(session, now)) return undefined;
    const [account, admitted] = await Promise.all([accounts.get(session.account_id), place && members.read()]);
    if (account?.suspended_at) return undefined;
    if (admitted && !(account && memberWith(admitted.members, session.account_id))) return undefined;
    const seen = isUnseenSession(session, now) ? { ...session, last_seen_at: now } : session;
    if (seen !== session) await sessions.touch(seen);
    return { ...seen, requests_per_minute: account?.requests_per_minute, memberships: account?.memberships ?? [] };
  };

export type FindSession = ReturnType<typeof findSession>;

type RenewSessionPorts = Needs<'clock' | 'digest' | 'secrets' | 'sessions'>;

/**
 * Gives a session a new value after its owner's confirmation (OWASP ASVS 5.0, 7.2.4), so that a copy of the old cookie
 * is invalid; undefined if the session has ended meanwhile.
 */
export const renewSession = ({ sessions, secrets, digest, clock }: RenewSessionPorts) =>
  async function renewSession(session: Session & Allowance): Promise<OpenedSession | undefined> {
    const value = secrets.value();
    const { requests_per_minute: _, memberships: __, ...stored } = session;
    const renewed = { ...stored, hash: digest.sha256(value), proved_at: clock.now() };
    return (await sessions.replace(session, renewed)) ? { value, session: { ...session, ...renewed } } : undefined;
  };

export type RenewSession = ReturnType<typeof renewSession>;

/** The live sessions of an account, newest first. */
export const listSessions = ({ sessions, clock }: Needs<'clock' | 'sessions'>) =>
  async function listSessions(account_id: number): Promise<Session[]> {
    const now = clock.now();
    return (await sessions.of(account_id)).filter((session) => isLiveSession(session, now)).reverse();
  };

/** Signs a browser out, from its next request on. */
export const endSession = ({ sessions }: { sessions: Sessions }) =>
  async function endSession(session: Session): Promise<void> {
    await sessions.end(session);
  };

/** Ends one of an account's sessions. Another account's session is answered as if it did not exist. */
export const endOwnSession = ({ sessions }: { sessions: Sessions }) =>
  async function endOwnSession(
    _permit: Permit,
    account_id: number,
    sessionId: number,
  ): Promise<Outcome<null, 'session_not_found'>> {
    const session = (await sessions.of(account_id)).find(({ id }) => id === sessionId);
    if (!session) return refuse('session_not_found', { message: 'That session has already ended.' });
    await sessions.end(session);
    return ok(null);
  };

type EndOtherSessionsPorts = Needs<'digest' | 'knownBrowsers' | 'passkeys' | 'sessions'>;

/**
 * Ends every session of the account except this one (all if `id` is null), removes the passkeys that `meant` selects,
 * and forgets every known browser except the one whose cookie is `known`. Returns the number of removed passkeys.
 */
export const endOtherSessions = ({ sessions, passkeys, knownBrowsers, digest }: EndOtherSessionsPorts) =>
  async function endOtherSessions(
    permit: Permit,
    { id, account_id }: { readonly id: number | null; readonly account_id: number },
    known: string | null,
    meant: (passkey: Passkey) => boolean = () => false,
  ): Promise<number> {
    const endSessions = async (): Promise<void> => {
      const others = (await sessions.of(account_id)).filter((session) => session.id !== id);
      await Promise.all(others.map((session) => sessions.end(session)));
    };
    await endSessions();
    const ended = (await passkeys.of(account_id)).filter(meant);
    const messages = [messageAbout('passkey_removed', { account_id })];
    for (const passkey of ended) await passkeys.remove(permit, passkey, messages);
    // A passkey may have signed in just before it was removed.
    if (ended.length > 0) await endSessions();
    // This comes last, so that a browser that is being remembered notices that its session has ended.
    const own = isSecret(known) ? digest.sha256(known) : null;
    const strange = (await knownBrowsers.of(account_id)).filter(({ hash }) => hash !== own);
    await Promise.all(strange.map((browser) => knownBrowsers.forget(browser)));
    return ended.length;
  };

export type EndOtherSessions = ReturnType<typeof endOtherSessions>;

type RememberBrowserPorts = Needs<'clock' | 'digest' | 'knownBrowsers' | 'secrets' | 'sessions'>;

/**
 * Remembers a browser that has just signed in, and returns the value of its cookie. The value replaces the browser's
 * previous one for the same account, if `former` names it. An account has at most `MOST_KNOWN_BROWSERS`.
 */
export const rememberBrowser = ({ knownBrowsers, sessions, secrets, digest, clock }: RememberBrowserPorts) =>
  async function rememberBrowser(
    { hash, account_id }: Pick<Session, 'hash' | 'account_id'>,
    former: string | null = null,
  ): Promise<string> {
    const now = clock.now();
    const value = secrets.value();
    const browser = newKnownBrowser(digest.sha256(value), account_id, now);
    await knownBrowsers.save(browser);
    const replaced = isSecret(former) ? await knownBrowsers.find(digest.sha256(former)) : undefined;
    if (replaced && isKnownTo(replaced, account_id, now)) await knownBrowsers.forget(replaced);
    const beyond = browsersToForget(await knownBrowsers.of(account_id));
    // A password change ends the sessions first and then forgets the browsers that it finds, so a browser remembered in
    // between is forgotten here.
    const hasEnded = (await sessions.find(hash)) === undefined;
    await Promise.all([...beyond, ...(hasEnded ? [browser] : [])].map((one) => knownBrowsers.forget(one)));
    return value;
  };

export type RememberBrowser = ReturnType<typeof rememberBrowser>;
