import type { Permit } from '../../domain/access/permit.ts';
import { type AuditEvent, savedEvent } from '../../domain/audit/event.ts';
import { DEFAULT_POLICY, type PolicyInForce } from '../../domain/policy/client-policy.ts';
import type { Policies, ReadPolicy } from '../../ports/outbound/policies.ts';
import type { Audited, AuditTrail } from './audit-trail.ts';
import { ifUnchanged } from './if-unchanged.ts';
import { itemOf } from './item-of.ts';
import { editionKeys } from './keys/editions.ts';
import { policyKey } from './keys/policy.ts';
import { CATALOG } from './keys/shared.ts';
import { changeOf, type PartitionCopy } from './partition-copy.ts';
import type { Table } from './table.ts';

/** The client policy, which requests read together with the catalog, whose edition it changes. */
export class StoredPolicies implements Policies {
  readonly #table: Table;
  readonly #trail: AuditTrail;
  readonly #copy: PartitionCopy;

  constructor({ table, auditTrail }: Audited, copy: PartitionCopy) {
    this.#table = table;
    this.#trail = auditTrail;
    this.#copy = copy;
  }

  async read(): Promise<ReadPolicy> {
    const item = await this.#table.get(policyKey);
    return { policy: item?.data ?? DEFAULT_POLICY, token: item?.version ?? null };
  }

  async save(
    permit: Permit,
    policy: PolicyInForce,
    { token, policy: before }: ReadPolicy,
    because: readonly AuditEvent[] = [],
  ): Promise<boolean> {
    const event = savedEvent({ kind: 'policy', id: policy.version }, token === null ? undefined : before, policy);
    const edition = await this.#table.get(editionKeys.edition(CATALOG));
    const saved = await this.#table.transact([
      { put: itemOf(policyKey, policy), condition: ifUnchanged(token) },
      ...[event, ...because].map((one) => this.#trail.entry(permit, one)),
      changeOf(CATALOG, edition, [policyKey.sk]),
    ]);
    if (saved) await this.#copy.changed();
    else this.#copy.forget();
    return saved;
  }
}
