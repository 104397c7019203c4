import type { AgentToken } from '../../domain/access/agent-token.ts';
import type { AgentTokens } from '../../ports/outbound/credentials.ts';

/** The live tokens of design agents, oldest first. */
export const listAgentTokens =
  ({ agentTokens }: { agentTokens: AgentTokens }) =>
  (): Promise<AgentToken[]> =>
    agentTokens.list();

export type ListAgentTokens = ReturnType<typeof listAgentTokens>;
