import { agentTokenSecrets } from '../../../adapters/crypto/secrets.ts';
import { StoredAgentTokens } from '../../../adapters/store/agent-tokens.ts';
import { authenticateAgent } from '../../../application/access/authenticate.ts';
import type { AgentTokens, KeySecrets } from '../../../ports/outbound/credentials.ts';
import { onAudited } from '../area.ts';

/** Identifies design agents by their tokens. A service with endpoints for agents has this area. */
export const agents = {
  parts: {
    agentTokens: onAudited<AgentTokens>(StoredAgentTokens),
    agentTokenSecrets: (): KeySecrets => agentTokenSecrets,
    authenticateAgent,
  },
};
