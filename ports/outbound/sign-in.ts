import type { Permit } from '../../domain/access/permit.ts';
import type { DeviceSignIn } from '../../domain/sign-in/device-sign-in.ts';
import type { FormDraft } from '../../domain/sign-in/form-draft.ts';
import type { ConnectedApp, SignInToken } from '../../domain/sign-in/oauth-grant.ts';
import type { KnownBrowser, Place, Session } from '../../domain/sign-in/session.ts';
import type { SignInLink } from '../../domain/sign-in/sign-in-link.ts';

/** Signed-in browsers. A sign-in comes before every guard, so it needs no permit. */
export interface Sessions {
  /** The session with this hash unless it was ended. Strongly consistent: an end takes effect with the next request. */
  find(hash: string): Promise<Session | undefined>;
  /** The account's sessions, oldest first, including some that ended recently. */
  of(account_id: number): Promise<Session[]>;
  add(session: Session): Promise<void>;
  /** Records `last_seen_at` of a session; does nothing if it has ended, so that an end is never undone. */
  touch(session: Session): Promise<void>;
  /**
   * Gives a session the state `after`, which has another hash and the same id. Returns false and writes nothing if the
   * session has ended. The former hash finds nothing from the next request on.
   */
  replace(session: Session, after: Session): Promise<boolean>;
  /** Ends a session by its id, whatever its current hash; does nothing if it has ended. */
  end(session: Session): Promise<void>;
}

/** Browsers that signed in before. A sign-in comes before every guard, so it needs no permit. */
export interface KnownBrowsers {
  find(hash: string): Promise<KnownBrowser | undefined>;
  /** The known browsers of an account, in any order. */
  of(account_id: number): Promise<KnownBrowser[]>;
  save(browser: KnownBrowser): Promise<void>;
  /** Forgets the browser; does nothing if it is already forgotten. */
  forget(browser: KnownBrowser): Promise<void>;
}

/** Forms that account owners could not submit. An ended session can't give a permit, so none is needed. */
export interface Drafts {
  /** At most a few, including some that have expired. */
  of(account_id: number): Promise<FormDraft[]>;
  /** Replaces the draft of the same page. */
  save(draft: FormDraft): Promise<void>;
}

export interface SignInLinks {
  /** The link with this hash, including a used or expired one, as long as it is stored. */
  find(hash: string): Promise<SignInLink | undefined>;
  /** The waiting links of an account, in any order, including some that have expired. */
  of(account_id: number): Promise<SignInLink[]>;
  save(permit: Permit, link: SignInLink): Promise<void>;
  /** Mails the account a link, which is created when the mail is sent. Only a service with mail can do this. */
  mail(permit: Permit, account_id: number, place?: Place): Promise<void>;
  /** Ends the link; false if it had already ended, so that exactly one call uses it. */
  use(link: SignInLink, used?: SignInLink['used']): Promise<boolean>;
}

export interface SignInTokens {
  /** The access token with this hash (SHA-256, lower-case hex) unless it was ended. Strongly consistent. */
  find(hash: string): Promise<SignInToken | undefined>;
}

/** A device sign-in as read. Writes succeed only on this version. */
export type ReadDeviceSignIn = DeviceSignIn & { readonly version: string };

/**
 * Devices that wait for approval. A sign-in comes before every guard, so it needs no permit; the owner's decision does.
 */
export interface DeviceSignIns {
  find(hash: string): Promise<ReadDeviceSignIn | undefined>;
  findByUserCode(userCodeHash: string): Promise<ReadDeviceSignIn | undefined>;
  /** Adds a device sign-in. Returns false and writes nothing if another one has the user code. */
  add(signIn: DeviceSignIn): Promise<boolean>;
  /** Replaces the sign-in. Returns false and writes nothing if it has changed since the read. */
  replace(read: ReadDeviceSignIn, signIn: DeviceSignIn): Promise<boolean>;
  /** Stores the owner's decision. Returns false and writes nothing if the sign-in has changed since the read. */
  decide(permit: Permit, read: ReadDeviceSignIn, decided: DeviceSignIn): Promise<boolean>;
  /** Removes the sign-in; false if it has changed since the read, so that exactly one call redeems it. */
  remove(read: ReadDeviceSignIn): Promise<boolean>;
}

export interface ConnectedApps {
  /** The account's connected apps, newest first. */
  of(account_id: number): Promise<ConnectedApp[]>;
  /** Ends the app's grant and each of its tokens; false if the account has no such app. */
  disconnect(permit: Permit, account_id: number, grantId: string): Promise<boolean>;
}
