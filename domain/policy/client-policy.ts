import { compareText } from '../shared/compare-text.ts';
import { countOf } from '../shared/count-of.ts';
import { dangling, type Fault, repeats } from '../shared/fault.ts';
import { DAY_MS, type Instant, millis, toInstant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { isSameJson } from '../shared/same-json.ts';

/** A device that may not run a product, whatever the account owns. */
export type Revocation = { readonly product_id: number; readonly device_id: string };

/** The maximum number of devices that a policy revokes, because every client fetches the whole list. */
export const MOST_REVOKED = 2000;

/** The rules for clients (docs/your-app.md, Follow the client policy), as the operator writes them. */
export type ClientPolicy = {
  readonly min_client_version: string;
  readonly revoked: readonly Revocation[];
  /** Days for which an application may run offline after a license check. */
  readonly ttl_days: number;
  /** Hours after which an application should ask again. */
  readonly recheck_hours: number;
};

export type PolicyInForce = ClientPolicy & {
  /** Grows by one with each change; 0 is the default policy. */
  readonly version: number;
  readonly changed_at: Instant;
};

/**
 * A policy to set. Without `revoked` the current list stays, so an older document can't restore a withdrawn device. An
 * exported policy includes its version and time of change, so clients that have seen this version accept it from
 * another store too.
 */
export type PolicyInput = Omit<ClientPolicy, 'revoked'> & {
  readonly revoked?: readonly Revocation[] | null | undefined;
  readonly version?: number | null | undefined;
  readonly changed_at?: Instant | null | undefined;
};

/** The policy that applies until the operator sets one. */
export const DEFAULT_POLICY: PolicyInForce = {
  min_client_version: '0.0.0',
  revoked: [],
  ttl_days: 14,
  recheck_hours: 24,
  version: 0,
  changed_at: '1970-01-01T00:00:00.000Z',
};

const byProductThenDevice = (a: Revocation, b: Revocation): number =>
  a.product_id - b.product_id || compareText(a.device_id, b.device_id);

/**
 * The policy after the operator sets `input`: with the next version, or its own if that is later; `before` itself if
 * nothing changes. The order of revocations doesn't matter.
 */
export const amendPolicy = (before: PolicyInForce, input: PolicyInput, now: Instant): PolicyInForce => {
  const { min_client_version, ttl_days, recheck_hours } = input;
  const revoked = (input.revoked ?? before.revoked).toSorted(byProductThenDevice);
  const { version, changed_at } = before;
  const after = { min_client_version, revoked, ttl_days, recheck_hours, version, changed_at };
  // A policy that was set is version 1 even if it equals the default.
  if (version > 0 && isSameJson(before, after)) return before;
  return (input.version ?? 0) > version
    ? { ...after, version: input.version ?? 0, changed_at: input.changed_at ?? now }
    : { ...after, version: version + 1, changed_at: now };
};

/** Milliseconds for which one signature is used: a 24th of `ttl_days`, at most one day. */
const periodOf = ({ ttl_days }: ClientPolicy): number => Math.min((ttl_days * DAY_MS) / 24, DAY_MS);

/**
 * The `signed_at` of a policy's document: the latest of the policy's change, the first use of the key, and the
 * beginning of the current period. All processes therefore use the same time, and the document is signed again before a
 * 24th of `ttl_days` is over.
 */
export const signedAt = (policy: PolicyInForce, keyInUseFrom: Instant | null, now: Instant): Instant => {
  const period = periodOf(policy);
  const begun = toInstant(Math.floor(millis(now) / period) * period);
  return [policy.changed_at, keyInUseFrom ?? begun].reduce(
    (latest, moment) => (moment > latest ? moment : latest),
    begun,
  );
};

/** `ClientConfigData` of the OpenAPI document, without its signature. */
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

const isSame = (a: Revocation, b: Revocation): boolean => a.product_id === b.product_id && a.device_id === b.device_id;

/** True if the policy withdraws the device for the product. */
export const isWithdrawn = ({ revoked }: Pick<ClientPolicy, 'revoked'>, device: Revocation): boolean =>
  revoked.some((one) => isSame(one, device));

/**
 * The policy with one more withdrawn device, or unchanged if it has the device already. Refused if the list is full,
 * because every client fetches all of it.
 */
export const withWithdrawn = <P extends ClientPolicy>(policy: P, device: Revocation): Outcome<P, 'policy_is_full'> => {
  if (isWithdrawn(policy, device)) return ok(policy);
  if (policy.revoked.length >= MOST_REVOKED) {
    return refuse('policy_is_full', {
      message: `The client policy lists ${countOf(MOST_REVOKED, 'withdrawn device')}, its maximum; remove one with "device restore", or end this device's keys with "device release --revoke-keys".`,
    });
  }
  return ok({ ...policy, revoked: [...policy.revoked, device] });
};

/** The policy without a withdrawn device, or unchanged if it doesn't have the device. */
export const withoutWithdrawn = <P extends ClientPolicy>(policy: P, device: Revocation): P =>
  isWithdrawn(policy, device) ? { ...policy, revoked: policy.revoked.filter((one) => !isSame(one, device)) } : policy;

/** The devices that `before` withdraws and the input does not. An input without a list restores none. */
export const liftedDevices = (before: ClientPolicy, { revoked }: PolicyInput): readonly Revocation[] =>
  !revoked ? [] : before.revoked.filter((device) => !isWithdrawn({ revoked }, device));

/** The maximum number of devices that one change restores, because each has its own audit entry in the transaction. */
export const LIFTED_AT_ONCE = 90;

/** The next step to a policy: the policy itself, or a part if it restores too many devices for one change. */
export const stepTowards = (before: ClientPolicy, input: PolicyInput): PolicyInput => {
  const lifted = liftedDevices(before, input);
  if (lifted.length <= LIFTED_AT_ONCE) return input;
  const { min_client_version, ttl_days, recheck_hours } = before;
  const first = { revoked: lifted.slice(0, LIFTED_AT_ONCE) };
  const revoked = before.revoked.filter((device) => !isWithdrawn(first, device));
  return { min_client_version, ttl_days, recheck_hours, revoked };
};

/** One warning for each device that a document's policy restores. `slugOf` returns the product's slug. */
export const liftedWarnings = (
  before: ClientPolicy,
  input: PolicyInput,
  slugOf: (product_id: number) => string | undefined,
): Fault[] =>
  liftedDevices(before, input).map(({ product_id, device_id }) => ({
    path: 'policy.revoked',
    message: `leaves out device ${device_id}, which was withdrawn and may run ${slugOf(product_id) ?? product_id} again; "device withdraw" withdraws it again`,
  }));

/** The faults of a policy's references. `at` is the path of the policy in its document, with a trailing period. */
export const policyFaults = ({ revoked }: PolicyInput, at: string, products: { has(id: number): boolean }): Fault[] => [
  ...(revoked ?? []).flatMap(({ product_id }, i) =>
    dangling(`${at}revoked.${i}.product_id`, 'product', product_id, products),
  ),
  ...repeats(
    revoked ?? [],
    ({ product_id, device_id }) => `${product_id} ${device_id}`,
    (i) => ({ path: `${at}revoked.${i}`, message: 'repeats an earlier entry' }),
  ),
];
