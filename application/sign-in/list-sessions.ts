import { isLiveSession, type Session } from '../../domain/sign-in/session.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Sessions } from '../../ports/outbound/sessions.ts';

export type Ports = { sessions: Sessions; clock: Clock };

/** The live sessions of an account, newest first. */
export const listSessions =
  ({ sessions, clock }: Ports) =>
  async (accountId: number): Promise<Session[]> => {
    const now = clock.now();
    return (await sessions.of(accountId)).filter((session) => isLiveSession(session, now)).reverse();
  };

export type ListSessions = ReturnType<typeof listSessions>;
