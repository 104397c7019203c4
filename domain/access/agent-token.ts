import type { Instant } from '../shared/instant.ts';
import type { AgentPrincipal, TokenRole } from './principal.ts';

/** The most characters of an agent's name. */
export const LONGEST_AGENT_NAME = 100;

/** The token of a design agent. Only the SHA-256 hash of its value is kept; `prefix` is the part that lists show. */
export type AgentToken = {
  readonly id: number;
  readonly hash: string;
  readonly prefix: string;
  readonly role: TokenRole;
  /** The operator's name for the agent, on one line. */
  readonly name: string;
  readonly created_at: Instant;
};

/** The principal of a live agent token. */
export const principalOfToken = ({ id, role, name }: AgentToken): AgentPrincipal => ({ kind: 'agent', id, role, name });
