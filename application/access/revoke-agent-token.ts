import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { AgentTokens } from '../../ports/outbound/credentials.ts';

/** Revokes the token of a design agent. It is refused from the next request on. */
export const revokeAgentToken =
  ({ agentTokens }: { agentTokens: AgentTokens }) =>
  async (permit: Permit, id: number): Promise<Outcome<{ readonly id: number }, 'agent_token_not_found'>> => {
    if (await agentTokens.revoke(permit, id)) return ok({ id });
    return refuse('agent_token_not_found', { message: `There is no live agent token ${id}.` });
  };

export type RevokeAgentToken = ReturnType<typeof revokeAgentToken>;
