import type { Permit } from '../../domain/access/permit.ts';
import {
  amendPolicy,
  liftedDevices,
  type PolicyInForce,
  type PolicyInput,
  policyFaults,
  type Revocation,
} from '../../domain/policy/client-policy.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import type { Fault } from '../../domain/shared/fault.ts';
import { type Outcome, ok, type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { tooLarge } from '../store-document/document-files.ts';
import type { RecordWriter, SaveEffect } from '../store-document/record-writer.ts';

export type PolicySet = {
  readonly policy: PolicyInForce;
  readonly result: SaveEffect;
  /** The withdrawn devices that may run their product again. */
  readonly lifted: readonly Revocation[];
};

/** The refusal of a policy with faults. `data.faults` lists them. */
export const refusePolicy = (faults: readonly Fault[]): Refused<'invalid_policy'> =>
  refuse('invalid_policy', {
    message: `The policy has ${countOf(faults.length, 'fault')}; nothing was changed.`,
    data: { faults },
  });

/** The client policy in force. */
export const showPolicy = ({ policies }: Needs<'policies'>) =>
  async function showPolicy(): Promise<PolicyInForce> {
    return (await policies.read()).policy;
  };

type Ports = Needs<'catalogs' | 'clock' | 'policies'> & { recordWriter: RecordWriter };

/**
 * Puts a client policy into force. A policy with faults is refused with all of them, and nothing is written. Setting
 * the same policy again changes nothing; any other policy raises the version by one. A trial writes nothing.
 */
export const setPolicy = ({ catalogs, clock, policies, recordWriter }: Ports) =>
  async function setPolicy(
    permit: Permit,
    { trial, ...input }: PolicyInput & { readonly trial?: boolean | null },
  ): Promise<Outcome<PolicySet, 'invalid_policy'>> {
    const { products } = await catalogs.current();
    const faults = [...policyFaults(input, '', products), ...tooLarge('the policy', input)];
    if (faults.length > 0) return refusePolicy(faults);
    const before = (await policies.read()).policy;
    const lifted = liftedDevices(before, input);
    if (!trial) return ok({ ...(await recordWriter.policy(permit, input)), lifted });
    const policy = amendPolicy(before, input, clock.now());
    const effect = before.version === 0 ? 'created' : 'updated';
    return ok({ policy, result: policy === before ? 'unchanged' : effect, lifted });
  };
