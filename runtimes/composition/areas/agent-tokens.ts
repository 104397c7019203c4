import { createAgentToken, listAgentTokens, revokeAgentToken } from '../../../application/access/agent-tokens.ts';

/** Creates, lists and revokes the tokens of design agents, for the operator's commands. */
export const agentTokens = {
  parts: {
    createAgentToken,
    listAgentTokens,
    revokeAgentToken,
  },
};
