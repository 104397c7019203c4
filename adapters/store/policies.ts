import { DEFAULT_POLICY, type PolicyInForce } from '../../domain/policy/client-policy.ts';
import type { Policies, ReadPolicy } from '../../ports/outbound/policies.ts';
import { ifUnchanged } from './if-unchanged.ts';
import { itemOf } from './item-of.ts';
import { policyKey } from './keys/policy.ts';
import type { Table } from './table.ts';

/** The client policy, which requests read together with the catalog. It calls `saved` after each attempt to save. */
export class StoredPolicies implements Policies {
  readonly #table: Table;
  readonly #saved: () => void;

  constructor(table: Table, saved: () => void) {
    this.#table = table;
    this.#saved = saved;
  }

  async read(): Promise<ReadPolicy> {
    const item = await this.#table.get(policyKey);
    return { policy: item?.data ?? DEFAULT_POLICY, token: item?.version ?? null };
  }

  async save(policy: PolicyInForce, { token }: ReadPolicy): Promise<boolean> {
    const saved = await this.#table.put(itemOf(policyKey, policy), ifUnchanged(token));
    this.#saved();
    return saved;
  }
}
