import { agentTokenSecrets } from '../../../adapters/crypto/key-secrets.ts';
import { StoredAgentTokens } from '../../../adapters/store/agent-tokens.ts';
import { authenticateAgent } from '../../../application/access/authenticate-agent.ts';
import type { AgentTokens } from '../../../ports/outbound/agent-tokens.ts';
import type { KeySecrets } from '../../../ports/outbound/api-keys.ts';
import { onAudited } from '../area.ts';

/** Identifies design agents by their tokens. A service with endpoints for agents has this area. */
export const agents = {
  parts: {
    agentTokens: onAudited<AgentTokens>(StoredAgentTokens),
    agentTokenSecrets: (): KeySecrets => agentTokenSecrets,
    authenticateAgent,
  },
};
