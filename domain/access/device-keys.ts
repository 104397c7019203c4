import type { Instant } from '../shared/instant.ts';
import { type ApiKey, isLive } from './api-key.ts';
import { admitKey, type ScopeKeys } from './key-quota.ts';

/** The keys that one key's bulk activation made. */
export const childrenOf = (keys: readonly ApiKey[], { id }: Pick<ApiKey, 'id'>): ApiKey[] =>
  keys.filter(({ parent_id }) => parent_id === id);

/** The live keys of the device that signed in with a key: those that its bulk activation made, and the key itself. */
export const deviceKeys = (keys: readonly ApiKey[], { id }: Pick<ApiKey, 'id'>, now: Instant): ApiKey[] =>
  keys.filter((key) => isLive(key, now) && (key.parent_id === id || key.id === id));

export type ActivationStep =
  | { readonly status: 'existing'; readonly key: ApiKey }
  | { readonly status: 'created' | 'key_limit_reached' };

/**
 * The decision of bulk activation about one product: a device that has a live key of it keeps that, else a key is made
 * where the product's scope has room. So a repeated call makes none twice.
 */
export const activationStep = (scope: ScopeKeys, parent: ApiKey, now: Instant): ActivationStep => {
  const [key] = deviceKeys(scope.keys, parent, now);
  if (key) return { status: 'existing', key };
  return { status: admitKey(scope, now).ok ? 'created' : 'key_limit_reached' };
};
