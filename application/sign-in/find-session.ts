import { isLiveSession, isUnseenSession, type Session } from '../../domain/sign-in/session.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { isSecret } from './is-secret.ts';

export type Ports = Needs<'accounts' | 'clock' | 'digest' | 'sessions'>;

/**
 * The live session with this cookie value; none while its account is suspended. The day's first use (UTC) is recorded,
 * so that a session in use goes on.
 */
export const findSession =
  ({ sessions, accounts, digest, clock }: Ports) =>
  async (value: string | undefined): Promise<Session | undefined> => {
    if (!isSecret(value)) return undefined;
    const now = clock.now();
    const session = await sessions.find(digest.sha256(value));
    if (!session || !isLiveSession(session, now)) return undefined;
    if ((await accounts.get(session.account_id))?.suspended_at) return undefined;
    if (!isUnseenSession(session, now)) return session;
    const seen = { ...session, last_seen_at: now };
    await sessions.touch(seen);
    return seen;
  };

export type FindSession = ReturnType<typeof findSession>;
