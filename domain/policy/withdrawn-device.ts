import { countOf } from '../shared/count-of.ts';
import type { Fault } from '../shared/fault.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { type ClientPolicy, MOST_REVOKED, type PolicyWish, type Revocation } from './client-policy.ts';

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

/** The devices that `before` withdraws and the wish does not. A wish that leaves the list out lifts none. */
export const liftedDevices = (before: ClientPolicy, { revoked }: PolicyWish): readonly Revocation[] =>
  revoked === undefined ? [] : before.revoked.filter((device) => !isWithdrawn({ revoked }, device));

/** The most devices that one change lifts, because each has its own audit entry in the transaction of the change. */
export const LIFTED_AT_ONCE = 90;

/** The next step to a wish: the wish itself, or a part of what it lifts where that is too much for one change. */
export const stepTowards = (before: ClientPolicy, wish: PolicyWish): PolicyWish => {
  const lifted = liftedDevices(before, wish);
  if (lifted.length <= LIFTED_AT_ONCE) return wish;
  const { min_client_version, ttl_days, recheck_hours } = before;
  const first = { revoked: lifted.slice(0, LIFTED_AT_ONCE) };
  const revoked = before.revoked.filter((device) => !isWithdrawn(first, device));
  return { min_client_version, ttl_days, recheck_hours, revoked };
};

/** One warning for each device that a document's policy lifts. `slugOf` gives the product's slug. */
export const liftedWarnings = (
  before: ClientPolicy,
  wish: PolicyWish,
  slugOf: (productId: number) => string | undefined,
): Fault[] =>
  liftedDevices(before, wish).map(({ product_id, device_id }) => ({
    path: 'policy.revoked',
    message: `leaves out device ${device_id}, which was withdrawn and may run ${slugOf(product_id) ?? product_id} again; "device withdraw" forbids it anew`,
  }));
