import { agentTokenSecrets } from '../../../adapters/crypto/secrets.ts';
import { StoredAgentTokens } from '../../../adapters/store/agent-tokens.ts';
import { createAgentToken, listAgentTokens, revokeAgentToken } from '../../../application/access/agent-tokens.ts';
import { createApiKey, listApiKeys, revokeApiKey, revokeLeakedKey } from '../../../application/access/api-keys.ts';
import { authenticateAgent } from '../../../application/access/authenticate.ts';
import { mailLicenseKey, makeLicenseKey, showLicenseKeys } from '../../../application/licensing/license-keys.ts';
import type { AgentTokens, KeySecrets } from '../../../ports/outbound/access.ts';
import { ifSet, onAudited } from '../area.ts';

/** Creates, lists and revokes API keys and license keys. */
export const keys = {
  parts: {
    createApiKey,
    listApiKeys,
    makeLicenseKey,
    /** Null if the service sends no mail. */
    mailLicenseKey: ifSet('mailSettings', mailLicenseKey),
    revokeApiKey,
    revokeLeakedKey,
    showLicenseKeys,
  },
};

/** Identifies design agents by their tokens. A service with endpoints for agents has this area. */
export const agents = {
  parts: {
    agentTokens: onAudited<AgentTokens>(StoredAgentTokens),
    agentTokenSecrets: (): KeySecrets => agentTokenSecrets,
    authenticateAgent,
  },
};

/** Creates, lists and revokes the tokens of design agents, for the operator's commands. */
export const agentTokens = {
  parts: {
    createAgentToken,
    listAgentTokens,
    revokeAgentToken,
  },
};
