import type { Permit } from '../../domain/access/permit.ts';
import type { AgentToken } from '../../domain/access/principal.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import type { AgentTokens } from '../../ports/outbound/access.ts';
import { accessKeys } from './keys/access.ts';
import { allRecords, itemOf } from './records.ts';
import { Audited } from './repository.ts';

/**
 * A token has an item under its hash, which is all that a request reads, and an item in the list of tokens. One
 * transaction writes both, and one transaction removes both.
 */
export class StoredAgentTokens extends Audited implements AgentTokens {
  async find(hash: string): Promise<AgentToken | undefined> {
    return (await this.table.get(accessKeys.agentToken(hash)))?.data;
  }

  async add(permit: Permit, token: AgentToken): Promise<void> {
    const written = await this.table.transact([
      { put: itemOf(accessKeys.agentToken(token.hash), token), condition: { absent: true } },
      { put: itemOf(accessKeys.listedAgentToken(token.id), token), condition: { absent: true } },
      this.trail.entry(permit, auditEvent({ kind: 'agent_token', id: token.id }, 'created', undefined, token)),
    ]);
    if (!written) throw new Error(`There is an agent token ${token.id} already.`);
  }

  list(): Promise<AgentToken[]> {
    return allRecords(this.table, accessKeys.agentTokens);
  }

  async revoke(permit: Permit, id: number): Promise<boolean> {
    const listed = await this.table.get(accessKeys.listedAgentToken(id));
    if (!listed) return false;
    return this.table.transact([
      { remove: accessKeys.listedAgentToken(id), condition: { version: listed.version } },
      { remove: accessKeys.agentToken(listed.data.hash) },
      this.trail.entry(permit, auditEvent({ kind: 'agent_token', id }, 'revoked')),
    ]);
  }
}
