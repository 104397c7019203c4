import { type ApiKey, isLive } from '../../domain/access/api-key.ts';
import { memberWith } from '../../domain/access/member.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { accountMessages } from '../../domain/mail/message.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { linkLimits } from '../../domain/sign-in/attempts.ts';
import { isLiveSession, isNewWayIn, type WAYS_IN } from '../../domain/sign-in/session.ts';
import { hasUndone, isUsableLink, undoesChange, undone } from '../../domain/sign-in/sign-in-link.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { EndApiKey } from '../access/api-keys.ts';
import { CONFLICT, reviseLatest, untilWritten } from '../shared/contended.ts';
import type { CountAttempts } from './count-attempts.ts';
import type { EndOtherSessions } from './sessions.ts';
import { findLink } from './sign-in-links.ts';

/**
 * A sign-in method, or a credential that can act for the account. `id` identifies it on its own list; none contains a
 * secret.
 */
export type WayIn = {
  readonly way: (typeof WAYS_IN)[number];
  readonly id: string | number | null;
  readonly name: string | null;
  readonly since: Instant | null;
};

type Ports = Needs<
  'accounts' | 'apiKeys' | 'clock' | 'connectedApps' | 'passkeys' | 'sessions' | 'signInLinks' | 'upstreamLinks'
>;

const liveKeys = async ({ apiKeys, clock }: Needs<'apiKeys' | 'clock'>, account_id: number): Promise<ApiKey[]> =>
  (await apiKeys.scopes(account_id)).flatMap(({ keys }) => keys).filter((key) => isLive(key, clock.now()));

/** All current sign-in methods and credentials of an account. Offline devices and signed URLs expire by themselves. */
export const listWaysIn = (ports: Ports) =>
  async function listWaysIn(account_id: number): Promise<Outcome<WayIn[], 'account_not_found'>> {
    const now = ports.clock.now();
    const [account, passkeys, sessions, keys, apps, links, identities] = await Promise.all([
      ports.accounts.get(account_id),
      ports.passkeys.of(account_id),
      ports.sessions.of(account_id),
      liveKeys(ports, account_id),
      ports.connectedApps.of(account_id),
      ports.signInLinks.of(account_id),
      ports.upstreamLinks.count(account_id),
    ]);
    if (!account) return refuse('account_not_found', { message: `There is no account ${account_id}.` });
    const none = { id: null, name: null, since: null };
    return ok([
      ...(account.password_hash === null ? [] : [{ way: 'password' as const, ...none }]),
      ...passkeys.map(({ name, created_at: since }) => ({ way: 'passkey' as const, id: null, name, since })),
      ...sessions
        .filter((session) => isLiveSession(session, now))
        .map(({ id, browser: name, created_at: since }) => ({ way: 'browser' as const, id, name, since })),
      ...keys.map(({ id, kind, name, created_at: since }) => {
        return { way: kind === 'license' ? ('license_key' as const) : ('key' as const), id, name, since };
      }),
      ...apps.map(({ client_id: id, created_at: since }) => ({ way: 'app' as const, id, name: null, since })),
      ...links
        .filter((link) => isUsableLink(link, now))
        .map(({ created_at: since }) => ({ way: 'link' as const, id: null, name: null, since })),
      ...Array.from({ length: identities }, () => ({ way: 'provider' as const, ...none })),
    ]);
  };

type EndPorts = Ports & { endApiKey: EndApiKey; endOtherSessions: EndOtherSessions };

/**
 * Ends each browser, link and identity, and the passkeys, keys and applications that were created since a moment or
 * were new then (`isNewWayIn`); all of them if it is null. A link that undoes an earlier change stays: if a thief
 * undoes a later change, that link still belongs to the owner. The caller has already ended the password. Links go
 * last, so that an interrupted call can be repeated.
 */
const endWaysIn = async (ports: EndPorts, permit: Permit, account_id: number, since: Instant | null): Promise<void> => {
  const isMeant = (one: { readonly created_at: Instant }) => since === null || isNewWayIn(one, since);
  await ports.upstreamLinks.forget(account_id);
  await ports.endOtherSessions(permit, { id: null, account_id }, null, isMeant);
  for (const key of (await liveKeys(ports, account_id)).filter(isMeant)) await ports.endApiKey(permit, key);
  for (const { grant_id } of (await ports.connectedApps.of(account_id)).filter(isMeant)) {
    await ports.connectedApps.disconnect(permit, account_id, grant_id);
  }
  const links = await ports.signInLinks.of(account_id);
  const ending = links.filter(({ undoes }) => since === null || undoes === undefined || undoes >= since);
  for (const link of ending) await ports.signInLinks.use(link);
};

/**
 * Ends every sign-in method and credential of an account, including its password, and returns those that existed. Its
 * owner signs in again with a link. The account's purchases stay.
 */
export const lockOut = (ports: EndPorts & Needs<'pauses'>) => {
  const list = listWaysIn(ports);
  return async function lockOut(permit: Permit, account_id: number): Promise<Outcome<WayIn[], 'account_not_found'>> {
    const listed = await list(account_id);
    if (!listed.ok) return listed;
    await reviseLatest(ports, permit, account_id, (latest) => {
      const ended = { from: latest.created_at, at: ports.clock.now() };
      return { ...latest, password_hash: null, ways_in_ended: ended };
    });
    await endWaysIn(ports, permit, account_id, null);
    return listed;
  };
};

/** The address that a link restores, or undefined. The link stays unused, because mail scanners open links. */
export const peekUndo = (ports: Needs<'clock' | 'digest' | 'signInLinks'>) =>
  async function peekUndo(code: string): Promise<string | undefined> {
    return (await findLink(ports, code, undoesChange))?.email;
  };

const UNUSABLE = refuse('link_not_usable', {
  message: 'This link was already used, has expired, or undoes no change.',
});
const TAKEN = refuse('email_taken', { message: 'Another account has this address now; contact the shop.' });

/**
 * Undoes a change of the address with the link mailed to the former address, once and without a sign-in. The account
 * gets that address back and loses its password; every browser, link and identity ends, and so do the passkeys, keys
 * and applications created since the change or in the week before it. If another account has the address by now, the
 * call is refused, and the link stays. A member's address opens the console, so only the shop changes it.
 */
export const undoEmailChange = (
  ports: EndPorts & Needs<'digest' | 'members' | 'pauses'> & { countAttempts: CountAttempts },
) =>
  async function undoEmailChange(
    permit: Permit,
    { code, address }: { readonly code: string; readonly address: string },
  ): Promise<Outcome<null, 'link_not_usable' | 'email_taken' | 'too_many_attempts'>> {
    const { accounts, clock, countAttempts, members, pauses } = ports;
    const counted = await countAttempts(linkLimits(address));
    if (!counted.ok) return counted;
    const link = await findLink(ports, code, undoesChange);
    if (!link) return UNUSABLE;
    const restored = await untilWritten(pauses, async () => {
      const read = await accounts.get(link.account_id);
      if (!read) return UNUSABLE;
      if (hasUndone(link, read)) return ok(null);
      const after = undone(read, link, clock.now());
      if (!after || memberWith((await members.read()).members, read.id)) return UNUSABLE;
      const written = await accounts.revise(permit, read, after, accountMessages(read, after));
      return written === 'changed' ? CONFLICT : written === 'email_taken' ? TAKEN : ok(null);
    });
    if (!restored.ok) return restored;
    await counted.value.forgive();
    await endWaysIn(ports, permit, link.account_id, link.undoes);
    return restored;
  };
