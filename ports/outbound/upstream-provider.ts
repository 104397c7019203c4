import type { Outcome } from '../../domain/shared/outcome.ts';
import type { UpstreamChecks, UpstreamIdentity, UpstreamSignIn } from '../../domain/sign-in/upstream-sign-in.ts';

/**
 * A sign-in service that the shop's customers already use, such as its OpenID Connect provider. A team whose shop has
 * its own login implements this interface: its customers can then sign in here with that login.
 */
export interface UpstreamProvider {
  /** The name on its button. */
  readonly name: string;
  /**
   * The URL to which the browser is redirected, and the values against which the provider's response is checked. The
   * provider returns the browser to `callbackUrl`, with its response in the query.
   */
  begin(
    callbackUrl: string,
  ): Promise<Outcome<{ readonly url: string; readonly checks: UpstreamChecks }, 'upstream_unavailable'>>;
  /**
   * The person who returned. `callbackUrl` is the one of `begin`, with the response's query, which is untrusted.
   * `checks` are those of the `begin` of this browser, used once and within ten minutes. `upstream_refused`: the person
   * declined, or the response is invalid.
   */
  finish(
    callbackUrl: string,
    checks: UpstreamChecks,
  ): Promise<Outcome<UpstreamIdentity, 'upstream_refused' | 'upstream_unavailable'>>;
}

/** Sign-ins in progress at the provider. They come before every guard, so they need no permit. */
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
   * Links an identity to an account. Returns false and writes nothing if the identity is already linked, or the account
   * has another one of the same issuer.
   */
  add(identity: Pick<UpstreamIdentity, 'issuer' | 'subject'>, account_id: number): Promise<boolean>;
  /** The number of identities that are linked to the account. */
  count(account_id: number): Promise<number>;
  /** Unlinks each identity of the account; a later sign-in may link it again. */
  forget(account_id: number): Promise<void>;
}
