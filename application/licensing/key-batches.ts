import type { Permit } from '../../domain/access/permit.ts';
import {
  type BatchTerms,
  type CountedBatch,
  countedBatch,
  type KeyBatch,
  type KeyClaim,
  keptKeys,
  type UnclaimedKey,
} from '../../domain/licensing/key-batch.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { StretchRequest } from '../../domain/shared/paging.ts';
import { KEYS_AT_ONCE } from '../../ports/outbound/access.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { revokeApiKey } from '../access/api-keys.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import type { revokeGrant } from './grants.ts';

export type KeyBatchInput = BatchTerms & {
  readonly name: string;
  readonly count: number;
  /** An existing batch that gets the keys, after those that the caller has (`keptKeys`). Its terms stay. */
  readonly add_to?: { readonly batch: number; readonly after: number } | null;
};

/** A batch with the values of its new keys, which are stored nowhere. */
export type CreatedBatch = { readonly batch: CountedBatch; readonly keys: readonly string[] };

type Ports = Needs<'catalogs' | 'clock' | 'ids' | 'keyBatches' | 'licenseKeySecrets'>;

const noBatch = (id: number) => refuse('key_batch_not_found', { message: `There is no batch of keys ${id}.` });

const CHANGED = refuse('key_batch_closed', {
  message:
    'The batch was revoked meanwhile, got other keys, or its last keys are in use; "key batches" shows how many it has.',
});

/**
 * Creates license keys in advance, in a new batch or in an existing one. An interrupted call leaves keys that nobody has:
 * the next call for the batch replaces them, or the revocation of the batch ends them.
 */
export const createKeyBatch = ({ catalogs, clock, ids, keyBatches, licenseKeySecrets }: Ports) => {
  /** The batch before the keys: a new one, or the existing one without those whose answer was lost. */
  const begun = async (permit: Permit, { add_to, count, name, ...terms }: KeyBatchInput) => {
    const product = (await catalogs.current()).products.get(terms.product_id);
    const editions = product?.editions?.map((edition) => edition.name) ?? [];
    if (terms.edition !== undefined && !editions.includes(terms.edition)) {
      return refuse('edition_unknown', {
        message: `The product has no edition ${terms.edition}; it has ${editions.join(', ') || 'none'}.`,
      });
    }
    if (!product?.license_keys) {
      return refuse('product_without_keys', {
        message: 'The product has no license keys; give it "license_keys": true first.',
      });
    }
    if (!add_to) return ok({ id: ids.next(), name, ...terms, created_at: clock.now(), count: 0, revoked_at: null });
    const batch = await keyBatches.get(add_to.batch);
    if (!batch) return noBatch(add_to.batch);
    const kept = keptKeys(batch, add_to.after, count);
    if (!kept.ok) return kept;
    return (await keyBatches.dropLast(permit, batch, kept.value)) ? ok({ ...batch, count: kept.value }) : CHANGED;
  };

  return async function createKeyBatch(
    permit: Permit,
    input: KeyBatchInput,
  ): Promise<
    Outcome<CreatedBatch, 'product_without_keys' | 'edition_unknown' | 'key_batch_not_found' | 'key_batch_closed'>
  > {
    const first = await begun(permit, input);
    if (!first.ok) return first;
    let batch: KeyBatch = first.value;
    const values: string[] = [];
    const mint = (): UnclaimedKey => {
      const { value, ...stored } = licenseKeySecrets.mint();
      values.push(value);
      return { id: ids.next(), ...stored, batch_id: batch.id };
    };
    while (values.length < input.count) {
      const keys = Array.from({ length: Math.min(KEYS_AT_ONCE, input.count - values.length) }, mint);
      if (!(await keyBatches.add(permit, batch, keys))) return CHANGED;
      batch = { ...batch, count: batch.count + keys.length };
    }
    return ok({ batch: countedBatch(batch, await keyBatches.claims(batch.id)), keys: values });
  };
};

/** The newest batches first: at most `limit`, before the one with the place `after`. */
export const listKeyBatches = ({ keyBatches }: Needs<'keyBatches'>) =>
  async function listKeyBatches({ limit, after }: StretchRequest): Promise<CountedBatch[]> {
    const batches = await keyBatches.list(limit, after === null ? null : Number(after));
    return Promise.all(batches.map(async (batch) => countedBatch(batch, await keyBatches.claims(batch.id))));
  };

/** The maximum number of keys in use that one call revokes. */
const CLAIMS_AT_ONCE = 200;

export type RevokeBatchInput = {
  readonly batch_id: number;
  /** If true, the keys in use are revoked too, with the licenses that they brought. */
  readonly claimed: boolean;
  /** If true, nothing is written. */
  readonly trial: boolean;
};

/**
 * The batch afterwards, and the first uses that are still in force. A repeated call continues where one was
 * interrupted.
 */
export type RevokedBatch = {
  readonly batch: CountedBatch;
  readonly claims: readonly (KeyClaim & { readonly account_id: number })[];
};

type RevokePorts = Needs<'apiKeys' | 'clock' | 'keyBatches' | 'pauses' | 'transfers'> & {
  revokeApiKey: ReturnType<typeof revokeApiKey>;
  revokeGrant: ReturnType<typeof revokeGrant>;
};

const isInForce = (claim: KeyClaim): claim is RevokedBatch['claims'][number] => claim.revoked_at === null;

/** Revokes the unused keys of a batch, effective with the next request, and at most 200 of those in use. */
export const revokeKeyBatch = (ports: RevokePorts) => {
  const { apiKeys, clock, keyBatches, pauses, transfers, revokeApiKey, revokeGrant } = ports;

  /** The key and its license may have moved to other accounts by now, also to different ones. */
  const end = async (permit: Permit, batch_id: number, claim: RevokedBatch['claims'][number]): Promise<void> => {
    const { key_id: id } = claim;
    const account_id = (await apiKeys.scopeOf(id))?.account_id ?? claim.account_id;
    for (const from of [account_id, claim.account_id]) {
      const holder = await transfers.holder(from, id);
      if (holder !== undefined) await revokeGrant(permit, { account_id: holder, id });
    }
    await revokeGrant(permit, { account_id, id });
    await revokeApiKey(permit, { key_id: id });
    await keyBatches.revokeClaim(permit, batch_id, claim, clock.now());
  };

  return async function revokeKeyBatch(
    permit: Permit,
    { batch_id: id, claimed, trial }: RevokeBatchInput,
  ): Promise<Outcome<RevokedBatch, 'key_batch_not_found'>> {
    const batch = await keyBatches.get(id);
    if (!batch) return noBatch(id);
    if (!trial) {
      await untilWritten(pauses, async () => (await keyBatches.revoke(permit, batch, clock.now())) || CONFLICT);
    }
    if (!trial && claimed) {
      const ended = (await keyBatches.claims(id)).filter(isInForce).slice(0, CLAIMS_AT_ONCE);
      for (const claim of ended) await end(permit, id, claim);
    }
    const after = await keyBatches.claims(id);
    return ok({ batch: countedBatch((await keyBatches.get(id)) ?? batch, after), claims: after.filter(isInForce) });
  };
};
