import { isLiveSession, type Session } from '../../domain/sign-in/session.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Sessions } from '../../ports/outbound/sessions.ts';

export type Ports = { sessions: Sessions; clock: Clock };

/** The live sessions of an account, newest first. */
export class ListSessions {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(accountId: number): Promise<Session[]> {
    const { sessions, clock } = this.#ports;
    const now = clock.now();
    return (await sessions.of(accountId)).filter((session) => isLiveSession(session, now)).reverse();
  }
}
