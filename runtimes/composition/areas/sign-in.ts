import { BoundedTurns } from '../../../adapters/crypto/passwords.ts';
import { secrets } from '../../../adapters/crypto/secrets.ts';
import { webauthn } from '../../../adapters/passkeys/webauthn.ts';
import { StoredPasskeyChallenges, StoredPasskeys } from '../../../adapters/store/passkeys.ts';
import {
  StoredDeviceSignIns,
  StoredDrafts,
  StoredSignInLinks,
  StoredUpstreamLinks,
  StoredUpstreamSignIns,
} from '../../../adapters/store/sign-ins.ts';
import { OpenidProvider } from '../../../adapters/upstream/openid-provider.ts';
import { countAttempts } from '../../../application/sign-in/count-attempts.ts';
import { redeemDeviceSignIn, startDeviceSignIn } from '../../../application/sign-in/device-sign-in.ts';
import { openSession, renewSession } from '../../../application/sign-in/sessions.ts';
import {
  type AskForLink,
  type AskForLinkPorts as AskPorts,
  askForLink,
  createSignInLink,
  type MailSignInLink,
  mailLink,
  mailOrderLink,
  mailSignInLink,
  mailUndoLink,
} from '../../../application/sign-in/sign-in-links.ts';
import { beginUpstreamSignIn, finishUpstreamSignIn } from '../../../application/sign-in/upstream-sign-in.ts';
import type { SignInMethods } from '../../../domain/sign-in/session.ts';
import type { PasswordTurns } from '../../../ports/outbound/accounts.ts';
import type { PasskeyChallenges, Passkeys, PasskeyVerifier } from '../../../ports/outbound/passkeys.ts';
import type { DeviceSignIns, Drafts, SignInLinks } from '../../../ports/outbound/sign-in.ts';
import type { Secrets } from '../../../ports/outbound/system.ts';
import type { UpstreamLinks, UpstreamProvider, UpstreamSignIns } from '../../../ports/outbound/upstream-provider.ts';
import { onAudited, onTable } from '../area.ts';
import type { MailSettings, SignInSettings } from '../settings.ts';
import { signInRecords } from './sign-in-records.ts';

export type OnSettings = { readonly signInSettings: SignInSettings };
export type OnProvider = { readonly upstreamProvider: UpstreamProvider | null };

/** Creates a use case that needs the upstream provider; null if none is configured. */
const onUpstream =
  <P extends { readonly upstreamProvider: UpstreamProvider }, T>(make: (parts: P) => T) =>
  (parts: Omit<P, 'upstreamProvider'> & OnProvider): T | null =>
    parts.upstreamProvider === null ? null : make(parts as unknown as P);

/**
 * Signs people and devices in, and shows an account's owner what is signed in. The repositories stand here, so that a
 * function without this area does not load them.
 */
export const signIn = {
  parts: {
    ...signInRecords.parts,
    signInLinks: onAudited<SignInLinks>(StoredSignInLinks),
    drafts: onTable<Drafts>(StoredDrafts),
    deviceSignIns: onAudited<DeviceSignIns>(StoredDeviceSignIns),
    upstreamSignIns: onTable<UpstreamSignIns>(StoredUpstreamSignIns),
    upstreamLinks: onTable<UpstreamLinks>(StoredUpstreamLinks),
    passkeys: onAudited<Passkeys>(StoredPasskeys),
    passkeyChallenges: onTable<PasskeyChallenges>(StoredPasskeyChallenges),
    passkeyVerifier: (): PasskeyVerifier => webauthn,
    secrets: (): Secrets => secrets,
    passwordTurns: (): PasswordTurns => new BoundedTurns(),
    upstreamProvider: ({ signInSettings: { upstream } }: OnSettings): UpstreamProvider | null =>
      upstream && new OpenidProvider(upstream),
    signInMethods: ({ signInSettings: { password }, upstreamProvider }: OnSettings & OnProvider): SignInMethods => ({
      password,
      upstream: upstreamProvider && { name: upstreamProvider.name },
    }),
    beginUpstreamSignIn: onUpstream(beginUpstreamSignIn),
    finishUpstreamSignIn: onUpstream(finishUpstreamSignIn),
    askForLink: (parts: AskPorts & { readonly mailSettings: MailSettings | null }): AskForLink | null =>
      parts.mailSettings && askForLink(parts),
    mailSignInLink: (
      parts: Parameters<typeof mailSignInLink>[0] & { readonly mailSettings: MailSettings | null },
    ): MailSignInLink | null => parts.mailSettings && mailSignInLink(parts),
    countAttempts,
    createSignInLink,
    mailLink,
    mailOrderLink,
    mailUndoLink,
    openSession,
    redeemDeviceSignIn,
    renewSession,
    startDeviceSignIn,
  },
};
