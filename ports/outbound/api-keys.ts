import type { ApiKey } from '../../domain/access/api-key.ts';
import type { KeyRing } from '../../domain/access/key-quota.ts';
import type { Instant } from '../../domain/shared/instant.ts';

/** A ring as it was read, with what is needed to write it back only if nobody else has. */
export type ReadRing = KeyRing & { readonly version: string | null };

export interface ApiKeys {
  /** The key with this hash unless it was revoked; strongly consistent, so a revocation holds from the next call on. */
  find(hash: string): Promise<ApiKey | undefined>;
  /** The keys of one account and scope. */
  ring(accountId: number, productId: number | null): Promise<ReadRing>;
  /** Every ring of the account. */
  rings(accountId: number): Promise<ReadRing[]>;
  /** The ring that holds a key. */
  ringOf(keyId: number): Promise<ReadRing | undefined>;
  /** Adds and revokes in one step; false where the ring has changed since it was read. */
  change(ring: ReadRing, change: { add?: ApiKey; revoke?: readonly ApiKey[] }, now: Instant): Promise<boolean>;
  /** Records a use of the key. */
  touch(key: ApiKey, now: Instant): Promise<void>;
}

export interface KeySecrets {
  /** A new key value with its hash and visible prefix. */
  mint(): { readonly value: string; readonly hash: string; readonly prefix: string };
  /** The hash of a well-formed key value; undefined for anything else, so that it is refused without a look-up. */
  hash(value: string): string | undefined;
}
