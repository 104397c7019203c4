import type { AgentToken } from '../../domain/access/agent-token.ts';
import type { AgentTokens } from '../../ports/outbound/agent-tokens.ts';

/** The live tokens of design agents, oldest first. */
export class ListAgentTokens {
  readonly #agentTokens: AgentTokens;

  constructor({ agentTokens }: { agentTokens: AgentTokens }) {
    this.#agentTokens = agentTokens;
  }

  execute(): Promise<AgentToken[]> {
    return this.#agentTokens.list();
  }
}
