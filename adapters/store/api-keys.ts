import { type ApiKey, isLive, type ScopeKeys } from '../../domain/access/api-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import { auditEvent, type Subject, savedEvent } from '../../domain/audit/event.ts';
import { type ClaimRecords, isUnclaimed, type UnclaimedKey } from '../../domain/licensing/key-batch.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { licenseEvents } from '../../domain/webhooks/events.ts';
import type { ApiKeys, ReadScopeKeys } from '../../ports/outbound/access.ts';
import { accessKeys } from './keys/access.ts';
import { accountKeys } from './keys/accounts.ts';
import { licensingKeys } from './keys/licensing.ts';
import { allItems, ifUnchanged, itemOf, notErased, updateIfThere } from './records.ts';
import { Audited } from './repository.ts';
import type { Item } from './table.ts';
import type { TypedWrite } from './typed-table.ts';

/** The number of ended keys that a scope keeps, newest first. */
const ENDED_KEYS_KEPT = 20;

type VersionedScope = Pick<Item<ScopeKeys>, 'data' | 'version'>;

const readScope = ({ data, version }: VersionedScope, lastUses: ReadonlyMap<number, Instant>): ReadScopeKeys => ({
  ...data,
  version,
  keys: data.keys.map((key) => ({ ...key, last_used_at: lastUses.get(key.id) ?? key.last_used_at })),
});

/**
 * The keys of each scope are one item, so the quota is exact. Each live key also has an item under its hash, which
 * requests read. The transaction that revokes a key in its scope's item removes that second item.
 */
export class StoredApiKeys extends Audited implements ApiKeys {
  async find(hash: string): Promise<ApiKey | undefined> {
    const found = await this.findEither(hash);
    return found && isUnclaimed(found) ? undefined : found;
  }

  async findEither(hash: string): Promise<ApiKey | UnclaimedKey | undefined> {
    return (await this.table.get(accessKeys.apiKey(hash)))?.data;
  }

  async scope(account_id: number, product_id: number | null): Promise<ReadScopeKeys> {
    const found = (await this.scopes(account_id)).find((scope) => scope.product_id === product_id);
    return found ?? { account_id, product_id, keys: [], version: null };
  }

  async sealed({ account_id, id }: ApiKey): Promise<string | undefined> {
    return (await this.table.get(accessKeys.keyValue(account_id, id)))?.data.sealed;
  }

  async scopes(account_id: number): Promise<ReadScopeKeys[]> {
    const lastUses = new Map<number, Instant>();
    const scopes: VersionedScope[] = [];
    for await (const { data, version } of allItems(this.table, accessKeys.keysOfAccount(account_id))) {
      if ('keys' in data) scopes.push({ data, version });
      else lastUses.set(data.key_id, data.last_used_at);
    }
    return scopes.map((scope) => readScope(scope, lastUses));
  }

  async scopeOf(key_id: number): Promise<ReadScopeKeys | undefined> {
    const owner = (await this.table.get(accessKeys.apiKeyOwner(key_id)))?.data;
    return owner && (await this.scope(owner.account_id, owner.product_id));
  }

  async withPrefix(prefix: string): Promise<ApiKey[]> {
    const owner = /^\d+$/.test(prefix) ? undefined : (await this.table.get(accessKeys.apiKeyPrefix(prefix)))?.data;
    const scope = owner && (await this.scope(owner.account_id, owner.product_id));
    return scope?.keys.filter((key) => key.prefix === prefix) ?? [];
  }

  async change(
    permit: Permit,
    scope: ReadScopeKeys,
    { add, sealed, revoke = [], messages = [] }: Parameters<ApiKeys['change']>[2],
    now: Instant,
  ): Promise<boolean> {
    const { account_id, product_id } = scope;
    const subjectOf = ({ id }: ApiKey): Subject => ({ kind: 'key', id, account_id, product_id });
    const revoked = new Set(revoke.map((key) => key.id));
    const all = [
      ...scope.keys.map((key) => (revoked.has(key.id) ? { ...key, revoked_at: now } : key)),
      ...(add ? [add] : []),
    ];
    const ended = all.filter((key) => !isLive(key, now)).slice(-ENDED_KEYS_KEPT);
    const remaining = all.filter((key) => isLive(key, now) || ended.includes(key));
    const forgotten = all.filter((key) => !remaining.includes(key));
    const writes: TypedWrite[] = [
      {
        put: itemOf(accessKeys.keysOfScope(account_id, product_id), { account_id, product_id, keys: remaining }),
        condition: ifUnchanged(scope.version),
      },
      ...new Map([...revoke, ...forgotten].map((key) => [key.id, key]))
        .values()
        .flatMap((key): TypedWrite[] => [
          { remove: accessKeys.apiKey(key.hash) },
          { remove: accessKeys.use(account_id, key.id) },
          { remove: accessKeys.keyValue(account_id, key.id) },
        ]),
      ...forgotten.flatMap((key): TypedWrite[] => [
        { remove: accessKeys.apiKeyOwner(key.id) },
        { remove: accessKeys.apiKeyPrefix(key.prefix) },
      ]),
      ...revoke.map((key) => this.trail.entry(permit, auditEvent(subjectOf(key), 'revoked'))),
      ...this.messageWrites(permit, messages),
    ];
    if (add) {
      const { entry, unchanged } = await this.#asAccount(account_id);
      writes.push(unchanged, ...this.#added(permit, add, { put: entry(add), condition: { absent: true } }));
      if (sealed !== undefined) writes.push({ put: itemOf(accessKeys.keyValue(account_id, add.id), { sealed }) });
    }
    return this.table.transact(writes);
  }

  #added(permit: Permit, key: ApiKey, item: TypedWrite): TypedWrite[] {
    const { id, prefix, account_id, product_id } = key;
    return [
      notErased(account_id),
      item,
      { put: itemOf(accessKeys.apiKeyOwner(id), { account_id, product_id }), condition: { absent: true } },
      { put: itemOf(accessKeys.apiKeyPrefix(prefix), { account_id, product_id }) },
      this.trail.entry(permit, auditEvent({ kind: 'key', id, account_id, product_id }, 'created', undefined, key)),
    ];
  }

