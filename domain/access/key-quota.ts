import { countOf } from '../shared/count-of.ts';
import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { type ApiKey, isLive } from './api-key.ts';

/**
 * Live keys per scope, unless the operator sets another number. Account-wide keys and the keys of each product are
 * separate scopes (specification, Key rules).
 */
export const LIVE_KEY_QUOTA = 3;

/** The highest number that the operator may set: the keys of a scope are one item, and change in one transaction. */
export const MOST_LIVE_KEYS = 30;

/** Every key of one account and scope, live or not. The scope is one product, or the whole account (null). */
export type ScopeKeys = {
  readonly account_id: number;
  readonly product_id: number | null;
  readonly keys: readonly ApiKey[];
};

/** Permission to add a key, with the keys to revoke in the same step. */
export type KeyAdmission = { readonly revoke: readonly ApiKey[] };

const lastUse = (key: ApiKey): Instant => key.last_used_at ?? key.created_at;

/**
 * Decides whether a scope takes one more key. A person's key needs a free slot. A device sign-in replaces the least
 * recently used device key of the client that `replaceOfClient` names where no slot is free. A sign-in without such a
 * key is refused too. License keys don't count.
 */
export const admitKey = (
  scope: ScopeKeys,
  quota: number,
  now: Instant,
  replaceOfClient: string | null = null,
): Outcome<KeyAdmission, 'key_limit_reached'> => {
  const live = scope.keys.filter((key) => key.kind !== 'license' && isLive(key, now));
  if (live.length < quota) return ok({ revoke: [] });
  const oldest = live
    .filter((key) => replaceOfClient !== null && key.kind === 'device' && key.client === replaceOfClient)
    .sort((a, b) => (lastUse(a) < lastUse(b) ? -1 : lastUse(a) > lastUse(b) ? 1 : a.id - b.id))[0];
  if (oldest) return ok({ revoke: [oldest] });
  const names = live.map(({ prefix, name }) => `${prefix}… (${name})`).join(', ');
  return refuse('key_limit_reached', {
    message: `This account already has ${countOf(live.length, 'live key')} ${scope.product_id === null ? 'for the whole account' : `for product ${scope.product_id}`}: ${names}; revoke one first.`,
    data: { limit: quota },
  });
};
