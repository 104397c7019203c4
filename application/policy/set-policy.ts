import type { Permit } from '../../domain/access/permit.ts';
import {
  liftedDevices,
  type PolicyInForce,
  type PolicyWish,
  policyFaults,
  type Revocation,
} from '../../domain/policy/client-policy.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import type { Fault } from '../../domain/shared/fault.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { Catalogs } from '../../ports/outbound/catalog.ts';
import { tooLarge } from '../store-document/document-files.ts';
import type { RecordWriter, SaveEffect } from '../store-document/record-writer.ts';

export type PolicySet = { readonly policy: PolicyInForce; readonly result: SaveEffect };

/** Asks whether these devices may run their product again. */
export type LiftAgreed = (lifted: readonly Revocation[]) => Promise<Outcome<null, 'confirmation_required'>>;

/** The refusal of a policy with faults. `data.faults` lists them. */
export const refusePolicy = (faults: readonly Fault[]): Refused<'invalid_policy'> =>
  refuse('invalid_policy', {
    message: `The policy has ${countOf(faults.length, 'fault')}; nothing was changed.`,
    data: { faults },
  });

/**
 * Puts a client policy into force. A policy with faults is refused with all of them, and nothing is written. Setting
 * the same policy again changes nothing; any other policy raises the version by one.
 */
export const setPolicy = ({ catalogs, recordWriter }: { catalogs: Catalogs; recordWriter: RecordWriter }) => {
  /** All faults of the policy, each with its path. */
  const faultsOf = async (policy: PolicyWish): Promise<Fault[]> => {
    const { products } = await catalogs.current();
    return [...policyFaults(policy, '', products), ...tooLarge('the policy', policy)];
  };

  /** `agreed` is called before a valid policy restores withdrawn devices. */
  const set = async (
    permit: Permit,
    policy: PolicyWish,
    agreed: LiftAgreed = async () => ok(null),
  ): Promise<Outcome<PolicySet, 'invalid_policy' | 'confirmation_required'>> => {
    const faults = await faultsOf(policy);
    if (faults.length > 0) return refusePolicy(faults);
    const lifted = liftedDevices((await catalogs.current()).policy, policy);
    const agreement = lifted.length === 0 ? ok(null) : await agreed(lifted);
    return agreement.ok ? ok(await recordWriter.policy(permit, policy)) : agreement;
  };

  return { faultsOf, set };
};
