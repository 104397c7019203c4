import { isLiveSession, type Session } from '../../domain/sign-in/session.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'clock' | 'sessions'>;

/** The live sessions of an account, newest first. */
export const listSessions =
  ({ sessions, clock }: Ports) =>
  async (accountId: number): Promise<Session[]> => {
    const now = clock.now();
    return (await sessions.of(accountId)).filter((session) => isLiveSession(session, now)).reverse();
  };

export type ListSessions = ReturnType<typeof listSessions>;
