import { type LiftAgreed, type PolicySet, refusePolicy } from '../../application/operations/set-policy.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { Fault } from '../../domain/shared/fault.ts';
import type { Outcome } from '../../domain/shared/outcome.ts';
import type { Service } from '../composition/service.ts';
import { checkForm } from './check-document.ts';
import { readJsonFile, type Unreadable } from './read-json-file.ts';

/** The fault with its path within the policy, from a fault of a store document's `policy`. */
const within = ({ path, message }: Fault): Fault => ({ path: path.replace(/^policy\.?/, '') || 'the policy', message });

/**
 * Puts the client policy in a file into force. The file has the form of `policy` in a store document. On a refusal
 * nothing has changed. `agreed` is asked before withdrawn devices are lifted. If the file is JSON but has faults,
 * `data.faults` has the path and message of each.
 */
export const loadPolicyFile = async (
  service: Service,
  file: string,
  permit: Permit,
  agreed?: LiftAgreed,
): Promise<Outcome<PolicySet, Unreadable | 'invalid_policy' | 'confirmation_required'>> => {
  const json = await readJsonFile(file, 'nothing was changed');
  if (!json.ok) return json;
  const checked = checkForm({ format: 1, policy: json.value });
  if ('faults' in checked) return refusePolicy(checked.faults.map(within));
  const { policy } = checked.document;
  if (!policy) throw new Error('A document that was given a policy has none.');
  return service.get('setPolicy').set(permit, policy, agreed);
};
