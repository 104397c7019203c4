import type { Outcome } from '../../domain/shared/outcome.ts';
import type { UpstreamChecks, UpstreamIdentity, UpstreamSignIn } from '../../domain/sign-in/upstream-sign-in.ts';

/** The OpenID Connect provider at which a shop's customers sign in. */
export interface UpstreamProvider {
  /** The URL to send the browser to, and the values that the provider's answer is checked against. */
  begin(): Promise<Outcome<{ readonly url: string; readonly checks: UpstreamChecks }, 'upstream_unavailable'>>;
  /**
   * The person who came back. `callbackUrl` is the URL that the browser was sent to, with its query. `upstream_refused`:
   * the person declined, or the answer or its ID token is not what was asked for.
   */
  finish(
    callbackUrl: string,
    checks: UpstreamChecks,
  ): Promise<Outcome<UpstreamIdentity, 'upstream_refused' | 'upstream_unavailable'>>;
}

/** Sign-ins at the provider that are under way. They come before every gate, so that they need no permit. */
export interface UpstreamSignIns {
  save(signIn: UpstreamSignIn): Promise<void>;
  /** Removes the sign-in with this hash and returns it; undefined where there is none, so that one call finishes it. */
  take(hash: string): Promise<UpstreamSignIn | undefined>;
}

/** The accounts that identities at the provider are linked to. */
export interface UpstreamLinks {
  /** The account of an identity; undefined where it has none. */
  find(identity: Pick<UpstreamIdentity, 'issuer' | 'subject'>): Promise<number | undefined>;
  /** True where an identity of the issuer is linked to the account. */
  isTaken(accountId: number, issuer: string): Promise<boolean>;
  /**
   * Links an identity to an account; false, with nothing written, where the identity is linked already, or the account
   * to another one of the same issuer.
   */
  add(identity: Pick<UpstreamIdentity, 'issuer' | 'subject'>, accountId: number): Promise<boolean>;
}
