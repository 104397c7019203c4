import { hash } from 'node:crypto';
import type { DeviceSignIn } from '../../../domain/sign-in/device-sign-in.ts';
import type { FormDraft } from '../../../domain/sign-in/form-draft.ts';
import type { Passkey, PasskeyChallenge } from '../../../domain/sign-in/passkey.ts';
import type { KnownBrowser, Session } from '../../../domain/sign-in/session.ts';
import type { SignInLink } from '../../../domain/sign-in/sign-in-link.ts';
import type { UpstreamSignIn } from '../../../domain/sign-in/upstream-sign-in.ts';
import type { AccountPointer } from './accounts.ts';
import type { KeyOf } from './families.ts';
import { allOfAccount, keyIn, ofAccount, padded } from './shared.ts';

/** Points from a user code to its device sign-in. */
export type UserCodePointer = { readonly hash: string };

/** Points from an account to the link of its identity; the previous version wrote no `link`. */
export type UpstreamPointer = AccountPointer & { readonly link?: string };

/** The hash that names a passkey in keys and in the audit log. */
export const passkeyHash = (id: string): string => hash('sha256', id, 'hex');

/**
 * Keys of passkeys, sessions, known browsers, one-time links, device sign-ins and upstream sign-ins. Each is found by
 * the SHA-256 hash of its secret, lower-case hex.
 */
export const signInKeys = {
  session: (sha256: string): KeyOf<Session> => ({ pk: `SESSION#${sha256}`, sk: 'SESSION' }),
  sessions: (account_id: number) => allOfAccount<Session>(account_id, 'SESSION#'),
  sessionOfAccount: (account_id: number, sessionId: number) =>
    ofAccount<Session>(account_id, `SESSION#${padded(sessionId)}`),

  knownBrowser: (sha256: string): KeyOf<KnownBrowser> => ({ pk: `BROWSER#${sha256}`, sk: 'BROWSER' }),
  knownBrowsers: (account_id: number) => allOfAccount<KnownBrowser>(account_id, 'BROWSER#'),
  knownBrowserOfAccount: (account_id: number, sha256: string) =>
    ofAccount<KnownBrowser>(account_id, `BROWSER#${sha256}`),

  /** A page has one of 16 places, which bound the drafts of an account. The previous version had one place, `DRAFT`. */
  draft: (account_id: number, page: string) =>
    ofAccount<FormDraft>(account_id, `DRAFT#${hash('sha256', page, 'hex').slice(0, 1)}`),
  drafts: (account_id: number) => allOfAccount<FormDraft>(account_id, 'DRAFT'),

  link: (sha256: string): KeyOf<SignInLink> => ({ pk: `SIGNINLINK#${sha256}`, sk: 'SIGNINLINK' }),
  links: (account_id: number) => allOfAccount<SignInLink>(account_id, 'SIGNINLINK#'),
  linkOfAccount: (account_id: number, sha256: string) => ofAccount<SignInLink>(account_id, `SIGNINLINK#${sha256}`),

  deviceSignIn: (sha256: string): KeyOf<DeviceSignIn> => ({ pk: `DEVICESIGNIN#${sha256}`, sk: 'DEVICESIGNIN' }),
  userCode: (sha256: string): KeyOf<UserCodePointer> => ({ pk: `USERCODE#${sha256}`, sk: 'USERCODE' }),

  /** A credential id may be longer than a key. */
  passkey: (account_id: number, id: string) => ofAccount<Passkey>(account_id, `PASSKEY#${passkeyHash(id)}`),
  passkeys: (account_id: number) => allOfAccount<Passkey>(account_id, 'PASSKEY#'),
  passkeyOwner: (id: string): KeyOf<AccountPointer> => ({ pk: `PASSKEY#${passkeyHash(id)}`, sk: 'PASSKEY' }),
  passkeyChallenge: (sha256: string) => keyIn<PasskeyChallenge>(`PASSKEY#CHALLENGE#${sha256}`, 'PASSKEY'),

  upstreamSignIn: (sha256: string): KeyOf<UpstreamSignIn> => ({ pk: `UPSTREAMSIGNIN#${sha256}`, sk: 'UPSTREAMSIGNIN' }),
  /** The account of an identity. A hash replaces issuer and subject, which are the provider's own strings. */
  upstreamLink: (issuer: string, subject: string) =>
    keyIn<AccountPointer>(`UPSTREAM#${hash('sha256', JSON.stringify([issuer, subject]), 'hex')}`, 'UPSTREAM'),
  /** Shows that the account has an identity of this issuer. */
  upstreamsOfAccount: (account_id: number) => allOfAccount<UpstreamPointer>(account_id, 'UPSTREAM#'),
  upstreamOfAccount: (account_id: number, issuer: string) =>
    ofAccount<UpstreamPointer>(account_id, `UPSTREAM#${hash('sha256', issuer, 'hex')}`),
};
