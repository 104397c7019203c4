import { createAgentToken } from '../../../application/access/create-agent-token.ts';
import { listAgentTokens } from '../../../application/access/list-agent-tokens.ts';
import { revokeAgentToken } from '../../../application/access/revoke-agent-token.ts';

/** Creates, lists and revokes the tokens of design agents, for the operator's commands. */
export const agentTokens = {
  parts: {
    createAgentToken,
    listAgentTokens,
    revokeAgentToken,
  },
};
