import type { Permit } from '../../domain/access/permit.ts';
import type { Session } from '../../domain/sign-in/session.ts';
import type { Sessions } from '../../ports/outbound/sessions.ts';

type Ports = { sessions: Sessions };

/** Ends every session of the account but this one. */
export class EndOtherSessions {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(_permit: Permit, { id, account_id }: Pick<Session, 'id' | 'account_id'>): Promise<void> {
    const { sessions } = this.#ports;
    const others = (await sessions.of(account_id)).filter((session) => session.id !== id);
    await Promise.all(others.map((session) => sessions.end(session)));
  }
}
