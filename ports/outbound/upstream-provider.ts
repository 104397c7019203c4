import type { Outcome } from '../../domain/shared/outcome.ts';
import type { UpstreamChecks, UpstreamIdentity, UpstreamSignIn } from '../../domain/sign-in/upstream-sign-in.ts';

/**
 * Where a shop's customers already sign in, such as its OpenID Connect provider. A team whose shop has its own login
 * implements this interface: whoever is signed in there is then signed in here.
 */
export interface UpstreamProvider {
  /** The name that its button shows. */
  readonly name: string;
  /**
   * The URL to redirect the browser to, and the values against which the provider's answer is checked. The provider
   * sends the browser back to `callbackUrl`, with its answer in the query.
   */
  begin(
    callbackUrl: string,
  ): Promise<Outcome<{ readonly url: string; readonly checks: UpstreamChecks }, 'upstream_unavailable'>>;
  /**
   * The person who came back. `callbackUrl` is the one of `begin`, with the answer's query, which is untrusted.
   * `checks` are those of the `begin` of this browser; each comes once, within ten minutes. `upstream_refused`: the
   * person declined, or the answer is not what was asked for.
   */
  finish(
    callbackUrl: string,
    checks: UpstreamChecks,
  ): Promise<Outcome<UpstreamIdentity, 'upstream_refused' | 'upstream_unavailable'>>;
}

/** Sign-ins in progress at the provider. They come before every gate, so they need no permit. */
export interface UpstreamSignIns {
  save(signIn: UpstreamSignIn): Promise<void>;
  /** Removes the sign-in with this hash and returns it; undefined if there is none, so that one call finishes it. */
  take(hash: string): Promise<UpstreamSignIn | undefined>;
}

export interface UpstreamLinks {
  /** The account of an identity; undefined if it has none. */
  find(identity: Pick<UpstreamIdentity, 'issuer' | 'subject'>): Promise<number | undefined>;
  /** True if an identity of the issuer is linked to the account. */
  isTaken(account_id: number, issuer: string): Promise<boolean>;
  /**
   * Links an identity to an account; false, with nothing written, if the identity is linked already, or the account to
   * another one of the same issuer.
   */
  add(identity: Pick<UpstreamIdentity, 'issuer' | 'subject'>, account_id: number): Promise<boolean>;
  /** The number of identities that are linked to the account. */
  count(account_id: number): Promise<number>;
  /** Unlinks each identity of the account; a later sign-in may link it again. */
  forget(account_id: number): Promise<void>;
}
