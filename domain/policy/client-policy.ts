import { DAY_MS, type Instant, millis, toInstant } from '../shared/instant.ts';
import { isSameJson } from '../shared/same-json.ts';

/** A device that may not run a product, whatever its account owns. */
export type Revocation = { readonly product_id: number; readonly device_id: string };

/** What clients are told to hold to (specification, Client policy), as the operator writes it. */
export type ClientPolicy = {
  readonly min_client_version: string;
  readonly revoked: readonly Revocation[];
  /** Days that an application may go on offline after an authoritative answer. */
  readonly ttl_days: number;
  /** Hours after which it should ask again. */
  readonly recheck_hours: number;
};

/** The policy in force. */
export type PolicyInForce = ClientPolicy & {
  /** Grows by one with each change; 0 is the default, which no operator has set. */
  readonly version: number;
  readonly changed_at: Instant;
};

/** In force until the operator sets another. */
export const DEFAULT_POLICY: PolicyInForce = {
  min_client_version: '0.0.0',
  revoked: [],
  ttl_days: 14,
  recheck_hours: 24,
  version: 0,
  changed_at: '1970-01-01T00:00:00.000Z',
};

const byProductThenDevice = (a: Revocation, b: Revocation): number =>
  a.product_id - b.product_id || (a.device_id < b.device_id ? -1 : a.device_id > b.device_id ? 1 : 0);

/**
 * The policy that is in force once the operator has set `wish`: the very one before, where nothing in it would change
 * (the order of revocations is no change), else the wish under the next version.
 */
export const amendPolicy = (before: PolicyInForce, wish: ClientPolicy, now: Instant): PolicyInForce => {
  const { min_client_version, ttl_days, recheck_hours } = wish;
  const revoked = wish.revoked.toSorted(byProductThenDevice);
  const { version, changed_at } = before;
  const after = { min_client_version, revoked, ttl_days, recheck_hours, version, changed_at };
  // A policy that was set is version 1 even where it says what the default does.
  if (version > 0 && isSameJson(before, after)) return before;
  return { ...after, version: version + 1, changed_at: now };
};

/** How long a signed document may be given out before it is signed anew: a 24th of its life, and no more than a day. */
const periodOf = ({ ttl_days }: ClientPolicy): number => Math.min((ttl_days * DAY_MS) / 24, DAY_MS);

/**
 * The moment that a policy's document says it was signed at: the latest of the policy's change, the key's coming into
 * use, and the beginning of the current period. So all processes say the same, and a document grows old in no client's
 * hands: it is signed anew before a 24th of `ttl_days` is over.
 */
export const signedAt = (policy: PolicyInForce, keyInUseFrom: Instant | null, now: Instant): Instant => {
  const period = periodOf(policy);
  const begun = toInstant(Math.floor(millis(now) / period) * period);
  return [policy.changed_at, keyInUseFrom ?? begun].reduce(
    (latest, moment) => (moment > latest ? moment : latest),
    begun,
  );
};

/** ClientConfigData of the specification, without its signature. */
export type PolicyDocument = {
  readonly min_client_version: string;
  readonly revoked: readonly Revocation[];
  readonly policy: { readonly ttl_days: number; readonly recheck_hours: number };
  readonly signed_at: Instant;
  readonly version: number;
};

export const policyDocument = (policy: PolicyInForce, signed_at: Instant): PolicyDocument => ({
  min_client_version: policy.min_client_version,
  revoked: policy.revoked,
  policy: { ttl_days: policy.ttl_days, recheck_hours: policy.recheck_hours },
  signed_at,
  version: policy.version,
});
