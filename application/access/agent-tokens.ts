import type { Permit } from '../../domain/access/permit.ts';
import { type AgentToken, LONGEST_AGENT_NAME, type TokenRole } from '../../domain/access/principal.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { plainName } from '../../domain/shared/plain-text.ts';
import type { AgentTokens } from '../../ports/outbound/access.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

export type AgentTokenInput = { readonly role: TokenRole; readonly name: string };

/** A new token and its value, which is stored nowhere. */
export type CreatedAgentToken = { readonly value: string; readonly token: AgentToken };

type Ports = Needs<'agentTokenSecrets' | 'agentTokens' | 'clock' | 'ids'>;

export const createAgentToken = ({ agentTokens, agentTokenSecrets, clock, ids }: Ports) =>
  async function createAgentToken(
    permit: Permit,
    request: AgentTokenInput,
  ): Promise<Outcome<CreatedAgentToken, 'name_is_empty'>> {
    const name = plainName(request.name, LONGEST_AGENT_NAME);
    if (name === null)
      return refuse('name_is_empty', { message: 'The name contains no visible characters; choose another.' });
    const { value, ...stored } = agentTokenSecrets.mint();
    const token: AgentToken = { id: ids.next(), ...stored, role: request.role, name, created_at: clock.now() };
    await agentTokens.add(permit, token);
    return ok({ value, token });
  };

/** The live tokens of design agents, oldest first. */
export const listAgentTokens = ({ agentTokens }: { agentTokens: AgentTokens }) =>
  function listAgentTokens(): Promise<AgentToken[]> {
    return agentTokens.list();
  };

/** Revokes the token of a design agent. It is refused from the next request on. */
export const revokeAgentToken = ({ agentTokens }: { agentTokens: AgentTokens }) =>
  async function revokeAgentToken(
    permit: Permit,
    { token_id: id }: { readonly token_id: number },
  ): Promise<Outcome<{ readonly id: number }, 'agent_token_not_found'>> {
    if (await agentTokens.revoke(permit, id)) return ok({ id });
    return refuse('agent_token_not_found', { message: `There is no live agent token ${id}.` });
  };
