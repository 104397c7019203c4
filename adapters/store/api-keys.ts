import type { ApiKey } from '../../domain/access/api-key.ts';
import { isLive } from '../../domain/access/api-key.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import type { ApiKeys, ReadRing } from '../../ports/outbound/api-keys.ts';
import { keys } from './keys.ts';
import { allItems, updateIfThere } from './records.ts';
import type { Condition, Item, Table, Write } from './table.ts';

/** Keys that ended are listed for a while; the oldest go when a ring holds more than this many. */
const ENDED_KEYS_KEPT = 20;

type StoredRing = { account_id: number; product_id: number | null; keys: ApiKey[] };

const onlyIf = (version: string | null): Condition => (version === null ? { absent: true } : { version });

const readRing = (item: Item, lastUses: ReadonlyMap<number, Instant>): ReadRing => {
  const ring = item.data as StoredRing;
  return {
    ...ring,
    version: item.version,
    keys: ring.keys.map((key) => ({ ...key, last_used_at: lastUses.get(key.id) ?? key.last_used_at })),
  };
};

/**
 * Each scope's keys are one item, its ring, which makes the quota exact; beside it every live key has an item under its
 * hash, which is what a request reads. Revoking removes that item, in the same transaction as the ring's change.
 */
export class StoredApiKeys implements ApiKeys {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  async find(hash: string): Promise<ApiKey | undefined> {
    return (await this.#table.get(keys.apiKey(hash)))?.data;
  }

  async ring(accountId: number, productId: number | null): Promise<ReadRing> {
    const found = (await this.rings(accountId)).find((ring) => ring.product_id === productId);
    return found ?? { account_id: accountId, product_id: productId, keys: [], version: null };
  }

  async rings(accountId: number): Promise<ReadRing[]> {
    const lastUses = new Map<number, Instant>();
    const rings: Item[] = [];
    for await (const item of allItems(this.#table, keys.keyRings(accountId))) {
      if (item.sk.startsWith('KEYS#RING#')) rings.push(item);
      else lastUses.set(item.data.key_id, item.data.last_used_at);
    }
    return rings.map((item) => readRing(item, lastUses));
  }

  async ringOf(keyId: number): Promise<ReadRing | undefined> {
    const owner = (await this.#table.get(keys.apiKeyOwner(keyId)))?.data;
    return owner && (await this.ring(owner.account_id, owner.product_id));
  }

  async change(
    ring: ReadRing,
    { add, revoke = [] }: { add?: ApiKey; revoke?: readonly ApiKey[] },
    now: Instant,
  ): Promise<boolean> {
    const { account_id, product_id } = ring;
    const revoked = new Set(revoke.map((key) => key.id));
    const all = [
      ...ring.keys.map((key) => (revoked.has(key.id) ? { ...key, revoked_at: now } : key)),
      ...(add ? [add] : []),
    ];
    const ended = all.filter((key) => !isLive(key, now)).slice(-ENDED_KEYS_KEPT);
    const kept = all.filter((key) => isLive(key, now) || ended.includes(key));
    const writes: Write[] = [
      {
        put: { ...keys.keyRing(account_id, product_id), data: { account_id, product_id, keys: kept } },
        condition: onlyIf(ring.version),
      },
      ...revoke.flatMap((key): Write[] => [
        { remove: keys.apiKey(key.hash) },
        { remove: keys.keyUse(account_id, key.id) },
      ]),
    ];
    if (add) {
      writes.push(
        { put: { ...keys.apiKey(add.hash), data: add }, condition: { absent: true } },
        { put: { ...keys.apiKeyOwner(add.id), data: { account_id, product_id } }, condition: { absent: true } },
      );
    }
    return this.#table.transact(writes);
  }

  async touch(key: ApiKey, now: Instant): Promise<void> {
    await Promise.all([
      updateIfThere<ApiKey>(this.#table, keys.apiKey(key.hash), (stored) => ({ ...stored, last_used_at: now })),
      this.#table.put({ ...keys.keyUse(key.account_id, key.id), data: { key_id: key.id, last_used_at: now } }),
    ]);
  }
}
