import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Sessions } from '../../ports/outbound/sign-in.ts';

export type Ports = { sessions: Sessions };

/** Ends one of an account's sessions. Another account's session answers as if there were none. */
export const endOwnSession =
  ({ sessions }: Ports) =>
  async (_permit: Permit, accountId: number, sessionId: number): Promise<Outcome<null, 'session_not_found'>> => {
    const session = (await sessions.of(accountId)).find(({ id }) => id === sessionId);
    if (!session) return refuse('session_not_found', { message: 'That session has already ended.' });
    await sessions.end(session);
    return ok(null);
  };

export type EndOwnSession = ReturnType<typeof endOwnSession>;
