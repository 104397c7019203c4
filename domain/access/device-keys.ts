import { type Instant, millis } from '../shared/instant.ts';
import { type ApiKey, isLive } from './api-key.ts';
import { admitKey, type ScopeKeys } from './key-quota.ts';
import { REPLAY_HOURS } from './replay.ts';

/** The keys that one key's bulk activation made. */
export const childrenOf = (keys: readonly ApiKey[], { id }: Pick<ApiKey, 'id'>): ApiKey[] =>
  keys.filter(({ parent_id }) => parent_id === id);

/** The live keys of the device that signed in with a key: those that its bulk activation made, and the key itself. */
export const deviceKeys = (keys: readonly ApiKey[], { id }: Pick<ApiKey, 'id'>, now: Instant): ApiKey[] =>
  keys.filter((key) => isLive(key, now) && (key.parent_id === id || key.id === id));

/** The keys that were signed in on a device and reach a product: those of the product, and those of the account. */
export const keysOfDevice = (keys: readonly ApiKey[], productId: number, deviceId: string): ApiKey[] =>
  keys.filter(
    ({ device, product_id }) => device?.device_id === deviceId && (product_id === null || product_id === productId),
  );

/** A call of bulk activation. */
export type ActivationCall = {
  /** The moment at which the call began. */
  readonly begun_at: Instant;
  /** Hash of the parent key and the call's Idempotency-Key; null where the call has none. */
  readonly request_hash: string | null;
};

/**
 * Milliseconds between which the repetition of a call without an Idempotency-Key counts as such. Sooner it may be
 * another call at the same time, whose answer is on its way. Later the client may have kept the key without using it.
 */
const REPEATED_FROM_MS = 5000;
const REPEATED_TO_MS = 10 * 60_000;

/** Milliseconds for which a call with the same Idempotency-Key counts as the same one. */
const SAME_REQUEST_MS = REPLAY_HOURS * 3_600_000;

/**
 * True for a product key whose value was lost with the answer that had it: the same device asks again, and nobody has
 * used the key. A key that was made since the call began belongs to another call at the same time.
 */
const isLost = (key: ApiKey, parent: Pick<ApiKey, 'id'>, { begun_at, request_hash }: ActivationCall): boolean => {
  const age = millis(begun_at) - millis(key.created_at);
  if (key.parent_id !== parent.id || key.last_used_at !== null || age <= 0) return false;
  const isRepeated = age >= REPEATED_FROM_MS && age <= REPEATED_TO_MS;
  return isRepeated || (request_hash !== null && key.request_hash === request_hash && age <= SAME_REQUEST_MS);
};

export type ActivationStep =
  | { readonly status: 'existing'; readonly key: ApiKey }
  /** `lost` are the keys to revoke in the same step. */
  | { readonly status: 'created'; readonly lost: readonly ApiKey[] }
  | { readonly status: 'key_limit_reached' };

/**
 * The decision of bulk activation about one product: a device that has a live key of it keeps that, else a key is made
 * where the product's scope has room. So a repeated call makes none twice. A key whose value was lost is made anew in
 * its own place.
 */
export const activationStep = (
  scope: ScopeKeys,
  parent: ApiKey,
  call: ActivationCall,
  quota: number,
  now: Instant,
): ActivationStep => {
  const own = deviceKeys(scope.keys, parent, now);
  const lost = own.filter((key) => isLost(key, parent, call));
  const kept = own.find((key) => !lost.includes(key));
  if (kept) return { status: 'existing', key: kept };
  const others = { ...scope, keys: scope.keys.filter((key) => !lost.includes(key)) };
  return admitKey(others, quota, now).ok ? { status: 'created', lost } : { status: 'key_limit_reached' };
};
