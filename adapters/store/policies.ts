import { DEFAULT_POLICY, type PolicyInForce } from '../../domain/policy/client-policy.ts';
import type { Policies, ReadPolicy } from '../../ports/outbound/policies.ts';
import { keys } from './keys.ts';
import type { Table } from './table.ts';

/** The client policy, which lies with the catalog so that it is read with it. `saved` is told of each change. */
export class StoredPolicies implements Policies {
  readonly #table: Table;
  readonly #saved: () => void;

  constructor(table: Table, saved: () => void) {
    this.#table = table;
    this.#saved = saved;
  }

  async read(): Promise<ReadPolicy> {
    const item = await this.#table.get(keys.policy());
    return { policy: item?.data ?? DEFAULT_POLICY, token: item?.version ?? null };
  }

  async save(policy: PolicyInForce, { token }: ReadPolicy): Promise<boolean> {
    const item = { ...keys.policy(), data: policy };
    const saved = await this.#table.put(item, token === null ? { absent: true } : { version: token });
    this.#saved();
    return saved;
  }
}
