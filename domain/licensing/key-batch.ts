import { type ApiKey, type FreshKey, licenseKeys, newLicenseKey, type ScopeKeys } from '../access/api-key.ts';
import { type Account, keyAddress } from '../accounts/account.ts';
import { addDays, type Instant } from '../shared/instant.ts';
import { type Outcome, ok, refuse } from '../shared/outcome.ts';
import type { Entitlement } from './entitlement.ts';

/** The maximum number of keys in a batch, and of those that one call makes: its answer has their values. */
export const MOST_BATCH_KEYS = 10_000;
export const KEYS_IN_ANSWER = 1000;

/** The maximum number of live license keys of an account and a product: they are one item. */
export const MOST_LICENSE_KEYS = 10;

/** The license that each key of a batch brings. Days count from the first use; null is for good, or all releases. */
export type BatchTerms = {
  readonly product_id: number;
  readonly access_days: number | null;
  readonly updates_days: number | null;
  /** Null means the product's limit. */
  readonly device_limit: number | null;
  /** Absent for the product's lowest edition. */
  readonly edition?: string | undefined;
};

/** License keys made in advance, for people who are not known yet. */
export type KeyBatch = BatchTerms & {
  readonly id: number;
  readonly name: string;
  readonly created_at: Instant;
  /** The keys made so far. */
  readonly count: number;
  readonly revoked_at: Instant | null;
};

/** A key of a batch before its first use. It lies where an API key lies, so every other key is found as fast as ever. */
export type UnclaimedKey = FreshKey & { readonly batch_id: number };

export const isUnclaimed = (key: ApiKey | UnclaimedKey): key is UnclaimedKey => 'batch_id' in key;

const UNSEEN = /[\s\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g;
const QUOTES = /^['"`<>«»‹›‘’‚‛“”„‟「」『』＂＇]+|['"`<>«»‹›‘’‚‛“”„‟「」『』＂＇]+$/g;

/** A key without the characters that mails, tables and clipboards insert into and around it. */
export const pastedKey = (text: string): string => text.replaceAll(UNSEEN, '').replaceAll(QUOTES, '');

/** The first use of a key of a batch, and the account that it was bound to then; null if it was revoked unused. */
export type KeyClaim = {
  readonly key_id: number;
  readonly account_id: number | null;
  readonly claimed_at: Instant;
  readonly revoked_at: Instant | null;
};

/** A batch with the numbers of its keys: those that nobody used yet, those in use, and those that were revoked. */
export type CountedBatch = KeyBatch & { readonly unused: number; readonly claimed: number; readonly revoked: number };

export const countedBatch = (batch: KeyBatch, claims: readonly KeyClaim[]): CountedBatch => {
  const claimed = claims.filter(({ revoked_at }) => revoked_at === null).length;
  const unused = batch.revoked_at === null ? batch.count - claims.length : 0;
  return { ...batch, unused, claimed, revoked: batch.count - unused - claimed };
};

const KEYS_TO_REPLACE = 'Only keys whose answer was lost are made again; they follow those that the caller has';

/**
 * The number of a batch's keys that stay when it gets `count` further ones. `after` is the number of keys that the caller
 * has: those beyond it came in an answer that was lost, so nobody has them, and they are replaced.
 */
export const keptKeys = (
  { id, revoked_at, count: made }: KeyBatch,
  after: number,
  count: number,
): Outcome<number, 'key_batch_closed'> => {
  const closed = (message: string) => refuse('key_batch_closed', { message });
  if (revoked_at !== null) return closed(`Batch ${id} is revoked; make another one.`);
  if (after > made || made - after > KEYS_IN_ANSWER) return closed(`Batch ${id} has ${made} keys. ${KEYS_TO_REPLACE}.`);
  if (after + count > MOST_BATCH_KEYS) return closed(`A batch has at most ${MOST_BATCH_KEYS} keys; make another one.`);
  return ok(after);
};

/** The records of a claim, written in one transaction: the key, its license, and a new account if nobody is known. */
export type ClaimRecords = {
  readonly key: ApiKey;
  readonly entitlement: Entitlement;
  readonly claim: KeyClaim;
  readonly batch_id: number;
  readonly account: Account | null;
};

/** The ends are computed from the first use, so a key that lay in a drawer loses nothing. */
const licenseOf = (id: number, batch: KeyBatch, account_id: number, now: Instant): Entitlement => {
  const { product_id, device_limit, access_days, updates_days, edition } = batch;
  return {
    ...{ id, account_id, product_id, device_limit },
    ...{ source_product_id: null, order_id: null, order_item_id: null, grant_type: 'grant', source_quantity: 1 },
    ...(edition !== undefined && { edition }),
    key_batch_id: batch.id,
    granted_at: now,
    revoked_at: null,
    access_expires_at: access_days === null ? null : addDays(now, access_days),
    updates_supported_until: updates_days === null ? null : addDays(now, updates_days),
  };
};

/** An account without a person (`isWithoutPerson`), for a key that an application sent before anybody signed in. */
const accountOfKey = (id: number, { prefix }: UnclaimedKey, now: Instant): Account => ({
  ...{ id, email: keyAddress(id), name: `${prefix}…`, created_at: now, password_hash: null },
});

/**
 * Decides what the first use of a key writes. The key is bound to the account of `scope`, which has its license keys of
 * the product; or, if it has no account yet (`isNew`), to a new one with that number. It stays a license key there. The
 * keys of a revoked batch are refused.
 */
export const claimOf = (
  key: UnclaimedKey,
  batch: KeyBatch,
  scope: ScopeKeys,
  isNew: boolean,
  now: Instant,
): Outcome<ClaimRecords, 'invalid_api_key' | 'key_limit_reached'> => {
  const { id, hash, prefix, batch_id } = key;
  const { account_id } = scope;
  if (batch.revoked_at !== null) return refuse('invalid_api_key');
  if (licenseKeys(scope, now).length >= MOST_LICENSE_KEYS) {
    return refuse('key_limit_reached', {
      message: `This account already has ${MOST_LICENSE_KEYS} license keys for the product; revoke one first.`,
    });
  }
  return ok({
    key: newLicenseKey(scope, { id, hash, prefix, name: 'License key' }, now),
    entitlement: licenseOf(id, batch, account_id, now),
    claim: { key_id: id, account_id, claimed_at: now, revoked_at: null },
    batch_id,
    account: isNew ? accountOfKey(account_id, key, now) : null,
  });
};
