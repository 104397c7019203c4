import { CreateAgentToken } from '../../../application/access/create-agent-token.ts';
import { ListAgentTokens } from '../../../application/access/list-agent-tokens.ts';
import { RevokeAgentToken } from '../../../application/access/revoke-agent-token.ts';
import { part } from '../area.ts';

/** Creates, lists and revokes the tokens of design agents, for the operator's commands. */
export const agentTokens = {
  parts: {
    createAgentToken: part(CreateAgentToken),
    listAgentTokens: part(ListAgentTokens),
    revokeAgentToken: part(RevokeAgentToken),
  },
};
