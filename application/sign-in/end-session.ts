import type { Session } from '../../domain/sign-in/session.ts';
import type { Sessions } from '../../ports/outbound/sessions.ts';

export type Ports = { sessions: Sessions };

/** Signs a browser out, from its next request on. */
export class EndSession {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(session: Session): Promise<void> {
    await this.#ports.sessions.end(session);
  }
}
