import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent, savedEvent } from '../../domain/audit/event.ts';
import { isUnclaimed, type KeyBatch, type KeyClaim, type UnclaimedKey } from '../../domain/licensing/key-batch.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { KeyBatches } from '../../ports/outbound/access.ts';
import { accessKeys } from './keys/access.ts';
import { allItems, allRecords, firstItems, ifUnchanged, itemOf } from './records.ts';
import { Audited } from './repository.ts';
import type { Item } from './table.ts';

const subjectOf = ({ id, product_id }: KeyBatch) => ({ kind: 'key_batch', id, product_id }) as const;

/**
 * A batch is one item, with the hashes of its keys and their first uses in its own partition. Each unused key is an
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

  async add(permit: Permit, batch: KeyBatch, keys: readonly UnclaimedKey[]): Promise<boolean> {
    const { id, count } = batch;
    const before = await this.table.get(accessKeys.keyBatch(id));
    if (before && (before.data.revoked_at !== null || before.data.count !== count)) return false;
    const after = { ...batch, count: count + keys.length };
    return this.table.transact([
      { put: itemOf(accessKeys.keyBatch(id), after), condition: ifUnchanged(before?.version ?? null) },
      { put: itemOf(accessKeys.keyHashes(id, count), { hashes: keys.map(({ hash }) => hash) }) },
      ...keys.map((key) => ({ put: itemOf(accessKeys.apiKey(key.hash), key), condition: { absent: true } as const })),
      this.trail.entry(permit, savedEvent(subjectOf(batch), before?.data, after)),
    ]);
  }

  async dropLast(permit: Permit, { id }: KeyBatch, kept: number): Promise<boolean> {
    for (;;) {
      const [batch, [chunk]] = await Promise.all([
        this.table.get(accessKeys.keyBatch(id)),
        firstItems(this.table, { ...accessKeys.allKeyHashes(id), descending: true }, 1),
      ]);
      if (!batch || !chunk || batch.data.count <= kept) return batch?.data.count === kept;
      const { hashes } = chunk.data;
      const start = batch.data.count - hashes.length;
      const left = hashes.slice(0, Math.max(0, kept - start));
      const unused = await this.#unused(hashes.slice(left.length));
      if (left.length + unused.length < hashes.length) return false;
      const after = { ...batch.data, count: start + left.length };
      const condition = { version: chunk.version };
      const written = await this.table.transact([
        { put: itemOf(accessKeys.keyBatch(id), after), condition: { version: batch.version } },
        left.length > 0
          ? { put: itemOf(accessKeys.keyHashes(id, start), { hashes: left }), condition }
          : { remove: chunk, condition },
        ...unused.map((item) => ({ remove: item, condition: { version: item.version } })),
        this.trail.entry(permit, savedEvent(subjectOf(after), batch.data, after)),
      ]);
      if (!written) return false;
    }
  }

  async unclaimed(id: number): Promise<UnclaimedKey[]> {
    const keys: UnclaimedKey[] = [];
    for await (const { data } of allItems(this.table, accessKeys.allKeyHashes(id)))
      keys.push(...(await this.#unused(data.hashes)).map((item) => item.data));
    return keys;
  }

  async #unused(hashes: readonly string[]): Promise<Item<UnclaimedKey>[]> {
    const items = await this.table.getMany(hashes.map(accessKeys.apiKey));
    return items.filter((item): item is Item<UnclaimedKey> => item !== undefined && isUnclaimed(item.data));
  }

  async revoke(permit: Permit, batch: KeyBatch, now: Instant): Promise<boolean> {
    const item = await this.table.get(accessKeys.keyBatch(batch.id));
    if (!item || item.data.revoked_at !== null) return item !== undefined;
    const after = { ...item.data, revoked_at: now };
    return this.table.transact([
      { put: itemOf(accessKeys.keyBatch(batch.id), after), condition: { version: item.version } },
      this.trail.entry(permit, auditEvent(subjectOf(batch), 'revoked', item.data, after)),
    ]);
  }

  async revokeUnclaimed(permit: Permit, { id: key_id, hash, batch_id }: UnclaimedKey, now: Instant): Promise<boolean> {
    const item = await this.table.get(accessKeys.apiKey(hash));
    const claim: KeyClaim = { key_id, account_id: null, claimed_at: now, revoked_at: now };
    if (!item || !isUnclaimed(item.data)) return false;
    return this.table.transact([
      { remove: item, condition: { version: item.version } },
      { put: itemOf(accessKeys.keyClaim(batch_id, key_id), claim), condition: { absent: true } },
      this.trail.entry(permit, auditEvent({ kind: 'key', id: key_id }, 'revoked')),
    ]);
  }

  async revokeClaim(_permit: Permit, batch_id: number, claim: KeyClaim, now: Instant): Promise<void> {
    await this.table.put(itemOf(accessKeys.keyClaim(batch_id, claim.key_id), { ...claim, revoked_at: now }));
  }
}
