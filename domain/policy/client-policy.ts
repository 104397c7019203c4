import { DAY_MS, type Instant, millis, toInstant } from '../shared/instant.ts';
import { isSameJson } from '../shared/same-json.ts';

/** A device that may not run a product, whatever its account owns. */
export type Revocation = { readonly product_id: number; readonly device_id: string };

/** The most devices that a policy revokes, because every client fetches the whole list. */
export const MOST_REVOKED = 2000;

/** The rules for clients (specification, Client policy), as the operator writes them. */
export type ClientPolicy = {
  readonly min_client_version: string;
  readonly revoked: readonly Revocation[];
  /** Days for which an application may run offline after an authoritative answer. */
  readonly ttl_days: number;
  /** Hours after which an application should ask again. */
  readonly recheck_hours: number;
};

/** The policy in force. */
export type PolicyInForce = ClientPolicy & {
  /** Grows by one with each change; 0 is the default policy. */
  readonly version: number;
  readonly changed_at: Instant;
};

/**
 * A policy to set. One without `revoked` keeps the list in force, so that an older document lets no withdrawn device
 * back in. An exported one brings its version and the moment of its change, so that clients that have seen this version
 * take it from another store too.
 */
export type PolicyWish = Omit<ClientPolicy, 'revoked'> & {
  readonly revoked?: readonly Revocation[] | undefined;
  readonly version?: number | undefined;
  readonly changed_at?: Instant | undefined;
};

/** The policy in force until the operator sets one. */
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
 * The policy in force after the operator has set `wish`: the wish under the next version, or under its own one if that
 * is later; `before` itself where the wish changes nothing. The order of revocations is no change.
 */
export const amendPolicy = (before: PolicyInForce, wish: PolicyWish, now: Instant): PolicyInForce => {
  const { min_client_version, ttl_days, recheck_hours } = wish;
  const revoked = (wish.revoked ?? before.revoked).toSorted(byProductThenDevice);
  const { version, changed_at } = before;
  const after = { min_client_version, revoked, ttl_days, recheck_hours, version, changed_at };
  // A policy that was set is version 1 even where it says what the default does.
  if (version > 0 && isSameJson(before, after)) return before;
  return wish.version !== undefined && wish.version > version
    ? { ...after, version: wish.version, changed_at: wish.changed_at ?? now }
    : { ...after, version: version + 1, changed_at: now };
};

/** Milliseconds for which one signature is given out: a 24th of `ttl_days`, and at most one day. */
const periodOf = ({ ttl_days }: ClientPolicy): number => Math.min((ttl_days * DAY_MS) / 24, DAY_MS);

/**
 * The `signed_at` of a policy's document: the latest of the policy's change, the first use of the key, and the
 * beginning of the current period. All processes therefore state the same moment, and the document is signed anew
 * before a 24th of `ttl_days` is over.
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
