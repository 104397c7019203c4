import type { Host } from '../../ports/inbound/hosts.ts';
import type { Config } from './config.ts';

/** The ways to sign in that the operator offers, beside one-time links. */
export type SignInSettings = {
  /** Whether passwords sign in. */
  readonly password: boolean;
  /** The OpenID Connect provider of the shop's customers; null where there is none. */
  readonly upstream: {
    /** The name that the button shows. */
    readonly name: string;
    readonly issuer: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly redirectUri: string;
  } | null;
};

/** The settings of a service that configures none. */
export const PASSWORDS_ONLY: SignInSettings = { password: true, upstream: null };

/** The configured ways to sign in. The provider sends browsers back to a page of the account host. */
export const signInSettings = (
  { passwordSignIn, upstream }: Pick<Config, 'passwordSignIn' | 'upstream'>,
  urls: Pick<Readonly<Record<Host, string>>, 'account'>,
): SignInSettings => ({
  password: passwordSignIn,
  upstream: upstream && { ...upstream, redirectUri: `${urls.account}/sign-in/callback` },
});
