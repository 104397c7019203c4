import { principalOfToken } from '../../domain/access/agent-token.ts';
import type { AgentPrincipal } from '../../domain/access/principal.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type Ports = Needs<'agentTokenSecrets' | 'agentTokens'>;

/**
 * The principal of the live agent token with this value. A value without the form of a token is refused without a
 * look-up.
 */
export const authenticateAgent =
  ({ agentTokens, agentTokenSecrets }: Ports) =>
  async (value: string): Promise<Outcome<AgentPrincipal, 'invalid_api_key'>> => {
    const hash = agentTokenSecrets.hash(value);
    const token = hash && (await agentTokens.find(hash));
    return token ? ok(principalOfToken(token)) : refuse('invalid_api_key');
  };

export type AuthenticateAgent = ReturnType<typeof authenticateAgent>;
