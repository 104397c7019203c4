import type { Permit } from '../../domain/access/permit.ts';
import { messageAbout } from '../../domain/mail/message.ts';
import { type Outcome, refuse } from '../../domain/shared/outcome.ts';
import { passkeyLimits } from '../../domain/sign-in/attempts.ts';
import {
  isFreshCounter,
  isOpenChallenge,
  newChallenge,
  newPasskey,
  type Passkey,
  type RelyingParty,
} from '../../domain/sign-in/passkey.ts';
import type { Session } from '../../domain/sign-in/session.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { CountAttempts } from './count-attempts.ts';
import type { OpenedSession, OpenSession, Sender } from './sessions.ts';

type ChallengePorts = Needs<'clock' | 'digest' | 'passkeyChallenges' | 'secrets'>;

/** The browser secret, of its session or its forms, to which a challenge is bound. It is stored as a hash. */
export type BrowserSecret = { readonly secret: string };

/** Creates a challenge that the browser with this secret may answer once. */
export const beginPasskey = ({ passkeyChallenges, secrets, digest, clock }: ChallengePorts) =>
  async function beginPasskey({ secret }: BrowserSecret): Promise<string> {
    const challenge = secrets.value();
    await passkeyChallenges.keep(newChallenge({ bound_to: digest.sha256(secret), challenge }, clock.now()));
    return challenge;
  };

/** Consumes the browser's challenge; undefined if there is no open one. */
const takeChallenge = async (
  { passkeyChallenges, digest, clock }: Omit<ChallengePorts, 'secrets'>,
  { secret }: BrowserSecret,
): Promise<string | undefined> => {
  const taken = await passkeyChallenges.take(digest.sha256(secret));
  return taken && isOpenChallenge(taken, clock.now()) ? taken.challenge : undefined;
};

export type PasskeyAnswer = BrowserSecret & { readonly json: string; readonly site: RelyingParty };

const WRONG = refuse('passkey_refused', { message: 'The passkey was not accepted; try again.' });

/**
 * Stores the passkey that the owner's browser created for the challenge. If a password change ends the session
 * meanwhile, the passkey is removed.
 */
export const addPasskey = (
  ports: Omit<ChallengePorts, 'secrets'> & Needs<'passkeys' | 'passkeyVerifier' | 'sessions'>,
) =>
  async function addPasskey(
    permit: Permit,
    { session, name, json, site, secret }: PasskeyAnswer & Pick<Passkey, 'name'> & { readonly session: Session },
  ): Promise<Outcome<Passkey, 'passkey_refused' | 'too_many_passkeys'>> {
    const { passkeys, passkeyVerifier, sessions, clock } = ports;
    const { account_id, place } = session;
    const challenge = await takeChallenge(ports, { secret });
    const made = challenge === undefined ? null : await passkeyVerifier.made({ json, challenge, site });
    if (!made) return WRONG;
    const passkey = newPasskey(made, { account_id, place, name }, await passkeys.of(account_id), clock.now());
    if (!passkey.ok) return passkey;
    if (!(await passkeys.add(permit, passkey.value, [messageAbout('passkey', { account_id })]))) return WRONG;
    if (await sessions.find(session.hash)) return passkey;
    await passkeys.remove(permit, passkey.value, [messageAbout('passkey_removed', { account_id })]);
    return WRONG;
  };

/** Signs a browser in with a passkey. A signature works once: its challenge is consumed, and its counter is stored. */
export const signInWithPasskey = (
  ports: Omit<ChallengePorts, 'secrets'> &
    Needs<'passkeys' | 'passkeyVerifier' | 'sessions'> & { countAttempts: CountAttempts; openSession: OpenSession },
) =>
  async function signInWithPasskey({
    json,
    site,
    secret,
    ...sender
  }: PasskeyAnswer & Sender): Promise<
    Outcome<OpenedSession, 'passkey_refused' | 'account_suspended' | 'too_many_attempts'>
  > {
    const { passkeys, passkeyVerifier, sessions, countAttempts, openSession, clock } = ports;
    const counted = await countAttempts(passkeyLimits(sender.address));
    if (!counted.ok) return counted;
    const challenge = await takeChallenge(ports, { secret });
    const id = passkeyVerifier.named(json);
    const passkey = id === null ? undefined : await passkeys.find(id);
    if (!passkey || passkey.place !== sender.place || challenge === undefined) return WRONG;
    const signed = await passkeyVerifier.signed({ json, challenge, site }, passkey);
    if (!signed || !isFreshCounter(passkey.counter, signed.counter)) return WRONG;
    const used = { ...passkey, counter: signed.counter, last_used_at: clock.now() };
    if (!(await passkeys.use(passkey, used))) return WRONG;
    await counted.value.forgive();
    const opened = await openSession(passkey.account_id, 'passkey', sender, { holds: () => true, otherwise: WRONG });
    // The passkey may have been removed during the sign-in, together with the sessions that existed then.
    if (!opened.ok || (await passkeys.find(passkey.id))) return opened;
    await sessions.end(opened.value.session);
    return WRONG;
  };

/** The passkeys of an account, newest first. */
export const listPasskeys = ({ passkeys }: Needs<'passkeys'>) =>
  async function listPasskeys(account_id: number): Promise<Passkey[]> {
    return (await passkeys.of(account_id)).sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  };

/** Removes a passkey of an account; false if it has no such passkey. */
export const removePasskey = ({ passkeys }: Needs<'passkeys'>) =>
  async function removePasskey(permit: Permit, account_id: number, id: string): Promise<boolean> {
    const passkey = (await passkeys.of(account_id)).find((one) => one.id === id);
    const messages = [messageAbout('passkey_removed', { account_id })];
    return passkey !== undefined && passkeys.remove(permit, passkey, messages);
  };
