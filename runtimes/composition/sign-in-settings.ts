import type { UpstreamConfig } from './sign-in-config.ts';

/** The ways to sign in that the operator offers, beside one-time links. */
export type SignInSettings = {
  /** Whether passwords sign in. */
  readonly password: boolean;
  /** The OpenID Connect provider of the shop's customers; null where there is none. */
  readonly upstream: UpstreamConfig | null;
  /** Whether a client may name itself by the address of its metadata, which this server then fetches. */
  readonly clientDocuments: boolean;
};

/** The settings of a service that configures none. */
export const PASSWORDS_ONLY: SignInSettings = { password: true, upstream: null, clientDocuments: true };
