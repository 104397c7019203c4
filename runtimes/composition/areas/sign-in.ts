import { BoundedTurns } from '../../../adapters/crypto/password-turns.ts';
import { secrets } from '../../../adapters/crypto/secrets.ts';
import {
  StoredDeviceSignIns,
  StoredSignInLinks,
  StoredUpstreamLinks,
  StoredUpstreamSignIns,
} from '../../../adapters/store/sign-ins.ts';
import { OpenidProvider } from '../../../adapters/upstream/openid-provider.ts';
import { type AskForLink, type Ports as AskPorts, askForLink } from '../../../application/sign-in/ask-for-link.ts';
import { beginUpstreamSignIn } from '../../../application/sign-in/begin-upstream-sign-in.ts';
import { countAttempts } from '../../../application/sign-in/count-attempts.ts';
import { createSignInLink } from '../../../application/sign-in/create-sign-in-link.ts';
import { decideDeviceSignIn } from '../../../application/sign-in/decide-device-sign-in.ts';
import { endOtherSessions } from '../../../application/sign-in/end-other-sessions.ts';
import { endOwnSession } from '../../../application/sign-in/end-own-session.ts';
import { endSession } from '../../../application/sign-in/end-session.ts';
import { findDeviceSignIn } from '../../../application/sign-in/find-device-sign-in.ts';
import { findReplacedKey } from '../../../application/sign-in/find-replaced-key.ts';
import { findSession } from '../../../application/sign-in/find-session.ts';
import { finishUpstreamSignIn } from '../../../application/sign-in/finish-upstream-sign-in.ts';
import { listOwnDevices } from '../../../application/sign-in/list-own-devices.ts';
import { listPurchases } from '../../../application/sign-in/list-purchases.ts';
import { listSessions } from '../../../application/sign-in/list-sessions.ts';
import { openSession } from '../../../application/sign-in/open-session.ts';
import { peekSignInLink } from '../../../application/sign-in/peek-sign-in-link.ts';
import { redeemDeviceSignIn } from '../../../application/sign-in/redeem-device-sign-in.ts';
import { releaseDevice } from '../../../application/sign-in/release-device.ts';
import { rememberBrowser } from '../../../application/sign-in/remember-browser.ts';
import { renameDevice } from '../../../application/sign-in/rename-device.ts';
import { revokeOwnKey } from '../../../application/sign-in/revoke-own-key.ts';
import { setPassword } from '../../../application/sign-in/set-password.ts';
import { signInWithPassword } from '../../../application/sign-in/sign-in-with-password.ts';
import { startDeviceSignIn } from '../../../application/sign-in/start-device-sign-in.ts';
import { useSignInLink } from '../../../application/sign-in/use-sign-in-link.ts';
import { listOwnTickets } from '../../../application/support/list-own-tickets.ts';
import type { SignInMethods } from '../../../domain/sign-in/sign-in-methods.ts';
import type { PasswordTurns } from '../../../ports/outbound/accounts.ts';
import type { DeviceSignIns, SignInLinks } from '../../../ports/outbound/sign-in.ts';
import type { Secrets } from '../../../ports/outbound/system.ts';
import type { UpstreamLinks, UpstreamProvider, UpstreamSignIns } from '../../../ports/outbound/upstream-provider.ts';
import { onAudited, onTable } from '../area.ts';
import type { MailSettings } from '../engine-settings.ts';
import type { SignInSettings } from '../sign-in-settings.ts';
import { signInRecords } from './sign-in-records.ts';

export type OnSettings = { readonly signInSettings: SignInSettings };
export type OnProvider = { readonly upstreamProvider: UpstreamProvider | null };

/** Makes a use case that needs the upstream provider; null where none is configured. */
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
    deviceSignIns: onAudited<DeviceSignIns>(StoredDeviceSignIns),
    upstreamSignIns: onTable<UpstreamSignIns>(StoredUpstreamSignIns),
    upstreamLinks: onTable<UpstreamLinks>(StoredUpstreamLinks),
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
    countAttempts,
    createSignInLink,
    decideDeviceSignIn,
    endOtherSessions,
    endOwnSession,
    endSession,
    findDeviceSignIn,
    findReplacedKey,
    findSession,
    listOwnDevices,
    listOwnTickets,
    listPurchases,
    listSessions,
    openSession,
    peekSignInLink,
    redeemDeviceSignIn,
    releaseDevice,
    rememberBrowser,
    renameDevice,
    revokeOwnKey,
    setPassword,
    signInWithPassword,
    startDeviceSignIn,
    useSignInLink,
  },
};
