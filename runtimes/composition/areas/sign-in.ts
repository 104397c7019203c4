import { BoundedTurns } from '../../../adapters/crypto/password-turns.ts';
import { secrets } from '../../../adapters/crypto/secrets.ts';
import { StoredDeviceSignIns } from '../../../adapters/store/device-sign-ins.ts';
import { StoredSignInLinks } from '../../../adapters/store/sign-in-links.ts';
import { StoredUpstreamLinks, StoredUpstreamSignIns } from '../../../adapters/store/upstream-sign-ins.ts';
import { OpenidProvider } from '../../../adapters/upstream/openid-provider.ts';
import { BeginUpstreamSignIn } from '../../../application/sign-in/begin-upstream-sign-in.ts';
import { CountAttempts } from '../../../application/sign-in/count-attempts.ts';
import { CreateSignInLink } from '../../../application/sign-in/create-sign-in-link.ts';
import { DecideDeviceSignIn } from '../../../application/sign-in/decide-device-sign-in.ts';
import { EndOtherSessions } from '../../../application/sign-in/end-other-sessions.ts';
import { EndOwnSession } from '../../../application/sign-in/end-own-session.ts';
import { EndSession } from '../../../application/sign-in/end-session.ts';
import { FindDeviceSignIn } from '../../../application/sign-in/find-device-sign-in.ts';
import { FindReplacedKey } from '../../../application/sign-in/find-replaced-key.ts';
import { FindSession } from '../../../application/sign-in/find-session.ts';
import { FinishUpstreamSignIn } from '../../../application/sign-in/finish-upstream-sign-in.ts';
import { ListOwnDevices } from '../../../application/sign-in/list-own-devices.ts';
import { ListPurchases } from '../../../application/sign-in/list-purchases.ts';
import { ListSessions } from '../../../application/sign-in/list-sessions.ts';
import { OpenSession } from '../../../application/sign-in/open-session.ts';
import { PeekSignInLink } from '../../../application/sign-in/peek-sign-in-link.ts';
import { RedeemDeviceSignIn } from '../../../application/sign-in/redeem-device-sign-in.ts';
import { ReleaseDevice } from '../../../application/sign-in/release-device.ts';
import { RememberBrowser } from '../../../application/sign-in/remember-browser.ts';
import { RevokeOwnKey } from '../../../application/sign-in/revoke-own-key.ts';
import { SetPassword } from '../../../application/sign-in/set-password.ts';
import { SignInWithPassword } from '../../../application/sign-in/sign-in-with-password.ts';
import { StartDeviceSignIn } from '../../../application/sign-in/start-device-sign-in.ts';
import { UseSignInLink } from '../../../application/sign-in/use-sign-in-link.ts';
import { ListOwnTickets } from '../../../application/support/list-own-tickets.ts';
import type { SignInMethods } from '../../../domain/sign-in/sign-in-methods.ts';
import type { DeviceSignIns } from '../../../ports/outbound/device-sign-ins.ts';
import type { PasswordTurns } from '../../../ports/outbound/password-turns.ts';
import type { Secrets } from '../../../ports/outbound/secrets.ts';
import type { SignInLinks } from '../../../ports/outbound/sign-in-links.ts';
import type { UpstreamLinks, UpstreamProvider, UpstreamSignIns } from '../../../ports/outbound/upstream-provider.ts';
import { onAudited, onTable, part } from '../area.ts';
import type { SignInSettings } from '../sign-in-settings.ts';
import { signInRecords } from './sign-in-records.ts';

export type OnSettings = { readonly signInSettings: SignInSettings };
export type OnProvider = { readonly upstreamProvider: UpstreamProvider | null };

/** Makes a use case that needs the upstream provider; null where none is configured. */
const onUpstream =
  <P extends { readonly upstreamProvider: UpstreamProvider }, T>(Class: new (parts: P) => T) =>
  (parts: Omit<P, 'upstreamProvider'> & OnProvider): T | null =>
    parts.upstreamProvider === null ? null : new Class(parts as unknown as P);

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
    beginUpstreamSignIn: onUpstream(BeginUpstreamSignIn),
    finishUpstreamSignIn: onUpstream(FinishUpstreamSignIn),
    countAttempts: part(CountAttempts),
    createSignInLink: part(CreateSignInLink),
    decideDeviceSignIn: part(DecideDeviceSignIn),
    endOtherSessions: part(EndOtherSessions),
    endOwnSession: part(EndOwnSession),
    endSession: part(EndSession),
    findDeviceSignIn: part(FindDeviceSignIn),
    findReplacedKey: part(FindReplacedKey),
    findSession: part(FindSession),
    listOwnDevices: part(ListOwnDevices),
    listOwnTickets: part(ListOwnTickets),
    listPurchases: part(ListPurchases),
    listSessions: part(ListSessions),
    openSession: part(OpenSession),
    peekSignInLink: part(PeekSignInLink),
    redeemDeviceSignIn: part(RedeemDeviceSignIn),
    releaseDevice: part(ReleaseDevice),
    rememberBrowser: part(RememberBrowser),
    revokeOwnKey: part(RevokeOwnKey),
    setPassword: part(SetPassword),
    signInWithPassword: part(SignInWithPassword),
    startDeviceSignIn: part(StartDeviceSignIn),
    useSignInLink: part(UseSignInLink),
  },
};
