import type { Session } from '../../domain/sign-in/session.ts';

/** Browsers that are signed in. What signs somebody in comes before every gate, so that it needs no permit. */
export interface Sessions {
  /** The session with this hash unless it was ended. Strongly consistent: an end holds from the next request on. */
  find(hash: string): Promise<Session | undefined>;
  /** The account's sessions, oldest first, including some that ended recently. */
  of(accountId: number): Promise<Session[]>;
  /** Adds a session. */
  add(session: Session): Promise<void>;
  /** Records `last_seen_at` of a session; does nothing where it has ended, so that an end is never undone. */
  touch(session: Session): Promise<void>;
  /** Ends a session; does nothing where it has ended. */
  end(session: Session): Promise<void>;
}
