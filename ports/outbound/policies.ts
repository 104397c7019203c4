import type { Permit } from '../../domain/access/permit.ts';
import type { AuditEvent } from '../../domain/audit/event.ts';
import type { PolicyInForce } from '../../domain/policy/client-policy.ts';

/** The policy as it was read, past every cache; `token` is null while no policy was set. */
export type ReadPolicy = { readonly policy: PolicyInForce; readonly token: string | null };

/** The writing side of the client policy, for the operator's tools. Requests read the policy with the catalog. */
export interface Policies {
  read(): Promise<ReadPolicy>;
  /**
   * Writes the policy; false, with nothing written, where it has changed since it was read. `because` are events that
   * the audit log tells beside the change of the policy.
   */
  save(permit: Permit, policy: PolicyInForce, read: ReadPolicy, because?: readonly AuditEvent[]): Promise<boolean>;
}
