import type { PolicyInForce } from '../../domain/policy/client-policy.ts';

/** The policy as it was read, past any cache; `token` is null while none was set. */
export type ReadPolicy = { readonly policy: PolicyInForce; readonly token: string | null };

/** The writing side of the client policy, for the operator's tools. Requests read it with the catalog. */
export interface Policies {
  read(): Promise<ReadPolicy>;
  /** Writes the policy; false where it has changed since it was read. */
  save(policy: PolicyInForce, read: ReadPolicy): Promise<boolean>;
}
