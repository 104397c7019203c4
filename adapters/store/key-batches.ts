import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent, savedEvent } from '../../domain/audit/event.ts';
import type { KeyBatch, KeyClaim, UnclaimedKey } from '../../domain/licensing/key-batch.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { KeyBatches } from '../../ports/outbound/access.ts';
import { accessKeys } from './keys/access.ts';
import { allItems, allRecords, firstItems, ifUnchanged, itemOf } from './records.ts';
import { Audited } from './repository.ts';
import type { TypedWrite } from './typed-table.ts';

const subjectOf = ({ id, product_id }: KeyBatch) => ({ kind: 'key_batch', id, product_id }) as const;

/**
 * A batch is one item, with the hashes of its keys and their first uses in a partition of its own. Each unused key is an
 * item under its hash, where its first use puts the API key.
 */
export class StoredKeyBatches extends Audited implements KeyBatches {
  async get(id: number): Promise<KeyBatch | undefined> {
    return (await this.table.get(accessKeys.keyBatch(id)))?.data;
  }

  async list(limit: number, before: number | null): Promise<KeyBatch[]> {
    return (await firstItems(this.table, accessKeys.keyBatches(before), limit)).map(({ data }) => data);
  }

  claims(id: number): Promise<KeyClaim[]> {
    return allRecords(this.table, accessKeys.keyClaims(id));
  }

  async add(permit: Permit, batch: KeyBatch, keys: readonly UnclaimedKey[]): Promise<void> {
    const { id, count } = batch;
    const before = await this.table.get(accessKeys.keyBatch(id));
    const after = { ...batch, count: count + keys.length };
    const added =
      !before?.data.revoked_at &&
      (await this.table.transact([
        { put: itemOf(accessKeys.keyBatch(id), after), condition: ifUnchanged(before?.version ?? null) },
        { put: itemOf(accessKeys.keyHashes(id, count), { hashes: keys.map(({ hash }) => hash) }) },
        ...keys.map((key) => ({ put: itemOf(accessKeys.apiKey(key.hash), key), condition: { absent: true } as const })),
        this.trail.entry(permit, savedEvent(subjectOf(batch), before?.data, after)),
      ]));
    if (!added) throw new Error(`Batch ${id} was revoked while its keys were made.`);
  }

  async revoke(permit: Permit, batch: KeyBatch, now: Instant): Promise<void> {
    const { id } = batch;
    if (batch.revoked_at === null) {
      const item = await this.table.get(accessKeys.keyBatch(id));
      const after = { ...batch, ...item?.data, revoked_at: now };
      const written = await this.table.transact([
        { put: itemOf(accessKeys.keyBatch(id), after), condition: { version: item?.version ?? '' } },
        this.trail.entry(permit, auditEvent(subjectOf(batch), 'revoked', item?.data, after)),
      ]);
      if (!written) return this.revoke(permit, batch, now);
    }
    for await (const chunk of allItems(this.table, accessKeys.allKeyHashes(id))) {
      await this.#removeUnused(chunk.data.hashes);
      await this.table.remove(chunk);
    }
  }

  /** A key that is used for the first time meanwhile stays; it is among the first uses. */
  async #removeUnused(hashes: readonly string[]): Promise<void> {
    const items = await this.table.getMany(hashes.map(accessKeys.apiKey));
    const unused = items.flatMap((item): TypedWrite[] =>
      item && 'terms' in item.data ? [{ remove: item, condition: { version: item.version } }] : [],
    );
    if (unused.length > 0 && !(await this.table.transact(unused))) await this.#removeUnused(hashes);
  }

  async revokeClaim(_permit: Permit, batch_id: number, claim: KeyClaim, now: Instant): Promise<void> {
    await this.table.put(itemOf(accessKeys.keyClaim(batch_id, claim.key_id), { ...claim, revoked_at: now }));
  }
}
