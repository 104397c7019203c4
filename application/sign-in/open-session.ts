import type { Account } from '../../domain/accounts/account.ts';
import { type Ok, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import { newSession, type Session, type SignInMethod, sessionsToEnd } from '../../domain/sign-in/session.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'accounts' | 'clock' | 'digest' | 'ids' | 'secrets' | 'sessions'> & {
  /** A session keeps its address where the audit log keeps addresses. */
  auditSettings: { readonly addresses: boolean };
};

/** A new session, and the value of its cookie, which is stored nowhere. */
export type OpenedSession = { readonly value: string; readonly session: Session };

/** The browser that signs in, in a few words, and its network address. */
export type Sender = { readonly browser: string; readonly address: string };

/** What a sign-in relied on, and the answer where the account no longer holds it. */
export type Reliance<R extends string> = {
  readonly holds: (account: Account) => boolean;
  readonly otherwise: Refused<R>;
};

const SUSPENDED = refuse('account_suspended', { message: 'This account is suspended; contact the store.' });

/**
 * Opens a session of an account, always with a new value. An account has at most about `MOST_SESSIONS`. A session whose
 * account was suspended, or no longer `holds` what the sign-in relied on, ends at once: a change of
 * the password ends the sessions that it finds, and this one may have been opened meanwhile.
 */
export const openSession =
  ({ accounts, sessions, secrets, digest, ids, clock, auditSettings }: Ports) =>
  async <R extends string = never>(
    account_id: number,
    method: SignInMethod,
    { browser, address }: Sender,
    reliance?: Reliance<R>,
  ): Promise<Ok<OpenedSession> | Refused<'account_suspended' | R>> => {
    const value = secrets.value();
    const session = newSession(
      {
        id: ids.next(),
        hash: digest.sha256(value),
        account_id,
        method,
        browser,
        ...(auditSettings.addresses && { address }),
      },
      clock.now(),
    );
    const toEnd = sessionsToEnd(await sessions.of(account_id), session.created_at);
    await sessions.add(session);
    await Promise.all(toEnd.map((ended) => sessions.end(ended)));
    const account = await accounts.get(account_id);
    const isOpen = account !== undefined && !account.suspended_at;
    if (isOpen && (reliance?.holds(account) ?? true)) return ok({ value, session });
    await sessions.end(session);
    return isOpen && reliance ? reliance.otherwise : SUSPENDED;
  };

export type OpenSession = ReturnType<typeof openSession>;
