import type { Permit } from '../../domain/access/permit.ts';
import type { NewMessages } from '../../domain/mail/message.ts';
import type { MadePasskey, Passkey, PasskeyChallenge, RelyingParty } from '../../domain/sign-in/passkey.ts';

/** The passkeys of accounts. A sign-in comes before every guard, so it needs no permit; the owner's changes do. */
export interface Passkeys {
  /** The account's passkeys, in any order. */
  of(account_id: number): Promise<Passkey[]>;
  /** The passkey with this credential id. Strongly consistent. */
  find(id: string): Promise<Passkey | undefined>;
  /** Adds a passkey, with messages. Returns false and writes nothing if its id is taken or its account was erased. */
  add(permit: Permit, passkey: Passkey, messages: NewMessages): Promise<boolean>;
  /** Stores the counter and the day of a sign-in; false if the passkey was used or removed since the read. */
  use(read: Passkey, used: Passkey): Promise<boolean>;
  /** Removes a passkey, with messages; false if it was already removed. */
  remove(permit: Permit, passkey: Passkey, messages: NewMessages): Promise<boolean>;
}

export interface PasskeyChallenges {
  /** Stores a challenge in place of an earlier one of the same browser. */
  keep(challenge: PasskeyChallenge): Promise<void>;
  /** Consumes the browser's challenge, so that exactly one call can answer it. */
  take(boundTo: string): Promise<PasskeyChallenge | undefined>;
}

/** A browser's answer to a challenge, as JSON text, and the expected challenge. */
export type PasskeyAnswer = { readonly json: string; readonly challenge: string; readonly site: RelyingParty };

/**
 * Verifies browsers' answers: signature, challenge, origin, site, and that the person was verified (WebAuthn, section
 * 7).
 */
export interface PasskeyVerifier {
  /** The new passkey; null for an invalid answer. */
  made(answer: PasskeyAnswer): Promise<MadePasskey | null>;
  /** The credential id in an answer; null if the text is not an answer. */
  named(json: string): string | null;
  /** The counter of a signature by this passkey; null for an invalid answer. */
  signed(answer: PasskeyAnswer, passkey: Passkey): Promise<{ readonly counter: number } | null>;
}
