import { newSession, type Session, type SignInMethod, sessionsToEnd } from '../../domain/sign-in/session.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Digest } from '../../ports/outbound/digest.ts';
import type { Ids } from '../../ports/outbound/ids.ts';
import type { Secrets } from '../../ports/outbound/secrets.ts';
import type { Sessions } from '../../ports/outbound/sessions.ts';

export type Ports = { sessions: Sessions; secrets: Secrets; digest: Digest; ids: Ids; clock: Clock };

/** A new session, and the value of its cookie, which is stored nowhere. */
export type OpenedSession = { readonly value: string; readonly session: Session };

/** Opens a session of an account, always with a new value. An account has at most about `MOST_SESSIONS`. */
export class OpenSession {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute(account_id: number, method: SignInMethod, browser: string): Promise<OpenedSession> {
    const { sessions, secrets, digest, ids, clock } = this.#ports;
    const value = secrets.value();
    const session = newSession(
      { id: ids.next(), hash: digest.sha256(value), account_id, method, browser },
      clock.now(),
    );
    const toEnd = sessionsToEnd(await sessions.of(account_id), session.created_at);
    await sessions.add(session);
    await Promise.all(toEnd.map((ended) => sessions.end(ended)));
    return { value, session };
  }
}
