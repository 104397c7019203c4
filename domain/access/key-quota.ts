import type { Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import { type ApiKey, isLive } from './api-key.ts';

/** Live keys per scope: account-wide keys and those of each product are counted apart (specification, Key rules). */
export const LIVE_KEY_QUOTA = 3;

/** Every key of one account and scope, live or not. */
export type KeyRing = {
  readonly account_id: number;
  readonly product_id: number | null;
  readonly keys: readonly ApiKey[];
};

/** What admitting a key does to its ring: the keys to revoke in the same step. */
export type Admission = { readonly revoke: readonly ApiKey[] };

const lastUse = (key: ApiKey): Instant => key.last_used_at ?? key.created_at;

/**
 * Decides whether a new key may join its ring.
 * A person's key needs a free slot. A device sign-in takes the slot of the least recently used key of its client where
 * none is free (`replaceOfClient` names the client); with no such key it is refused like any other.
 */
export const admitKey = (
  ring: KeyRing,
  now: Instant,
  replaceOfClient: string | null = null,
): Outcome<Admission, 'key_limit_reached'> => {
  const live = ring.keys.filter((key) => isLive(key, now));
  if (live.length < LIVE_KEY_QUOTA) return ok({ revoke: [] });
  const oldest = live
    .filter((key) => replaceOfClient !== null && key.kind === 'device' && key.client === replaceOfClient)
    .sort((a, b) => (lastUse(a) < lastUse(b) ? -1 : lastUse(a) > lastUse(b) ? 1 : a.id - b.id))[0];
  if (oldest) return ok({ revoke: [oldest] });
  return refuse('key_limit_reached', {
    message: `This account already has ${LIVE_KEY_QUOTA} live keys ${ring.product_id === null ? 'for the whole account' : `for product ${ring.product_id}`}; revoke one first.`,
    data: { limit: LIVE_KEY_QUOTA },
  });
};