  async claim(permit: Permit, { keys, version }: ReadScopeKeys, records: ClaimRecords): Promise<boolean> {
    const { key, entitlement, claim, batch_id, account } = records;
    const { account_id, product_id, hash } = key;
    const [unclaimed, { entry, unchanged }] = await Promise.all([
      this.table.get(accessKeys.apiKey(hash)),
      this.#asAccount(account_id),
    ]);
    if (!unclaimed || !isUnclaimed(unclaimed.data)) return false;
    const entitled = {
      kind: 'entitlement',
      id: entitlement.id,
      account_id,
      product_id: entitlement.product_id,
    } as const;
    const opened = (of: Account): TypedWrite[] => [
      { put: itemOf(accountKeys.account(of.id), of), condition: { absent: true } },
      { put: itemOf(accountKeys.listing(of.id), { account_id: of.id }) },
      { put: itemOf(accountKeys.byEmail(of.email), { account_id: of.id }), condition: { absent: true } },
      this.trail.entry(permit, savedEvent({ kind: 'account', id: of.id, account_id: of.id }, undefined, of)),
    ];
    return this.table.transact([
      ...(account ? opened(account) : [unchanged]),
      ...this.#added(permit, key, { put: entry(key), condition: { version: unclaimed.version } }),
      {
        put: itemOf(accessKeys.keysOfScope(account_id, product_id), { account_id, product_id, keys: [...keys, key] }),
        condition: ifUnchanged(version),
      },
      { put: itemOf(accessKeys.keyClaim(batch_id, key.id), claim), condition: { absent: true } },
      {
        put: itemOf(licensingKeys.entitlement(account_id, entitlement.product_id, entitlement.id), entitlement),
        condition: { absent: true },
      },
      this.trail.entry(permit, savedEvent(entitled, undefined, entitlement)),
      ...(await this.webhookWrites(permit, licenseEvents(undefined, entitlement))),
    ]);
  }

  async follow(_permit: Permit, scope: ReadScopeKeys): Promise<boolean> {
    const { version, ...data } = scope;
    const { entry, unchanged } = await this.#asAccount(scope.account_id);
    return this.table.transact([
      unchanged,
      {
        put: itemOf(accessKeys.keysOfScope(scope.account_id, scope.product_id), data),
        condition: ifUnchanged(version),
      },
      ...scope.keys.filter(({ revoked_at }) => revoked_at === null).map((key): TypedWrite => ({ put: entry(key) })),
    ]);
  }

  /**
   * Returns a function that builds a key's item from the account's current state, and the check that this state is
   * unchanged.
   */
  async #asAccount(account_id: number) {
    const profile = await this.table.get(accountKeys.account(account_id));
    const { suspended_at, requests_per_minute, memberships } = profile?.data ?? {};
    const follows = {
      ...(suspended_at && { suspended: true }),
      ...(requests_per_minute && { requests_per_minute }),
      ...(memberships && { memberships }),
    };
    const entry = (key: ApiKey) => itemOf(accessKeys.apiKey(key.hash), { ...key, ...follows });
    const condition = ifUnchanged(profile?.version ?? null);
    return { entry, unchanged: { check: accountKeys.account(account_id), condition } };
  }

  async touch(key: ApiKey, now: Instant): Promise<void> {
    await Promise.all([
      updateIfThere(this.table, accessKeys.apiKey(key.hash), (stored) => ({ ...stored, last_used_at: now }) as ApiKey),
      this.table.put(itemOf(accessKeys.use(key.account_id, key.id), { key_id: key.id, last_used_at: now })),
    ]);
  }
}
