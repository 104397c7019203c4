import type { Permit } from '../../domain/access/permit.ts';
import {
  type BatchTerms,
  type CountedBatch,
  countedBatch,
  type KeyBatch,
  type KeyClaim,
  type UnclaimedKey,
} from '../../domain/licensing/key-batch.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { KEYS_AT_ONCE } from '../../ports/outbound/access.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { revokeApiKey } from '../access/api-keys.ts';
import type { revokeGrant } from './grants.ts';

export type KeyBatchInput = BatchTerms & { readonly name: string; readonly count: number };

/** A batch with the values of its keys, which are stored nowhere. */
export type CreatedBatch = { readonly batch: CountedBatch; readonly keys: readonly string[] };

type Ports = Needs<'catalogs' | 'clock' | 'ids' | 'keyBatches' | 'licenseKeySecrets'>;

/** Creates a batch of license keys. After an interrupted call, the batch has the keys made so far; revoke it. */
export const createKeyBatch = ({ catalogs, clock, ids, keyBatches, licenseKeySecrets }: Ports) =>
  async function createKeyBatch(
    permit: Permit,
    { name, count, ...terms }: KeyBatchInput,
  ): Promise<Outcome<CreatedBatch, 'product_without_keys' | 'edition_unknown'>> {
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
    const values: string[] = [];
    const mint = (batch_id: number): UnclaimedKey => {
      const { value, ...stored } = licenseKeySecrets.mint();
      values.push(value);
      return { id: ids.next(), ...stored, batch_id, terms };
    };
    let batch: KeyBatch = { id: ids.next(), name, ...terms, created_at: clock.now(), count: 0, revoked_at: null };
    while (batch.count < count) {
      const size = Math.min(KEYS_AT_ONCE, count - batch.count);
      await keyBatches.add(
        permit,
        batch,
        Array.from({ length: size }, () => mint(batch.id)),
      );
      batch = { ...batch, count: batch.count + size };
    }
    return ok({ batch: countedBatch(batch, []), keys: values });
  };

/** The newest batches first: at most `limit`, before the id `before`. */
export const listKeyBatches = ({ keyBatches }: Needs<'keyBatches'>) =>
  async function listKeyBatches(limit: number, before: number | null): Promise<CountedBatch[]> {
    const batches = await keyBatches.list(limit, before);
    return Promise.all(batches.map(async (batch) => countedBatch(batch, await keyBatches.claims(batch.id))));
  };

/** The maximum number of keys in use that one call revokes. */
const CLAIMS_AT_ONCE = 200;

export type RevokeBatchInput = {
  readonly id: number;
  /** If true, the keys in use are revoked too, with the licenses that they brought. */
  readonly claimed: boolean;
  /** If true, nothing is written. */
  readonly trial: boolean;
};

/** The batch afterwards, and the first uses that are still in force. A repeated call goes on where one has left some. */
export type RevokedBatch = { readonly batch: CountedBatch; readonly claims: readonly KeyClaim[] };

type RevokePorts = Needs<'apiKeys' | 'clock' | 'keyBatches'> & {
  revokeApiKey: ReturnType<typeof revokeApiKey>;
  revokeGrant: ReturnType<typeof revokeGrant>;
};

/** Revokes the unused keys of a batch, effective with the next request, and at most 200 of those in use. */
export const revokeKeyBatch = ({ apiKeys, clock, keyBatches, revokeApiKey, revokeGrant }: RevokePorts) => {
  /** The account may be another one by now: the item of the key names it. */
  const end = async (permit: Permit, { id: batch_id }: KeyBatch, claim: KeyClaim): Promise<void> => {
    const { key_id: id } = claim;
    const account_id = (await apiKeys.scopeOf(id))?.account_id ?? claim.account_id;
    await revokeGrant(permit, { account_id, id });
    await revokeApiKey(permit, id);
    await keyBatches.revokeClaim(permit, batch_id, claim, clock.now());
  };

  return async function revokeKeyBatch(
    permit: Permit,
    { id, claimed, trial }: RevokeBatchInput,
  ): Promise<Outcome<RevokedBatch, 'key_batch_not_found'>> {
    const batch = await keyBatches.get(id);
    if (!batch) return refuse('key_batch_not_found', { message: `There is no batch of keys ${id}.` });
    if (!trial) await keyBatches.revoke(permit, batch, clock.now());
    const inForce = ({ revoked_at }: KeyClaim): boolean => revoked_at === null;
    const claims = await keyBatches.claims(id);
    const ended = trial || !claimed ? [] : claims.filter(inForce).slice(0, CLAIMS_AT_ONCE);
    for (const claim of ended) await end(permit, batch, claim);
    const after = ended.length === 0 ? claims : await keyBatches.claims(id);
    const now = (await keyBatches.get(id)) ?? batch;
    return ok({ batch: countedBatch(now, after), claims: after.filter(inForce) });
  };
};
