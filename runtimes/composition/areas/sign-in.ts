import { BoundedTurns } from '../../../adapters/crypto/passwords.ts';
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
import { offerSetup, peekSetup, useSetup } from '../../../application/access/members.ts';
import { countAttempts } from '../../../application/sign-in/count-attempts.ts';
import { redeemDeviceSignIn, startDeviceSignIn } from '../../../application/sign-in/device-sign-in.ts';
import { openSession, renewSession } from '../../../application/sign-in/sessions.ts';
import {
  askForLink,
  createSignInLink,
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
import type { UpstreamLinks, UpstreamProvider, UpstreamSignIns } from '../../../ports/outbound/upstream-provider.ts';
import { ifSet, onAudited, onTable } from '../area.ts';
import type { SignInSettings } from '../settings.ts';
import { signInRecords } from './sign-in-records.ts';

type OnSettings = { readonly signInSettings: SignInSettings };
type OnProvider = { readonly upstreamProvider: UpstreamProvider | null };

/**
 * Signs people and devices in, and lists an account's sign-ins for its owner. The repositories are here, so that a
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
    passwordTurns: (): PasswordTurns => new BoundedTurns(),
    upstreamProvider: ({ signInSettings: { upstream } }: OnSettings): UpstreamProvider | null =>
      upstream && new OpenidProvider(upstream),
    signInMethods: ({ signInSettings: { password }, upstreamProvider }: OnSettings & OnProvider): SignInMethods => ({
      password,
      upstream: upstreamProvider && { name: upstreamProvider.name },
    }),
    beginUpstreamSignIn: ifSet('upstreamProvider', beginUpstreamSignIn),
    finishUpstreamSignIn: ifSet('upstreamProvider', finishUpstreamSignIn),
    askForLink: ifSet('mailSettings', askForLink),
    mailSignInLink: ifSet('mailSettings', mailSignInLink),
    countAttempts,
    createSignInLink,
    mailLink,
    mailOrderLink,
    mailUndoLink,
    offerSetup,
    openSession,
    peekSetup,
    redeemDeviceSignIn,
    renewSession,
    startDeviceSignIn,
    useSetup,
  },
};
