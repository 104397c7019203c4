import type { AgentToken } from '../../domain/access/agent-token.ts';
import type { Permit } from '../../domain/access/permit.ts';

export interface AgentTokens {
  /** The live token with this hash. Strongly consistent: a revocation holds from the next call on. */
  find(hash: string): Promise<AgentToken | undefined>;
  add(permit: Permit, token: AgentToken): Promise<void>;
  /** Every live token, in the order of ids. */
  list(): Promise<AgentToken[]>;
  /** Ends a token; false where there is none with this id. */
  revoke(permit: Permit, id: number): Promise<boolean>;
}
