import type { Session } from '../../domain/sign-in/session.ts';
import type { Sessions } from '../../ports/outbound/sign-in.ts';

export type Ports = { sessions: Sessions };

/** Signs a browser out, from its next request on. */
export const endSession =
  ({ sessions }: Ports) =>
  async (session: Session): Promise<void> => {
    await sessions.end(session);
  };

export type EndSession = ReturnType<typeof endSession>;
