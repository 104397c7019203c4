import { countOf } from '../shared/count-of.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { type ClientPolicy, MOST_REVOKED, type Revocation } from './client-policy.ts';

const isSame = (a: Revocation, b: Revocation): boolean => a.product_id === b.product_id && a.device_id === b.device_id;

/** True where the policy withdraws the device for the product. */
export const isWithdrawn = ({ revoked }: Pick<ClientPolicy, 'revoked'>, device: Revocation): boolean =>
  revoked.some((one) => isSame(one, device));

/**
 * The policy with one more withdrawn device, or the policy itself where it withdraws the device already. It is refused
 * where the policy has no room, because every client fetches the whole list.
 */
export const withWithdrawn = <P extends ClientPolicy>(policy: P, device: Revocation): Outcome<P, 'policy_is_full'> => {
  if (isWithdrawn(policy, device)) return ok(policy);
  if (policy.revoked.length >= MOST_REVOKED) {
    return refuse('policy_is_full', {
      message: `The client policy lists ${countOf(MOST_REVOKED, 'withdrawn device')}, which is the most it holds; take one off by "device restore", or end this device's keys by "device release --revoke-keys".`,
    });
  }
  return ok({ ...policy, revoked: [...policy.revoked, device] });
};

/** The policy without a withdrawn device, or the policy itself where it does not withdraw the device. */
export const withoutWithdrawn = <P extends ClientPolicy>(policy: P, device: Revocation): P =>
  isWithdrawn(policy, device) ? { ...policy, revoked: policy.revoked.filter((one) => !isSame(one, device)) } : policy;
