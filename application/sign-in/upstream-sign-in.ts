import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { ownPath } from '../../domain/sign-in/session.ts';
import {
  canFinish,
  matchUpstream,
  newUpstreamSignIn,
  type UpstreamIdentity,
  verifiedEmail,
} from '../../domain/sign-in/upstream-sign-in.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { isSecret, type OpenedSession, type OpenSession, type Sender } from './sessions.ts';

/** The provider's URL to which a browser is sent, and the value of the cookie that binds the return to the browser. */
export type BegunUpstreamSignIn = { readonly url: string; readonly cookie: string };

/**
 * Begins a sign-in at the upstream provider. `next` is the path to continue to; a path outside this host becomes `/`.
 */
export const beginUpstreamSignIn = ({
  upstreamProvider,
  upstreamSignIns,
  links,
  secrets,
  digest,
  clock,
}: Needs<'clock' | 'digest' | 'links' | 'secrets' | 'upstreamProvider' | 'upstreamSignIns'>) =>
  async function beginUpstreamSignIn({
    next,
  }: {
    next: string;
  }): Promise<Outcome<BegunUpstreamSignIn, 'upstream_unavailable'>> {
    const begun = await upstreamProvider.begin(links.signInCallback());
    if (!begun.ok) return begun;
    const { url, checks } = begun.value;
    const cookie = secrets.value();
    const hash = digest.sha256(cookie);
    await upstreamSignIns.save(newUpstreamSignIn({ hash, checks, next: ownPath(next, '/') }, clock.now()));
    return ok({ url, cookie });
  };

export type BeginUpstreamSignIn = ReturnType<typeof beginUpstreamSignIn>;

const EXPIRED = refuse('sign_in_expired', { message: 'This sign-in has expired; start again.' });

export type FinishUpstreamSignInInput = Sender & {
  /** The cookie value from `BeginUpstreamSignIn`. */
  cookie: string;
  /** The URL to which the provider sent the browser, with its query. */
  callback_url: string;
};

export type AccountRefusal = 'email_not_verified' | 'account_taken';

/**
 * Signs in a browser that returns from the upstream provider, to the account that `matchUpstream` finds or creates. A
 * refusal after a valid start has the path to continue to, as `next` in its data.
 */
export const finishUpstreamSignIn = ({
  upstreamProvider,
  upstreamSignIns,
  digest,
  clock,
  openSession,
  links,
  accounts,
  upstreamLinks,
  pauses,
  ids,
}: Needs<
  | 'accounts'
  | 'clock'
  | 'digest'
  | 'ids'
  | 'links'
  | 'pauses'
  | 'upstreamLinks'
  | 'upstreamProvider'
  | 'upstreamSignIns'
> & { openSession: OpenSession }) => {
  /**
   * Moves the query of the response to the registered callback URL, whatever address the browser used to reach this
   * host.
   */
  const judgeCallback = (url: string): string => {
    const callback = new URL(links.signInCallback());
    callback.search = URL.parse(url, callback.href)?.search ?? '';
    return callback.href;
  };

  const accountOf = (permit: Permit, identity: UpstreamIdentity): Promise<Outcome<Account, AccountRefusal>> => {
    return untilWritten(pauses, async () => {
      const linkedId = await upstreamLinks.find(identity);
      const linked = linkedId === undefined ? undefined : await accounts.get(linkedId);
      const email = verifiedEmail(identity);
      const found = linked || email === null ? undefined : await accounts.findByEmail(email);
      const withEmail = found && { account: found, isTaken: await upstreamLinks.isTaken(found.id, identity.issuer) };
      const matched = matchUpstream(identity, linked, withEmail);
      if (!matched.ok) return matched;
      const match = matched.value;
      if (match.step === 'sign_in') return ok(match.account);
      const account = match.step === 'create' ? await create(permit, match.email, match.name) : match.account;
      // A concurrent sign-in of the same person may have created the account or the link.
      return account && (await upstreamLinks.add(identity, account.id)) ? ok(account) : CONFLICT;
    });
  };

  const create = async (permit: Permit, email: string, name: string | null): Promise<Account | undefined> => {
    const account: Account = { id: ids.next(), email, name, created_at: clock.now(), password_hash: null };
    return (await accounts.save(permit, account)) === 'email_taken' ? undefined : account;
  };

  return async function finishUpstreamSignIn(
    permit: Permit,
    input: FinishUpstreamSignInInput,
  ): Promise<
    Outcome<
      OpenedSession & { readonly next: string },
      'account_suspended' | 'upstream_refused' | 'upstream_unavailable' | 'sign_in_expired' | AccountRefusal
    >
  > {
    const begun = isSecret(input.cookie) ? await upstreamSignIns.take(digest.sha256(input.cookie)) : undefined;
    if (!begun || !canFinish(begun, clock.now())) {
      return EXPIRED;
    }
    const identified = await upstreamProvider.finish(judgeCallback(input.callback_url), begun.checks);
    const account = identified.ok ? await accountOf(permit, identified.value) : identified;
    if (!account.ok) return { ...account, data: { ...account.data, next: begun.next } };
    const { next } = begun;
    const { id, ways_in_ended } = account.value;
    const holds = (latest: Account): boolean => latest.ways_in_ended?.at === ways_in_ended?.at;
    const opened = await openSession(id, 'upstream', input, { holds, otherwise: EXPIRED });
    return opened.ok ? ok({ ...opened.value, next }) : { ...opened, data: { next } };
  };
};

export type FinishUpstreamSignIn = ReturnType<typeof finishUpstreamSignIn>;
